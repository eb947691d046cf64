#!/bin/bash
# A judge practises between sessions: a program of ours answers, and nothing of it is kept.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh

mkdir "$work/stick" "$work/records"
printf '[place]\nformat = 1\nbooth = 1\nmachine = judge\n' >"$work/place.ini"
window judge 80 24 booth --place place.ini --tickets stick --journal records
reads 'a machine without tickets offers it' judge 'F2 practise'
practises() {
    keys judge F2
    pause 1.1 # a key at the board counts once nobody has typed for a second
    lacks judge 'F2 practise'
}
ok 'it begins by one key' eventually practises
reads 'and says what it is' judge 'Practice: a program of ours answers, and nothing is kept.'
eventually has judge ' open '
keys judge 'I am here.' Enter
reads 'the partner answers' judge 'How long have you been here?'
# Its machine loses its power, and is switched on again.
pid=$(window_pid judge)
kill -9 "$pid" "$(cat "/proc/$pid/task/$pid/children")"
eventually window_gone judge
window judge 80 24 booth --place place.ini --tickets stick --journal records
ok 'another practice' eventually eval 'has judge "F2 practise" && practises'
reads 'begins anew' judge 'Practice: a program of ours'
eventually has judge ' open '
ok 'with an empty page' lacks judge 'How long'
keys judge F10
reads 'it is left' judge 'leave'
keys judge leave Enter
reads 'and the machine waits as before' judge 'F2 practise'
is 'nothing of it is on record' "$(find "$work/records" -name '*practice*' -o -name '*.journal')" ''
ok 'nor waits for a stick' lacks judge 'on no stick yet'
plan
