#!/bin/bash
# SESSIONS sessions (10,000) and DAYS whole days (300) in the world, and a day of each ruleset whose parts
# last as long as its rules say; from the seed FIRST on (any), as many at a time as there are processors.
# RULES names some rulesets. A failure is one line, which plays it again. The sums at the end say what was played.
. tests/tap.sh

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

sessions=${SESSIONS:-10000}
days=${DAYS:-300}
first=${FIRST:-$((RANDOM * 10000 + 1))}
session=$(realpath "$BUILD/tests/world/session")
day=$(realpath "$BUILD/tests/world/day")
rulesets=${RULES-$(cd host/share/rulesets && printf "%s\n" *.ini | sed "s/\.ini$//")}
kinds=()
echo "# FIRST=$first"

# play NAME WORDS...: in the background, when a processor is free.
play() {
    while (($(jobs -pr | wc -l) >= $(nproc))); do
        wait -n
    done
    kinds+=("$1")
    {
        (cd "$work" && "${@:2}") >"$work/$1" 2>&1
        echo $? >"$work/$1.status"
    } &
}

# In five mixes: what a line is, how long a part, how much goes wrong.
share=$((sessions / 5))
play "sessions" "$session" --seed "$first" --count $((sessions - 4 * share))
play "sessions with a controller" "$session" --seed "$first" --count $share --controller
play "encrypted sessions" "$session" --seed "$first" --count $share --secret --seconds 8 --faults 6
play "short parts" "$session" --seed "$first" --count $share --seconds 8 --faults 6
play "short parts with a controller" "$session" --seed "$first" --count $share --controller \
    --seconds 5 --faults 8
for faults in 0 1 2 4; do
    play "days, $faults mishaps in 20 s" "$day" --seed $((first + faults * days)) \
        --count $(((days + 3) / 4)) --faults $faults
done
play "days with a spare machine in mid-session" "$day" --seed "$first" --count $((days / 4)) --spare --faults 0
for rules in $rulesets; do
    play "a whole day of $rules" "$day" --seed "$first" --whole --booths 4 --ruleset "$rules"
done
wait
for kind in "${kinds[@]}"; do
    status=$(<"$work/$kind.status")
    ok "$kind: $(tail -1 "$work/$kind")" [ "$status" = 0 ]
    [[ $status == 0 ]] || grep -h -- '--seed' "$work/$kind" | sed 's/^/# /'
done

# sums UNIT: of all lines as "N UNIT, N failed; N ..., N keys; N s of theirs in N s of processor time".
sums() {
    sed -n "s/^\([0-9]*\) $1, \([0-9]*\) failed; [0-9]* [^,]*, \([0-9]*\) keys; \([0-9]*\) s of theirs in \([0-9.]*\) .*/\1 \2 \3 \4 \5/p" \
        "${kinds[@]/#/$work/}" | awk -v unit="$1" '
        {count += $1; failed += $2; keys += $3; seconds += $4; processor += $5}
        END {printf "# %d %s, %d failed; %d keys; %.1f h of theirs in %.0f s of processor time\n",
             count, unit, failed, keys, seconds / 3600, processor}'
}
sums sessions
sums days
plan
