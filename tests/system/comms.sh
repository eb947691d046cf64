#!/bin/bash
# A day under rules that want a communications program (2004 A6, A14): the venue says which one a
# confederate types at, his booth gets it with the Entry from the stick, starts it and watches it.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/venue.sh
. tests/support/windows.sh

# What is handed in: the Entry, its communications program.
mkdir "$work/entry"
# shellcheck disable=SC2016 # it is the parrot's
printf '#!/bin/sh\necho "Hello, my name is Bob and I am the human."\nwhile read -r line; do echo "You said: $line"; done\n' >"$work/entry/parrot"
chmod +x "$work/entry/parrot"
cp "$BUILD/tests/system/terminals" "$work/entry"
"${CC:-cc}" -O2 -o "$work/entry/comms" host/share/examples/comms.c
"$bl" validate manifest --program ./parrot --folder "$work/entry" >/dev/null
cable a
cable b
sed 's/^plan = .*/plan = 900 both/; s/^name = .*/name = short/; s/^entries-least = .*/entries-least = 1/' \
    host/share/rulesets/loebner-2004.ini >"$work/short.ini"
template "$work/short.ini" 1
# venue COMMAND TURN-END
venue() { venue_of_cables 'entry1.handed-in = entry' "entry1.comms = $1" "entry1.comms-turn-end = $2"; }
venue './terminals entity' cr
venue_setup >"$work/said" 2>&1
is 'a program that is not told its port is refused' \
    "$? $(grep -c 'comms = ./terminals entity: expected a command with {port} in it' "$work/said")" '65 1'
rm -rf "$work"/contest.db* "$work/sticks"
venue './terminals entity {port}' cr
ok 'the day is set up' quiet venue_setup
back=$work/sticks/back-room/boothlink
ticket=$(grep -l '^keyboard' "$back"/booth-1-cable-?/001.ticket)
is "the confederate's ticket has it, and its folder by name" \
    "$(sed -n '/^\[entity\]/,$p' "$ticket" | sed -E 's/-[0-9a-f]{32}$/-HASH/' | xargs)" \
    '[entity] keyboard = yes comms = ./terminals entity {port} entry = entry-HASH turn-end = cr'
is "the judge's says nothing of it" "$(grep -rl 'comms\|terminals' "$work/sticks/judges-room" --include=*.ticket)" ''
venue './comms {port}' lf
sed -i 's/^communications-program = yes/communications-program = no /; s/^name = short/name = other/' "$work/short.ini"
mkdir "$work/other" && cp -r "$work"/{people.ini,venue.ini,short.ini,entry} "$work/other"
"$bl" contest setup "$work/other/people.ini" "$work/other/venue.ini" >"$work/said" 2>&1
is 'rules that know none refuse one' "$? $(grep -c 'entry1.comms: the rules of other know no' "$work/said")" '65 1'

# The machines.
cable_of() { basename "$(dirname "$1")" | sed 's/booth-1-//'; }
human=$(cable_of "$ticket")
[[ $human == cable-a ]] && entry=cable-b || entry=cable-a
tm set-environment -g BOOTHLINK_SIM_PASS 1 # to the booths' sessions
machine() { # NAME PLACE ROOM
    mkdir "$work/$1"
    cp -r "$work/sticks/$3-room" "$work/$1/stick"
    printf '[place]\nformat = 1\nbooth = 1\nmachine = %s\n' "$2" >"$work/$1/place.ini"
    opened "$1"
}
opened() {
    window "$1" 80 24 booth --place "$1/place.ini" --tickets "$1/stick" --journal "$1/records"
}
begins() { # Enter at the board counts once nobody has typed for a second
    has "$1" 'ress Enter' || return 0
    keys "$1" Enter
    pause 1.1
    lacks "$1" 'ress Enter'
}
machine judge judge judges
machine human "$human" back
machine program "$entry" back
for name in judge human program; do
    eventually has $name 'Round 1'
    ok "$name: begins" eventually begins $name
done
judge_ticket=$work/sticks/judges-room/boothlink/booth-1-judge/001.ticket
side=right
grep -A 1 '^\[line.left\]' "$judge_ticket" | grep -q "${human#cable-}\.a\$" && side=left
reads 'the session begins' judge ' open '
note() { says "$work/human/records/r1-j1-entity.journal" entry "$1"; }
ok 'it was started, as it was handed in' eventually note './terminals entity'
ok 'and is what was handed in' note 'its folder is as it was handed in: 3 files'
[[ $side == left ]] || keys judge F2
keys judge 'Who are yov' BSpace 'u?' Enter
reads 'the confederate reads the judge' human 'Who are you?'
keys human 'Hello, my name is Bob and I am the human.' Enter
keys human 'A persom' BSpace 'n.' Enter
reads 'the judge reads what he types through it' judge 'A person.'
reads 'and so does he' human 'A person.'

# It ends, and is started again by one key; the terminal is killed, and has it still.
comms_pid() { notes "$work/human/records/r1-j1-entity.journal" entry | sed -n 's/^started, process \([0-9]*\).*/\1/p' | tail -n 1; }
first=$(comms_pid)
kill -9 "$first"
reads 'when it has ended he is told' human 'The communications program has ended. F9 starts it again.'
keys human F9
another() { [[ $(comms_pid) != "$first" ]]; }
ok 'F9 starts it again' eventually another
keys human 'Still here.' Enter
reads 'and it goes on' judge 'Still here.'
session=$(cat "/proc/$(window_pid human)/task/$(window_pid human)/children")
kill -9 "${session// /}"
still() { note 'still there after a restart of the terminal'; }
ok 'a terminal that was killed has it back' eventually still
keys human 'And here.' Enter
reads 'and goes on with it' judge 'And here.'

both() {
    events "$work/judge/records/r1-j1-judge.journal" --side "$side" >"$work/events.judge"
    events "$work/human/records/r1-j1-entity.journal" >"$work/events.entity"
    cmp -s "$work/events.judge" "$work/events.entity"
}
eventually both
equal 'the pages are the same' "$work/events.judge" "$work/events.entity"
is "no file of the judge's tells of it" "$(grep -rlia 'comms\|terminals' "$work/judge/records" --exclude=short.ini)" ''

# Left by the attendant, nothing of it stays.
last=$(comms_pid)
gone() { ! kill -0 "$last" 2>/dev/null; }
keys human F10
reads 'leaving is asked about' human 'type leave'
keys human leave Enter
reads 'the session is left' human 'was left before it was over'
ok 'and the program has ended' eventually gone

# The template for entrants, by hand, and without a sandbox.
for box in --memory=500 --no-sandbox; do
    cable "c$box"
    window "e$box" 80 24 entity --line "serial:$work/c$box.b" --comms "$([[ $box == --memory* ]] || echo "$work/entry/")./comms {port}" \
        --folder "$work/entry" --journal "e$box" $box
    window "j$box" 80 24 judge --left "serial:$work/c$box.a" --journal "j$box" --session x --starts either
    reads "$box: the ends are connected" "e$box" ' open '
    keys "j$box" 'You?' Enter
    reads "$box: the judge is read" "e$box" 'You?'
    keys "e$box" 'Mx' BSpace 'e.' Enter
    reads "$box: the template sends what is typed" "j$box" 'Me.'
    window_close "j$box"
done
plan
