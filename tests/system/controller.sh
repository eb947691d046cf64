#!/bin/bash
# The steward's command at a controller, its firmware's own binary: what it says in words and in
# JSON, with the next step, and its exit codes.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/controlled.sh

controller c '' ''
controller d '' ''
at=$work/c
name=$(tools/board.pl get "$board" name)

# The longest first, beside all others. A machine that has more to do may keep the simulator from
# keeping time at all: then it is measured again.
steward d drift 2000
is_stalled || for ((try = 0; try < 5; try++)); do
    ! booth controller calibrate "$work/d" --seconds 20 --json >"$work/calibration" || exit 0
done &
pid_of[calibration]=$!

# says_of COMMAND...: exit status, output and complaints of a command, in one line.
says_of() {
    local said status
    said=$(booth controller "$@" 2>&1)
    status=$?
    tr -s '\n ' ' ' <<<"$status $said"
}
# like DESCRIPTION TEXT PATTERN
like() {
    # shellcheck disable=SC2053 # the right side is a pattern
    [[ $2 == $3 ]]
    result $? "$1"
    # shellcheck disable=SC2053
    [[ $2 == $3 ]] || echo "# $2"
}

like 'a new one has no plan, and says what to do' "$(says_of status "$at")" \
    "0 *board $name, last reset POWER, calibration +0 *IDLE: has no plan *A cut, B cut *key RUN next *boothlink judge --controller*"
is 'in JSON too' "$(booth controller status "$at" --json |
    jq -c '[.board, .state, .key, .left_line_closed, .calibration]')" "[\"$name\",\"IDLE\",\"RUN\",false,0]"
like 'a plan is stored' "$(says_of plan "$at" --plan '300 left,300 right')" \
    '0 *the plan is stored in the controller*'
like 'and shown' "$(says_of status "$at")" '0 *READY: waits for the start *next*start*'
steward c key pause
ok 'the key is seen to be turned' eventually key_at c PAUSE
like 'nothing starts with the key at PAUSE' "$(says_of start "$at")" \
    '75 *key switch stands at PAUSE: turn it to RUN*'
like 'status names the key first' "$(says_of status "$at")" '0 *key PAUSE next turn the key switch*'
like 'so does the self-test' "$(says_of selftest "$at")" '75 *stands at PAUSE: turn it to RUN*'
steward c key run
ok 'and back' eventually key_at c RUN
like 'the self-test drives each relay' "$(says_of selftest "$at")" \
    '0 *A closes: one click*B closes*drove each relay as it should*'
booth controller selftest "$at" --json >"$work/selftest" &
pid_of[selftest]=$!
ok 'the left relay is seen to close' eventually is_closed c left
ok 'then the right one' eventually is_closed c right
ended selftest
is 'and so it says' "$? $(jq -c '[.left, .right, .open_otherwise, .ok]' "$work/selftest")" \
    '0 [true,true,true,true]'
like 'a plan runs by hand to its end' "$(says_of start "$at" --plan '5 left')" \
    '0 *started: part 1, 5.0 s left*left of part 1*cut: the time of part 1 is over*the plan is over*'

# Two at one controller.
start first controller start "$at" --plan '600 left'
ok 'a session runs' eventually is_closed c left
like 'a second program is told who has it' "$(says_of status "$at")" \
    "75 *held by *boothlink (pid ${pid_of[first]})*"
stop first
is 'left by hand, it says what happens' "$? $(grep -c 'lines are cut in 3 s' "$work/first.out")" \
    '0 1'
ok 'and the line is cut' eventually is_cut c left
like 'its session is not taken by another plan' "$(says_of plan "$at" --plan '5 right')" \
    '75 *another session is in the controller: to abort it, turn the key switch to PAUSE*'
like 'nor calibrated' "$(says_of calibrate "$at" --seconds 20)" '75 *a session is in the controller*'
start watch controller watch "$at" --json
ok 'but watched on' eventually grep -q '"happened": *"part 1 runs' "$work/watch.out"
steward c key pause
ok 'and seen' eventually grep -q 'pause: the key switch was turned' "$work/watch.out"
steward c button press
ended watch
is 'until the steward aborts it' "$? $(grep -c 'aborted at the controller' "$work/watch.out")" '0 1'
steward c button release
steward c key run

# What was measured is what was stored. How well is for a quiet machine to say.
if is_stalled; then
    skip 'a calibration ends well' 'a simulator that is stopped keeps no time'
else
    ended calibration
    is 'a calibration ends well' $? 0
    stored=$(jq .calibration "$work/calibration")
    is 'a clock that is fast is made slower by as much' "$stored" \
        "$(jq '.fast_ppm * 1000 | trunc | . * 4096 / 1000000 | trunc' "$work/calibration")"
    is_stored() { [[ $(booth controller status "$work/d" --json | jq .calibration) == "$stored" ]]; }
    ok 'that is stored' eventually is_stored
    steward d power off
    steward d power on
    ok 'and kept' eventually is_stored
fi

# What is wrong with a command line or a port.
like 'no port' "$(says_of status)" '64 *expected controller status PORT*'
like 'no such action' "$(says_of stats "$at")" '64 *no verb "stats"; did you mean "status"*'
like 'no such port' "$(says_of status "$work/none")" '66 *none*'
like 'a time too short' "$(says_of calibrate "$at" --seconds 5)" '64 *20 to 86400*'
like 'a plan too long' "$(says_of plan "$at" --plan '28800 left,300 right')" \
    '64 *5 s to 28800 s in all, this has 29100 s*'
cable mute
like 'something that does not answer' "$(says_of status "$work/mute.a")" \
    '69 *the controller does not answer: look at its cable*'
plan
