#!/bin/bash
# A referee limits a confederate (1996 r15, 2003 r53): it is on record, in the confederate's tickets and
# on his screen, and in no judge's ticket. tests/world/test_limit.c has the two ends' screens and records.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/contest.sh
. tests/support/venue.sh
. tests/support/windows.sh

cable line
limit='Do not name your employer.'

# tickets: of all rounds, to $work/tickets.
tickets() {
    venue_of_line "$work/venue.ini"
    rm -rf "$work/tickets"
    contest tickets --venue "$work/venue.ini" --out "$work/tickets"
} >/dev/null

# limited: sessions whose entity's ticket has the limit; humans: all that a confederate types in.
limited() { grep -rlx "limit = $limit" "$work/tickets/back-room" | wc -l; }
humans() { grep -rlx 'keyboard = yes' "$work/tickets" | wc -l; }

# refused STATUS TEXT COMMAND...: one line that says so.
refused() {
    local said status
    said=$("$bl" "${@:3}" 2>&1 </dev/null)
    status=$?
    is "refused: $2" "$status $(wc -l <<<"$said") $(grep -cF -- "$2" <<<"$said")" "$1 1 1"
}

ok 'a contest of 1996' contest_drawn c loebner-1996
refused 65 'expected one, as C2' contest limit "$file" J1 --text x --why y
refused 64 'missing --text' contest limit "$file" C2 --why y
refused 64 'missing --why TEXT' contest limit "$file" C2 --text x
refused 65 "'text' has a semicolon" contest limit "$file" C2 --text 'a; b' --why y
is 'a limit has its rule' \
    "$("$bl" contest limit "$file" C2 --text "$limit" --why 'twice' | head -n 1)" \
    "C2 is limited (1996 r15): $limit"
is 'it is on record with its reason' \
    "$("$bl" contest export "$file" --json | jq -r '.acts | last | .kind, .body.text, .body.why')" \
    "limit"$'\n'"$limit"$'\n'"twice"
ok 'and shown to the manager' grep -qF "limited (1996 r15): $limit" <("$bl" contest show "$file")
ok 'and in the report' grep -qF "limited by a referee (1996 r15): $limit; twice" \
    <("$bl" contest report "$file")
tickets
is "in all his tickets, not in the other confederate's" "$(limited) of $(humans)" '2 of 4'
is "no judge's ticket speaks of it" "$(grep -rilE 'limit|employer' "$work/tickets/judges-room" | wc -l)" 0

# Taken back, and no longer in tickets.
ok 'it is taken back' "$bl" contest undo "$file" limit C2 --why 'enough'
refused 65 'confederate 2 is not limited' contest undo "$file" limit C2 --why 'enough'
tickets
is 'then no ticket has it' "$(limited) of $(humans)" '0 of 4'

# By hand, until the next ticket: beside this one, or without any.
entity=$(grep -rlx 'keyboard = yes' "$work/tickets" | sort | head -n 1)
window entity 80 24 entity --ticket "$entity" --limit "$limit" --journal hand
reads 'a referee types it at the terminal' entity "A referee limits what you may say: $limit"
window_close entity
refused 64 'it goes with --keyboard' entity --line "serial:$work/line.b" --program cat --limit x
refused 64 '--limit: the text has a semicolon' entity --line "serial:$work/line.b" --keyboard \
    --limit 'a; b'
refused 64 "limit" judge --left "serial:$work/line.a" --limit x

for rules in loebner-2004 loebner-2009 longbet-2002; do
    contest_drawn c $rules
    refused 65 "the rules of $rules have none by which a referee" contest limit "$file" C2 \
        --text x --why y
done
plan
