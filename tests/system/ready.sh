#!/bin/bash
# Readiness (DESIGN.md, "Blindness"): a program that takes its time is not told from a keyboard by
# anything on the judge's screen, and one that ends before it is ready keeps nobody waiting.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh
. tests/support/controlled.sh

# A program that is ready when there is a file, and then repeats what it reads.
slow() { echo "until [ -e $1 ]; do sleep 0.05; done; exec cat"; }

# shows WINDOW TEXT TIMES: on its screen, so often.
shows() { (($(screen "$1" | grep -oF -- "$2" | wc -l) == $3)); }

# sees DESCRIPTION TEXT: waits until the judge's screen has it for both sides.
sees() {
    local status
    eventually shows judge "$2" 2
    status=$?
    result $status "$1"
    ((status == 0)) || screen judge | sed 's/^/# /'
}

# The judge's screen without the page, which has one key on one side.
look() { screen judge | sed 's/\bx\b//; s/  */ /g; s/ $//'; }
looks() { look | cmp -s - "$1"; }
steady() {
    look >"$work/waiting"
    pause 0.2
    looks "$work/waiting"
}

# round SLOW OTHER: a session with a slow program on one side and a person on the other.
round() {
    local slow=$1
    cable left
    cable right
    window judge 100 24 judge --left "serial:$work/left.a" --right "serial:$work/right.a" \
        --starts either --session "$slow" --journal "$slow.judge"
    window person 80 24 entity --line "serial:$work/$2.b" --keyboard --journal "$slow.person"
    start program entity --line "serial:$work/$slow.b" --journal "$slow.program" --headless \
        --program "$(slow "$work/$slow.go")" --no-sandbox
    sees "slow on the $slow: both lines are there" '  connected'
    # The person's end has told that it is ready when a key of it has come through.
    reads 'the person may type' person ' open '
    keys person -l x
    reads 'and does' judge ' x '
    sees 'both sides are shown as open' ' open '
    ok 'and nothing is said of readiness' lacks judge ' ready'
    if [[ ! -e $work/waiting ]]; then
        eventually steady
    else
        ok 'it tells nothing of which side waits' eventually looks "$work/waiting"
    fi
    : >"$work/$slow.go"
    sees 'as they are when the program is ready' ' open '
    window_close judge
    window_close person
    stop program
    slay left
    slay right
}
round left right
round right left

# A controller cuts the other line, so that nobody knows of both entities: its part opens as soon as the
# line is there, and what the judge types meanwhile is there when the program is.
cable line
controller clock line ''
window judge 80 24 judge --left "serial:$work/line.a" --controller "serial:$work/clock" \
    --plan '600 left' --begin ready --session timed --journal timed.judge
start program entity --line "serial:$work/line.b" --journal timed.program --headless \
    --program "$(slow "$work/timed.go")" --no-sandbox
reads 'with a controller the part opens while the program takes its time' judge ' open '
keys judge -l hello
keys judge Enter
ok 'the judge may type' eventually shows judge hello 1
ok 'and is told nothing of the program' lacks judge 'ready'
: >"$work/timed.go"
ok 'which has it when it is ready' eventually shows judge hello 2
window_close judge
stop program
slay clock
slay line

# A judge without a screen, whose Entry ends before it was ready.
printf 'pace 5\ntype Hello.\\n\n' >"$work/judge.script"
cable line
start judge judge --left "serial:$work/line.a" --headless --journal judge --script \
    "$work/judge.script" --session gone
start program entity --line "serial:$work/line.b" --journal entity --headless \
    --program 'exec false'
ended judge
is 'an Entry that has ended keeps no judge waiting' $? 0
judge=$work/judge/gone-judge.journal
is 'the judge has had the word' "$(typed judge < <(events "$judge") | wc -l)" 7
ended program
is 'and the other end too' $? 0
ok 'where the outcome is on record' says "$work/entity/gone-entity.journal" entry 'exited with code 1'
plan
