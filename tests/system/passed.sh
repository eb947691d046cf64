#!/bin/bash
# A session is over for a machine only where another machine has held it, or it was begun here and left; by a
# word, until it is taken up again, and the session that takes its place is held all the same.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh
. tests/support/journals.sh
. tests/support/venue.sh

template loebner-2009 1
venue_setup >/dev/null || exit
mkdir "$work/records"
printf '[place]\nformat = 1\nbooth = 1\nmachine = judge\n' >"$work/place.ini"
opened() { window judge 100 24 booth --place place.ini --tickets stick --journal records; }
# asked KEY WORDS: the board takes a key once nobody has typed for a second. A second one would take back
# what the first has asked, so the answer is waited for, in the time of `eventually`.
asked() {
    local look
    for look in {0..30}; do
        ((look != 1)) || { pause 1.1 && keys judge "$1"; }
        ! has judge "$2" || return 0
        pause 0.1
    done
    ((waiting_ms -= 4000))
    return 1
}
opened
ln -s "$work/sticks/judges-room" "$work/stick"
reads 'the tickets come' judge 'Round 1 comes next.'
ok 'the board says nothing of passing over' lacks judge F8
pause 1.1
keys judge F8 over Enter
stick=$work/sticks/judges-room/boothlink/records/booth-1-judge
mkdir -p "$stick"
journal judge r1-j1 'it began' >"$stick/r1-j1-judge.journal"
touch_stick() { rm "$work/stick" && ln -s "$work/sticks/judges-room" "$work/stick"; }
touch_stick
reads 'the stick is read' judge 'The stick may be taken out.'
# By now the keys have been read, too.
ok 'F8 and a word do nothing' has judge 'Round 1 comes next.'
ok 'and nothing is over that nobody has held' test ! -e "$work/records/r1-j1.over"
ok 'a record that is not over offers nothing' lacks judge F8
rm "$stick/r1-j1-judge.journal" && mkfifo "$stick/r1-j1-judge.journal"
touch_stick
reads 'nor does one that is no file' judge 'The stick may be taken out.'
rm "$stick/r1-j1-judge.journal"
journal judge r1-j1 finished >"$stick/r1-j1-judge.journal"
touch_stick
reads 'the dead machine'"'"'s record offers it' judge 'Another machine has held it'
rm "$work/stick"
reads 'without the stick too' judge 'F8: it is over for this machine.'
ok 'F8 asks' eventually asked F8 'is it over for this machine?'
keys judge Enter
reads 'Enter alone returns' judge 'Round 1 comes next.'
is 'and nothing is over' "$(find "$work/records" -name '*.over')" ''
ok 'F8 asks again' eventually asked F8 'is it over for this machine?'
keys judge over Enter
reads 'the word is taken' judge 'All sessions of this place are over.'
reads 'and can be taken back' judge 'F9 takes it up again.'
ok 'F9 asks' eventually asked F9 'is it held here again?'
keys judge Enter
reads 'F9 alone takes nothing up' judge 'All sessions of this place are over.'
ok 'F9 asks again' eventually asked F9 'is it held here again?'
keys judge again Enter
reads 'the word takes it back' judge 'Round 1 comes next.'
ok 'once more' eventually asked F8 'is it over for this machine?'
keys judge over Enter
reads 'it is over' judge 'All sessions of this place are over.'
again() { (cd "$work" && "$bl" booth --journal records --again "$1" 2>&1); }
is 'a command takes it back, too' "$(again r1-j1; echo $?)" 0
is 'once' "$(again r1-j1 | grep -c 'nobody said')" 1
is 'and no other file' "$(again ../r1-j1 | grep -c 'expected 1 to')" 1
ok 'one more time' touch "$work/records/r1-j1.over"

# The manager has it held again: it comes by its new name.
contest() { "$bl" contest "$1" "$work/contest.db" "${@:2}"; }
quiet contest begin 1
quiet contest repeat r1-j1 --why 'passed over'
quiet contest tickets
ln -s "$work/sticks/judges-room" "$work/stick"
reads 'a repeated session is held' judge 'Round 1, held again comes next.'
plan
