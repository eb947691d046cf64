#!/bin/bash
# Ten rehearsals of each ruleset with four booths, in which what can go wrong goes wrong: two at a
# time, for a rehearsal mostly waits. SEEDS=3 takes fewer, FROM=4 begins later, RULES takes some
# rulesets. On two cores it may last an hour.
. tests/tap.sh

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

all=${RULES:-loebner-1996 loebner-2003 loebner-2004 loebner-2009 longbet-2002 three-party-2025 two-party-2023 two-party-2024 class class-games class-survey}

# rehearse RULESET SEED: its output goes to a file of that name.
rehearse() {
    tests/rehearsal/rehearsal.py --build "$BUILD" --ruleset "$1" --seed "$2" --booths 4 --faults \
        --patience 3 --verbose >"$work/$1-$2" 2>&1
}

for ((seed = ${FROM:-1}; seed <= ${SEEDS:-10}; seed++)); do
    for rules in $all; do
        while (($(jobs -pr | wc -l) >= 2)); do
            wait -n
        done
        rehearse "$rules" $seed &
    done
done
wait
for ((seed = ${FROM:-1}; seed <= ${SEEDS:-10}; seed++)); do
    for rules in $all; do
        last=$(tail -n 1 "$work/$rules-$seed")
        ok "$last" grep -qE "^rehearsal $rules seed $seed: [0-9]+ sessions, [0-9]+ keys, 0 lost, ([0-9]+) of \1 ballots, result as expected$" \
            <<<"$last"
        case $rules in
            loebner-2004 | loebner-2009)
                ok "$rules seed $seed: each cable was on the left, and no session on the wrong one" \
                    grep -q '^the draw put on the left cable A [0-9]* times, cable B ' "$work/$rules-$seed"
                ;;
        esac
        [[ $last == *'as expected' ]] || sed 's/^/# /' "$work/$rules-$seed"
    done
done
echo "# $((SECONDS / 60)) min"
ok 'all within an hour' test $SECONDS -le 3600
plan
