#!/bin/bash
# Ten rehearsals of each ruleset with four booths, in which what can go wrong goes wrong: two at a
# time, for a rehearsal mostly waits. SEEDS=3 takes fewer. On two cores it may last an hour.
. tests/tap.sh

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# rehearse RULESET SEED: its output goes to a file of that name.
rehearse() {
    tests/rehearsal/rehearsal.py --build "$BUILD" --ruleset "$1" --seed "$2" --booths 4 --faults \
        --patience 3 --verbose >"$work/$1-$2" 2>&1
}

for ((seed = 1; seed <= ${SEEDS:-10}; seed++)); do
    for rules in loebner-1996 loebner-2003 loebner-2004 loebner-2009 longbet-2002; do
        while (($(jobs -pr | wc -l) >= 2)); do
            wait -n
        done
        rehearse $rules $seed &
    done
done
wait
for ((seed = 1; seed <= ${SEEDS:-10}; seed++)); do
    for rules in loebner-1996 loebner-2003 loebner-2004 loebner-2009 longbet-2002; do
        last=$(tail -n 1 "$work/$rules-$seed")
        ok "$last" grep -qE "^rehearsal $rules seed $seed: [0-9]+ sessions, [0-9]+ keys, 0 lost, ([0-9]+) of \1 ballots, result as expected$" \
            <<<"$last"
        [[ $last == *'as expected' ]] || sed 's/^/# /' "$work/$rules-$seed"
    done
done
echo "# $((SECONDS / 60)) min"
ok 'all within an hour' test $SECONDS -le 3600
plan
