#!/bin/bash
# A spare machine takes the place of a judge's dead one in mid-session: its power is cut (kill -9), its
# disk is gone, and another starts with the same stick, on a day with a board. tests/world has the rest.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/venue.sh
. tests/support/windows.sh

# The venue: one booth, two cables, a person at one and a program at the other.
cable a
cable b
sed 's/^plan = .*/plan = 15 left,15 right,1 review/' "host/share/rulesets/loebner-2009.ini" |
    sed 's/^name = .*/name = short/; s/^ranks = .*/ranks = none/; s/^ties = .*/ties = manager/' \
        >"$work/short.ini"
template "$work/short.ini" 1
# shellcheck disable=SC2016 # it is the parrot's
printf '#!/bin/sh\nwhile read -r line; do echo "You said: $line"; done\n' >"$work/parrot"
chmod +x "$work/parrot"
venue_of_cables 'entry1.program = ./parrot'
ok 'the day is set up' quiet venue_setup
ok 'and begun' quiet "$bl" contest begin "$work/contest.db" 1

# machine NAME PLACE ROOM: a machine with its stick in, and nothing else on its disk.
machine() {
    mkdir -p "$work/$1"
    cp -r "$work/sticks/$3-room" "$work/$1/stick"
    cp "$work/parrot" "$work/$1"
    printf '[place]\nformat = 1\nbooth = 1\nmachine = %s\n' "$2" >"$work/$1/place.ini"
    window "$1" 80 24 booth --place "$1/place.ini" --tickets "$1/stick" --journal "$1/records" \
        --folder "$1"
}
# lost NAME: its power is cut, and its disk is gone.
lost() {
    local pid
    pid=$(window_pid "$1")
    # shellcheck disable=SC2046 # the session's own process, if there is one
    kill -9 "$pid" $(cat "/proc/$pid/task/$pid/children")
    entries_end "$work/$1" # what ran on that machine
    eventually window_gone "$1"
    rm -rf "${work:?}/$1"
}
# begins NAME: Enter at the board counts once nobody has typed for a second.
begins() {
    has "$1" 'ress Enter' || return 0
    keys "$1" Enter
    pause 1.1
    lacks "$1" 'ress Enter'
}
seated() { eventually has "$1" 'Round 1' && eventually begins "$1"; }

declare -A place=([one]=cable-a [two]=cable-b)
judge_ticket=$work/sticks/judges-room/boothlink/booth-1-judge/001.ticket
if grep -A 1 '^\[line.left\]' "$judge_ticket" | grep -q 'a\.a$'; then
    left=one right=two
else
    left=two right=one
fi
# answers MACHINE: the person there says something; the program has answered by itself.
answers() {
    if grep -q '^keyboard' "$work/sticks/back-room/boothlink/booth-1-${place[$1]}/001.ticket"; then
        keys "$1" "$2"
    fi
}

tm set-environment -g BOOTHLINK_SIM_PASS 1 # to the booths' sessions
machine judge judge judges
machine one cable-a back
machine two cable-b back
for name in judge one two; do
    seated $name
done
reads 'the session begins' judge 'LEFT · part 1 of 3'
eventually lacks judge starting
keys judge 'Hello there.' Enter
reads 'the judge is heard on the left' $left 'Hello there.'
answers $left 'Hi Hello there.'
reads 'and answered' judge 'i'
lost judge

machine spare judge judges
seated spare
reads 'a spare machine says that the session has begun' spare 'F8 takes it over'
ok 'and takes nothing before it is told to' lacks spare 'Hello there.'
keys spare F8
reads 'then it has what was shown' spare 'Hello there.'
reads 'and goes on in the same part' spare 'LEFT · part 1 of 3'
keys spare 'Again.' Enter
reads 'the judge is heard again' $left 'Again.'
ok 'its record says so' says "$work/spare/records/r1-j1-judge.journal" taken 'takes the place of one that failed'

reads 'the next part comes' spare 'RIGHT · part 2 of 3'
eventually has spare ' open '
keys spare 'And you.' Enter
reads 'the judge is heard on the right' $right 'And you.'
answers $right 'Me? And you.'
answered() { [[ $(typed_in "$work/spare/records/r1-j1-judge.journal" entity right) ]]; }
ok 'and answered there too' eventually answered

reads 'the session ends, and the ballot is asked for' spare 'F3'
keys spare F3
pause 0.2
keys spare l Enter
for name in spare one two; do
    reads "$name: the day is over" $name 'All sessions of this place are over.'
done
for name in left:$left right:$right; do
    events "$work/spare/records/r1-j1-judge.journal" --side "${name%:*}" >"$work/events.judge"
    events "$work/${name#*:}/records/r1-j1-entity.journal" >"$work/events.entity"
    equal "${name%:*}: the pages are the same" "$work/events.judge" "$work/events.entity"
done
mkdir "$work/all"
for name in spare one two; do
    mkdir "$work/all/$name"
    cp "$work/$name/records"/r1-j1-* "$work/all/$name"
done
ok 'the records are collected' quiet "$bl" contest collect "$work/contest.db" "$work/all"
ok 'and nothing is wrong with them' quiet "$bl" contest verify "$work/contest.db" --records "$work/all"
plan
