#!/bin/bash
# Readiness (DESIGN.md, "Blindness"): an Entry that ends before it is ready keeps nobody waiting.
# world/test_ready has those that take their time.
. tests/tap.sh
. tests/support/booth.sh

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
