#!/bin/bash
# A stick that is taken out just while a booth begins to watch its place anew: the screen sees that it
# is gone, and does not stay at "The stick may be taken out". And one where nothing can be watched.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/venue.sh
export ASAN_OPTIONS=detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS} # cannot look under strace
. tests/support/windows.sh

if ! strace -o "$work/trace" true 2>"$work/why"; then
    skip 'a stick is taken out' "strace may not trace here: $(head -n 1 "$work/why")"
    plan
    exit
fi
template loebner-2009 2
venue_setup >/dev/null || exit
mkdir "$work/machine"
printf '[place]\nformat = 1\nbooth = 1\nmachine = judge\n' >"$work/machine/place.ini"

# booth NAME INJECT: its screen, with that done to the system calls of its watches.
booth() {
    tm new-session -d -s "$1" -x 80 -y 24 "cd '$work/machine' && exec strace -qq -f -o /dev/null \
        -e trace=${2%%:*} -e inject=$2 \
        '$bl' booth --place place.ini --tickets stick --journal records --kiosk"
    reads "$1: it waits for its tickets" "$1" 'booth 1, judge'
}
put_in() { ln -s "$work/sticks/judges-room" "$work/machine/stick"; }
taken() { compgen -G "$work/machine/records/booth-1-judge/*.ticket"; }
sees_none() { lacks "$1" 'Leave the stick in' && lacks "$1" 'may be taken out'; }

# Each time that a watch is given up to be made anew lasts three seconds: in that time the stick goes.
booth slow inotify_rm_watch:delay_enter=3000000
put_in
reads 'the stick is read' slow 'Leave the stick in'
ok 'its tickets are taken' eventually taken
rm "$work/machine/stick"
ok 'the screen sees that it is gone' eventually sees_none slow
put_in
reads 'and that it is there again' slow 'The stick may be taken out'
tm kill-session -t slow

# Where the machine has no watch left.
rm -r "$work/machine/stick" "$work/machine/records"
booth blind inotify_init1:error=EMFILE
put_in
reads 'a stick is seen without a watch' blind 'The stick may be taken out'
ok 'and read' taken
rm "$work/machine/stick"
ok 'and seen to be gone' eventually sees_none blind
plan
