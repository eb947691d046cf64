#!/bin/bash
# A stick that is taken out just while a booth begins to watch its place anew: the screen sees that it
# is gone, and does not stay at "The stick may be taken out".
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh
export ASAN_OPTIONS=detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS} # cannot look under strace

"$bl" contest template --ruleset loebner-2009 --booths 2 "$work" >/dev/null
sed -i -E 's/^name =$/name = A contest/; s/^(entry[0-9]+)\.submitter =$/\1.submitter = S \1/
    s/^(judge|entry|confederate)([0-9]+) =$/\1\2 = The \1 \2/' "$work/people.ini"
"$bl" contest setup "$work/people.ini" "$work/venue.ini" >/dev/null || exit
mkdir "$work/machine"
printf '[place]\nformat = 1\nbooth = 1\nmachine = judge\n' >"$work/machine/place.ini"

# Each time that a watch is given up to be made anew lasts two seconds: in that time the stick goes.
tm new-session -d -s booth -x 80 -y 24 "cd '$work/machine' && exec strace -qq -f -o /dev/null \
    -e trace=inotify_rm_watch -e inject=inotify_rm_watch:delay_enter=2000000 \
    '$bl' booth --place place.ini --tickets stick --journal records --kiosk"
taken() { compgen -G "$work/machine/records/booth-1-judge/*.ticket"; }
sees_none() { lacks booth 'Leave the stick in' && lacks booth 'may be taken out'; }
reads 'the booth waits for its tickets' booth 'booth 1, judge'
ln -s "$work/sticks/judges-room" "$work/machine/stick"
reads 'the stick is read' booth 'Leave the stick in'
ok 'its tickets are taken' eventually taken
rm "$work/machine/stick"
ok 'the screen sees that it is gone' eventually sees_none
ln -s "$work/sticks/judges-room" "$work/machine/stick"
reads 'and that it is there again' booth 'The stick may be taken out'
plan
