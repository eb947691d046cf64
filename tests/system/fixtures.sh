#!/bin/bash
# What older versions have written (tests/fixtures/) is read, resumed and verified by this one.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/contest.sh

from=tests/fixtures/dbf5fc4
cp -r "$from"/. "$work"
chmod -R u+w "$work"
chmod 600 "$work"/*.key
refused() { # DESCRIPTION STATUS TEXT COMMAND...
    local said status
    said=$("${@:4}" 2>&1 </dev/null)
    status=$?
    is "$1" "$status $said" "$2 $3"
}

# Contests: every act is allowed still, and the result is what it was.
contests='loebner-1996 loebner-2003 loebner-2004 loebner-2009 longbet-2002 held'
for name in $contests; do
    ok "$name: every act is allowed" "$bl" contest verify "$work/$name.db"
    "$bl" contest result "$work/$name.db" --json >"$work/now.json"
    # Fields may be added; those that there were say the same.
    is "$name: the same result" "$(jq -S --slurpfile was "$work/$name.json" '
        . as $now | $was[0] | delpaths([["steps"]]) | to_entries[] | select($now[.key] != .value)' \
        "$work/now.json")" ''
done
# Older versions wrote tables, whom a judge met alone as an Entry, no trial, and ratings to the end.
as_now() { # CSV, and how many Entries there are where they are met singly
    awk -F, -v OFS=, -v entries="$2" -v trial="$3" 'entries && NR > 1 && $2 > entries { $3 = $2 - entries; $2 = "" }
        { sub(/^yes$/, "true", $6); sub(/^no$/, "false", $6); $7 = $7 == "" ? "" : $7 + 0 }
        NR > 1 { print (trial ? "1," : "") $0 }' "$1"
}
for csv in "$work"/*.csv; do
    name=$(basename "$csv" .csv)
    entries='' trial=''
    case $name in loebner-1996 | loebner-2003) entries=3 ;; longbet-*) entries=1 trial=1 ;; esac
    file=$work/$name.db
    is "$name: the same ballots" "$(ballot_table)" \
        "$(as_now "$csv" "$entries" "$trial")"
done
ok 'an act can be added' "$bl" contest seal "$work/loebner-2004.db"
"$bl" contest publish "$work/loebner-2004.db" --out "$work/out" >/dev/null
is 'and published as before: hashed whole' "$(jq -c '[."boothlink-record", (.acts[0] | has("opened"))]' "$work/out/contest.json") \
$(PYTHONPATH=tests/contests python3 -Bc 'import json, sys, verifier
print(verifier.Contest(json.load(sys.stdin)["acts"]).wrong)' <"$work/out/contest.json")" '[1,false] []'

# A session that was held, against all its records.
ok 'records and the published transcript agree with the contest' "$bl" contest verify \
    "$work/held.db" --records "$work/records" --transcripts "$work/published"
echo 'A stranger: hello' >>"$work/published/r1-j1.txt"
ok 'and what was added to it is found' grep -q r1-j1.txt <("$bl" contest verify "$work/held.db" \
    --records "$work/records" --transcripts "$work/published")

# Journals.
for journal in "$work"/{records,half}/*/*.journal; do
    ok "${journal#"$work"/}: sound" "$bl" journal check "$journal"
done
is 'a judge and an entity have the same keys' \
    "$(events "$work/records/left/r1-j1-entity.journal" | wc -l)" \
    "$(events "$work/records/judge/r1-j1-judge.journal" --side left | wc -l)"

# The session that was killed goes on where it was.
journal=$work/half/judge/half-judge.journal
ballot=$work/half/judge/half-judge.ballot
events "$journal" >"$work/before"
cable left
cable right
# A script goes on behind what its terminal had typed already.
printf 'pace 5\ntype "Before the power went and after it."\n' >"$work/left.script"
printf 'pace 5\ntype "It was the other one, not me."\n' >"$work/right.script"
printf '%s\n' 'pace 5' 'type "Who is there?\n"' 'ballot left 60 right 40 notes before' \
    'type "I am back."' 'ballot left 30 right 70 notes after' >"$work/judge.script"
for side in left right; do
    start "$side" entity --line "serial:$work/$side.b" --journal "half/$side" --headless \
        --script "$work/$side.script"
done
start judge judge --left "serial:$work/left.a" --right "serial:$work/right.a" --session half \
    --ruleset loebner-2004 --plan '20 both,8 change' --headless --json \
    --script "$work/judge.script" --journal half/judge
last_given() { sed -E '1d; s/^[0-9]+ //; s/ \*[0-9a-f]{8}$//' "$ballot"; }
after='given left 60 right 40 notes before
given left 30 right 70 notes after'
has_after() { [[ $(last_given) == "$after" ]]; }
ok 'a session that was killed is resumed: 45 more keys' eventually has_keys "$journal" 88
ok 'and its ballot: the old version, then the new one' eventually has_after
stop judge
is 'it ends well' $? 0
stop left >/dev/null
stop right >/dev/null
is 'what was typed before stands first' \
    "$(events "$journal" | head -n "$(wc -l <"$work/before")" | diff - "$work/before")" ''
# Tickets and the venue.
# shellcheck disable=SC2016 # the program's words
refused "a judge's ticket is read up to its port, which is not here" 66 \
    'boothlink judge: there is no device /dev/judge1b: `boothlink ports` lists those that are' \
    "$bl" judge --ticket "$work/tickets/judge-booth1/round1.ini" --headless
for machine in confederate-booth1 entry1; do
    port=/dev/entity1$([[ $machine == entry1 ]] && echo a || echo b)
    refused "and an entity's, of $machine" 66 \
        "boothlink entity: there is no device $port: \`boothlink ports\` lists those that are" \
        "$bl" entity --ticket "$work/tickets/$machine/round1.ini" --headless \
        --journal "$work/none"
done
sheets=$("$bl" contest sheet "$work/loebner-2004.db" --venue "$work/venue.ini" --for setup)
ok 'the venue' grep -q 'judge: serial:/dev/judge3b' <<<"$sheets"

# Keys.
is 'the words of a key' "$("$bl" key show "$work/line.key")" "$(<"$work/line.words")"
# shellcheck disable=SC2016 # the program's words
refused 'keys of a line and of a referee are taken, up to the port' 66 \
    'boothlink tap: there is no device /dev/nowhere1: `boothlink ports` lists those that are' \
    "$bl" tap --serial serial:/dev/nowhere1 --serial serial:/dev/nowhere2 \
    --referee-key "$work/referee.key" --line-key "$work/line.key"

plan
