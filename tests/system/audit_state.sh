#!/bin/bash
# An audit of blindness that was ended goes on with the rounds that it has kept: those of the same
# programs, without a line that a kill has cut. A long audit is tried with no more than that.
. tests/tap.sh

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# state PYTHON: with `state`, that of the file
state() {
    BUILD=${build:-$BUILD} WORK=$work PYTHONPATH=tests/audit python3 -B -c '
import os, state as module
path = os.environ["WORK"] + "/rounds"
state = module.State(path)
'"$1"
}

state 'state.keep("open, hub", [False, [], {"pty": 1}]); state.keep("open, hub", [False, [], {"pty": 2}])'
state 'state.keep("paste, hub", [True, [], {}]); state.keep("paste, hub", [False, ["stuck"], {}])'
is 'its rounds are found again, in their order, beside those of another run; one that was stuck is not' \
    "$(state 'print(state.found, [r[2]["pty"] for r in state.rounds("open, hub")], state.rounds("paste, hub"))')" \
    '3 [1, 2] [[True, [], {}]]'
is 'and none where none was played' "$(state 'print(len(state.rounds("open, serial")))')" 0
truncate -s -4 "$work/rounds"
is 'a line that was cut is none' "$(state 'print(state.found)')" 2
state 'state.keep("paste, hub", [True, [], {}])'
is 'and the next follows the last whole one' "$(state 'print(state.found)')" 3
mkdir -p "$work/build/sim" "$work/build/tests/audit"
is 'rounds of other programs are none' "$(build=$work/build state 'print(state.found)')" 0
rm -r "$work/build"
state 'state.keep("open, hub", [False, [], {}]); state.end(True)' >"$work/said"
is 'an audit with a round that was stuck says that the next one plays it again' \
    "$(cat "$work/said"; rm "$work/said"; ls "$work")" \
    $'# the next audit plays the rounds again that were stuck\nrounds'
state 'state.end(False)'
is 'an audit whose rounds all counted is laid aside' "$(ls "$work")" rounds.done
plan
