#!/bin/bash
# Starting a session: F9 on a line that is not up is asked about, F9 that begins nothing says why, a
# ticket that begins when all are ready tells nothing of whom it waits for, an entity whose line is
# rightly cut waits its turn, and F9 with the controller unplugged is not on record.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh
. tests/support/controlled.sh

# seen WINDOW TEXT TIMES: on its screen, so often.
seen() { (($(screen "$1" | grep -oF -- "$2" | wc -l) == $3)); }

again='F9 once more begins all the same'

# Without a controller.
cable bare
window bare 80 24 judge --left "serial:$work/bare.a" --plan '30 left' --session bare \
    --journal j.bare --starts either
reads 'a session that F9 begins' bare 'press F9 to begin'
keys bare F9
reads 'F9 is asked about while the line is not up' bare "$again"
ok 'and the clock stands' has bare 'press F9 to begin'
start e.bare entity --line "serial:$work/bare.b" --headless --journal e.bare --program 'sed -u s/^/So/'
reads 'with the line up' bare ' connected '
keys bare F9
reads 'F9 begins' bare ' open '
keys bare F9
reads 'F9 that begins nothing says why' bare 'The session has begun already.'
window_close bare
slay e.bare
slay bare

# A second yes.
cables=
cable sure
window sure 80 24 judge --left "serial:$work/sure.a" --plan '30 left' --session sure --journal j.sure
reads 'once more, with nobody there' sure 'press F9 to begin'
keys sure F9
reads 'F9 is asked about' sure "$again"
keys sure F9
reads 'and begins at the second yes' sure 'you type here'
window_close sure
slay sure

# With a controller, whose lines are cut before it begins.
cables=
cable left
cable right
controller c left right
steward c key pause
ok 'a key is turned' eventually key_at c PAUSE
window judge 100 24 judge --left "serial:$work/left.a" --right "serial:$work/right.a" \
    --controller "$work/c" --plan '10 left,10 right' --starts either --session one --journal j.one
reads 'with the key at PAUSE' judge 'turn it to RUN'
keys judge F9
steward c key run
reads 'nothing has begun' judge 'press F9 to begin'
keys judge F9
one=$work/j.one/one-judge.journal
ok 'on a line that is not up the clock does not start' eventually did "$one" \
    'a line of the first part is not connected: the clock does not start'
reads 'F9 is asked about here too' judge "$again"
is 'no second was counted' "$(left_of "$one" 1 | sort -u)" ''
start e.left entity --line "serial:$work/left.b" --headless --journal e.left --program 'sed -u s/^/So/'
window entity 80 24 entity --line "serial:$work/right.b" --keyboard --controlled --session one \
    --journal e.right
reads 'an entity whose line is rightly cut' entity 'not your part yet'
ok 'is not told of a fault' lacks entity 'CANNOT BE REACHED'
keys judge F9
reads 'with the line up it begins' judge 'LEFT · part 1 of 2'
ok 'with all its time' eventually did "$one" 'part 1 runs, 10.0 s left'
keys judge F2
reads 'F2 to a side that is not open says so' judge 'The other side is not open now'
ok 'and leaves the judge where he is' has judge 'LEFT » you type here'
reads 'and the other waits' entity 'not your part yet'
reads 'until it is its turn' entity ' open '
ok 'it ends' eventually did "$one" 'the plan is over'
window_close judge
window_close entity
slay e.left

# The next session on that controller, with the same plan, by a ticket that begins by itself.
cat >"$work/ready.ini" <<INI
[ticket]
format = 1
role = judge
session = two
[line.left]
port = serial:$work/left.a
[line.right]
port = serial:$work/right.a
[controller]
port = serial:$work/c
[rules]
plan = 10 left,10 right
begin = ready
INI
window judge 100 24 judge --ticket ready.ini --journal j.two
shows_starting() { seen judge ' starting ' 2; }
ok 'the next session is starting, on both sides' eventually shows_starting
two=$work/j.two/two-judge.journal
ok 'and waits for a line' eventually did "$two" 'a line of the first part is not connected'
ok 'which is not told' shows_starting
ok 'nor anything of the last session' lacks judge 'over'
start e.left entity --line "serial:$work/left.b" --headless --journal e.left --program 'sed -u s/^/So/'
ok 'it begins when the line is there' eventually did "$two" 'part 1 runs, 10.0 s left'
reads 'and is open' judge ' open '
window_close judge
slay e.left

# The controller is unplugged when all is ready.
cables=
cable gone
controller g gone ''
window judge 100 24 judge --left "serial:$work/gone.a" --controller "$work/g" --plan '10 left' \
    --starts either --session four --journal j.four
reads 'the controller is ready' judge 'press F9 to begin'
slay g
rm -f "$work/g" # as udev does: its pty's number may soon be another test's
on_screen lacks 'unplugged, F9 is not offered' judge 'press F9 to begin'
keys judge F9
keys judge F12
reads 'and pressed all the same' judge 'You have called the steward.'
four=$work/j.four/four-judge.journal
is 'it is not on record as a beginning' "$(entries "$four" 'select(.kind == "segment")')" ''
ok 'what is wrong is said' has judge "$work/g"
controller g gone ''
reads 'plugged in again, F9 begins' judge 'press F9 to begin'
keys judge F9
ok 'and that is on record' eventually did "$four" 'started: part 1'
window_close judge
slay g

# On a day an entity whose last part was cut with its end untold is over by one key.
cables=
cable last
controller d last ''
window judge 80 24 judge --left "serial:$work/last.a" --controller "$work/d" --plan '6 left' \
    --starts either --begin ready --session three --journal j.three
window day 80 24 entity --line "serial:$work/last.b" --keyboard --controlled --session three \
    --day --journal e.three
reads 'the only part is open' day ' open '
kill -9 "$(window_pid judge)"
reads 'cut with its end untold, the entity says what to do' day 'Is the session over? Then press F9.'
keys day F9
ok 'one key ends it' eventually window_gone day
three=$work/e.three/three-entity.journal
ok 'and the record says who said so' says "$three" controller 'an attendant says that the session is over'
is 'it is over for this machine' "$(entries "$three" 'select(.kind == "segment") | .state' | tail -n 1)" finished
plan
