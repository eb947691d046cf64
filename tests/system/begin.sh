#!/bin/bash
# The next session on a controller, with the same plan, by a ticket that begins when all are ready:
# it tells nothing of whom it waits for, nor of the last one. world/test_begin has the other beginnings.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh
. tests/support/controlled.sh

# seen WINDOW TEXT TIMES: on its screen, so often.
seen() { (($(screen "$1" | grep -oF -- "$2" | wc -l) == $3)); }

cable left
cable right
controller c left right
for side in left right; do
    start e.$side entity --line "serial:$work/$side.b" --headless --journal e.$side --program 'sed -u s/^/So/'
done
start j.one judge --left "serial:$work/left.a" --right "serial:$work/right.a" --controller "$work/c" \
    --plan '5 left,5 right' --begin ready --session one --journal j.one --headless
ended j.one
is 'a session is over' $? 0
slay e.left
slay e.right

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
plan = 5 left,5 right
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
ok 'it begins when the line is there' eventually did "$two" 'part 1 runs, 5.0 s left'
window_close judge
slay e.left
plan
