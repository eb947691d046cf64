#!/bin/bash
# A day of each ruleset twice, of the same seed: with a desk, a real nats-server, and a namespace for each
# machine; and by sticks. Nothing is lost, and placed text, votes and result are the same: each judge asks two
# questions on a side. With a desk the manager's acts are those of the page's buttons. Then days on which, round by
# round, the way to the desk is cut, or what is on it killed or stopped, and the page names that, with what to
# do. RULES takes some rulesets, SEED another seed, BOOTHS=2 fewer booths, WRONG="" no days of the second kind.
. tests/tap.sh

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
all=${RULES:-loebner-2003 loebner-2004 loebner-2009 longbet-2002 three-party-2025 two-party-2023 two-party-2024}
seed=${SEED:-1}

# rehearse RULESET NAME [OPTION...]: its output and its JSON go to files of that name.
rehearse() {
    tests/rehearsal/rehearsal.py --build "$BUILD" --ruleset "$1" --seed "$seed" --booths "${BOOTHS:-4}" --no-controllers \
        --patience 3 --verbose --out "$work/$1-$2.json" "${@:3}" >"$work/$1-$2" 2>&1
}
# of RULESET NAME: what must be the same.
of() { jq -S '{placed, votes, winner, outcome, ballots, entries: (.entries | keys), sessions}' "$work/$1-$2.json"; }

for rules in $all; do
    rehearse "$rules" desk --desk --questions 2 --longer 2 &
    rehearse "$rules" sticks --questions 2 --longer 2
    wait
    for how in desk sticks; do
        ok "$(tail -n 1 "$work/$rules-$how")" grep -qE \
            "^rehearsal $rules seed $seed: [0-9]+ sessions, [0-9]+ keys, 0 lost, ([0-9]+) of \1 ballots, result as expected$" \
            "$work/$rules-$how"
        [[ $(tail -n 1 "$work/$rules-$how") == *'as expected' ]] || sed 's/^/# /' "$work/$rules-$how"
    done
    ok "$rules: $(grep '^placed text' "$work/$rules-sticks")" test -s "$work/$rules-sticks.json"
    is "$rules: and the same with a desk" "$(of "$rules" desk)" "$(of "$rules" sticks)"
    ok "$(grep '^clicks' "$work/$rules-desk")" grep -q '^clicks on the desk.s page: collect .*seal 1' "$work/$rules-desk"
    ok "$(grep '^the desk has' "$work/$rules-desk")" \
        grep -q '^the desk has [1-9][0-9]* records, each byte for byte' "$work/$rules-desk"
    sed -n 's/^the day:/# &/p' "$work/$rules-desk" "$work/$rules-sticks"
done
# Each kind twice at least. The parts are longer: on a busy machine a judge must see a word of the human
# in each, also while all cables are pulled.
for seed in ${WRONG-1 2 3}; do
    rehearse loebner-2009 "wrong-$seed" --desk --faults desk --longer 3
    last=$(tail -n 1 "$work/loebner-2009-wrong-$seed")
    ok "$(grep '^what went wrong' "$work/loebner-2009-wrong-$seed")" grep -q ', 0 lost, .* result as expected$' <<<"$last"
    [[ $last == *'as expected' ]] || sed 's/^/# /' "$work/loebner-2009-wrong-$seed"
done
plan
