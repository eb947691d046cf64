#!/bin/bash
# A steward's call: it lights and sounds the controller's box, stays at both ends and on record until
# it is taken back, kill -9 or not, and does not tell the judge who calls. F1 twice calls nobody.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh
. tests/support/controlled.sh

cable left
cable right
controller c left right
judge_window() {
    window "$1" 100 24 judge --left "serial:$work/left.a" --right "serial:$work/right.a" \
        --controller "$work/c" --plan '600 left,600 right' --starts either --session one --journal j
}
entity_window() {
    window "$1" 80 24 entity --line "serial:$work/left.b" --keyboard --controlled --journal e
}
judge_window judge
entity_window entity
reads 'the controller is ready' judge 'press F9 to begin'
keys judge F9
reads 'the part is open' entity ' open '
judge=$work/j/one-judge.journal
entity=$work/e/one-entity.journal
called='You have called the steward: please wait.'

# lamps: BREAK and FAULT light by turns when the steward is called; else neither does in a part.
lit() {
    local status
    status=$("$sim/controller" --control "$work/c.control" --send status)
    [[ $status =~ \"lamps\":\ ?([0-9]+) ]] && ((BASH_REMATCH[1] & $1))
}
by_turns() { eventually lit 4 && eventually lit 8 && eventually lit 16; }
is_dark() {
    local i
    for ((i = 0; i < 20; i++)); do
        ! lit 4 && ! lit 8 || return 1
        pause 0.05
    done
}

# F1 opens the help, F1 again closes it.
keys entity F1
reads 'the help is open' entity 'call the steward, or not'
keys entity F1
closed() { lacks "$1" 'call the steward, or not'; }
ok 'F1 once more closes it' eventually closed entity
keys judge F1
reads "and the judge's" judge 'call the steward, or not'
keys judge F1
ok 'is closed alike' eventually closed judge
is 'nobody was called' "$(notes "$judge" steward)$(notes "$entity" steward)" ''
ok 'and the box shows nothing' is_dark

keys entity F12
reads "the entity's terminal says that it has called" entity "$called"
reads 'the judge reads that he comes' judge 'The steward is coming.'
ok 'and not which side has called' lacks judge 'LEFT calls'
screen judge | grep -F 'steward is coming' >"$work/by-entity"
ok 'the box lights and sounds' by_turns
kill -9 "$(window_pid entity)"
entity_window again
reads 'a terminal that was killed has the call again' again "$called"
reads 'and so has the judge' judge 'The steward is coming.'
ok 'the box, too' by_turns
keys again F12
ok 'it is taken back there' eventually lacks again "$called"
ok 'and here' eventually lacks judge 'The steward is coming.'
ok 'and at the box' eventually is_dark
is "the entity's record has both" "$(notes "$entity" steward | paste -sd '|')" \
    'the steward is called|the call is taken back'

keys judge F12
reads 'the judge calls' judge "$called"
reads 'the entity reads the same words as the judge did' again 'The steward is coming.'
ok 'and the box shows the same' by_turns
kill -9 "$(window_pid judge)"
judge_window second
reads "the judge's terminal has it again" second "$called"
reads 'and the entity' again 'The steward is coming.'
ok 'and the box' by_turns
keys second F12
ok 'taken back' eventually lacks second "$called"
ok 'at the box, too' eventually is_dark
plan
