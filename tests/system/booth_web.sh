#!/bin/bash
# A booth's three machines with their screens in a browser, from power-on to the sealed ballot: practice, the
# stick with the tickets, a session of 2009 (left, right, review), the ballot, the records back on the
# stick, and the manager's `contest verify`. What begins and ends a session is no key of it.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/browser.sh

needs_browser 'a booth in a browser'
export BOOTHLINK_SIM_PASS=1 # to the booths' sessions
manager() { (cd "$work" && "$bl" contest "$@" >"$work/said" 2>&1); }
# done_by_manager DESCRIPTION VERB...
done_by_manager() {
    local status
    manager "${@:2}"
    status=$?
    result $status "$1"
    ((status == 0)) || sed 's/^/# /' "$work/said"
}

cable a
cable b
printf '%s\n' '[contest]' 'format = 1' 'name = A contest in browsers' 'ruleset = short.ini' '[people]' \
    'judge1 = The judge' 'entry1 = The Entry' 'entry1.submitter = Its author' 'entry1.rights = yes' \
    'entry1.receipt = yes' 'confederate1 = The confederate' >"$work/people.ini"
printf '%s\n' '[venue]' 'format = 1' 'begin = ready' '[machines]' 'booth1.either = yes' \
    "booth1.judge-a = serial:$work/a.a" "booth1.entity-a = serial:$work/a.b" \
    "booth1.judge-b = serial:$work/b.a" "booth1.entity-b = serial:$work/b.b" \
    'entry1.program = perl eliza.pl' >"$work/venue.ini"
# setup SECONDS REVIEW: the contest with its tickets, of parts that are so long.
setup() {
    "$bl" contest rulesets loebner-2009 |
        sed -E "s/^name = .*/name = short/; s/^plan = .*/plan = $1 left,$1 right,$2 review/" >"$work/short.ini"
    done_by_manager "the contest has its tickets: $1 s for each side" setup people.ini venue.ini
}
for place in judge cable-a cable-b; do
    mkdir -p "$work/$place/entries"
    cp tests/entrants/eliza.pl "$work/$place/entries"
    printf '[place]\nformat = 1\nbooth = 1\nmachine = %s\n' "$place" >"$work/$place/place.ini"
    start "$place" booth --place "$place/place.ini" --tickets "$place/stick" --journal "$place/records" \
        --folder "$place/entries" --screen web
done
for place in judge cable-a cable-b; do
    ok "$place has an address" eventually test -s "$work/$place/records/booth.url"
done

# shellcheck disable=SC2086 # they are two
asked_setup() { setup $1; }
serve tests/system/booth_web.py "$work"
ok 'all of it was seen' test "$tap_count" -ge 41

judge=$work/judge/records/r1-j1-judge
is 'the ballot is sealed, and signed' "$(tail -n 2 "$judge.ballot" | cut -d ' ' -f 2 | xargs)" 'sealed signed'
# The word that leaves a practice, and the keys of boards and of the ballot, stay where they were meant.
is 'on record is what was typed to the left' "$(typed_in "$judge.journal" judge left | paste -sd ' ')" \
    'A r e space y o u space l e f t ? Return'
is 'and to the right' "$(typed_in "$judge.journal" judge right | paste -sd ' ')" \
    'A r e space y o u space r i g h t ? Return'
is 'nothing was typed where it could not be' "$(notes "$judge.journal" refused)" ''
for place in cable-a cable-b; do
    ! grep -q '^keyboard' "$work/$place/records/booth-1-$place/001.ticket" || confederate=$place
done
is "and of the confederate's keys" "$("$bl" journal show "$work/$confederate/records/r1-j1-entity.journal" |
    sed -n 's/.* pressed .* "\(.*\)"$/\1/p' | paste -sd '')" 'I am here.\r'
done_by_manager 'the manager confirms the judge'"'"'s machine' machine contest.db booth-1-judge \
    "$("$bl" key show "$work/judge/records/machine.key")"
done_by_manager 'the manager collects all' collect contest.db sticks/judges-room sticks/back-room
is 'the ballot among it' "$(grep -c '^r1-j1: recorded' "$work/said")" 1
done_by_manager 'the contest is sealed' seal contest.db --why 'nobody ranks here'
done_by_manager 'and verified' verify contest.db --records contest.db.records
is 'without a difference' "$(grep '^records' "$work/said")" 'records: 4 files, 0 differences'
plan
