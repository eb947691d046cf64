#!/bin/bash
# COUNT random contests of each ruleset (2,000), from FIRST on (any), against
# tests/contests/model.py; as many at a time as there are processors. RULES takes some rulesets.
# A line in the log after each hundred says how far it is, and from which seed to go on.
. tests/tap.sh

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

count=${COUNT:-2000}
first=${FIRST:-$((RANDOM * 10000 + 1))}
all=${RULES:-$(cd host/share/rulesets && printf '%s\n' *.ini | sed 's/\.ini$//')}
echo "# FIRST=$first"

for rules in $all; do
    while (($(jobs -pr | wc -l) >= $(nproc))); do
        wait -n
    done
    {
        BOOTHLINK=$BUILD/boothlink python3 tests/contests/contests.py --ruleset "$rules" --count "$count" \
            --first "$first" --progress 100 2> >(sed -u 's/^/# /') >"$work/$rules"
        echo $? >"$work/$rules.status"
    } &
done
wait
for rules in $all; do
    status=$(<"$work/$rules.status")
    ok "$rules: $(grep ' contests of ' "$work/$rules")" [ "$status" = 0 ]
    [[ $status == 0 ]] || sed 's/^/# /' "$work/$rules"
done
plan
