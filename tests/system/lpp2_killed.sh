#!/bin/bash
# What an Entry of LPP v2 sends is read by a process of its own, beside the entity's terminal: it is
# killed in the middle of a round, and so is the terminal. The Entry comes back, and nothing is lost.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/lpp2.sh

entry_command=(python3 tests/support/lpp2_client.py)
cable line
round=killed
port=$(free_port)
door=$port
gone() { [[ ! -e /proc/$1 ]]; }
cat >"$work/judge.script" <<'END'
pace 5
type "One\n"
await-turn 300 60000
type "Two\n"
await-turn 300 60000
type "Three\n"
await-turn 300 60000
END
terminal --session "$round"
ok 'a process of its own serves the Entry' eventually serves
ok 'that one listens' test "$(listens "$(server)")" -gt 0
is 'the terminal listens nowhere' "$(listens "${pid_of[entity]}")" 0
entry polling,websocket
start_judge
eventually judge_has 'Answer 1: you said "One".'
whole='Judge: One
Entity: Answer 1: you said "One".
Judge: Two
Entity: Answer 2: you said "Two".
Judge: Three
Entity: Answer 3: you said "Three".'
was=$(server)
kill -9 "$was"
ok 'killed, that is on record' eventually says "$work/entity/$round-entity.journal" entry \
    'boothlink-lpp2 has ended, signal 9; it is started again'
eventually judge_has 'Answer 2: you said "Two".'
was=$(server)
slay entity
ok 'it ends with its terminal' eventually gone "$was"
terminal --session "$round"
ended judge
is "the judge's end ends well" $? 0
ended entity
is "the entity's end ends well" $? 0
is 'each line once, none lost' "$(conversation judge)" "$whole"
is 'the Entry stays in its round' "$(grep -c '^control newRound' "$work/client")" 1
client_goes

if ! unshare -Urnm true 2>/dev/null; then
    skip 'the same of an Entry in its sandbox' 'namespaces are not allowed'
    plan
fi
round=boxed
mkdir "$work/entrant"
cp tests/support/lpp2_client.py "$work/entrant"
start entity entity --line "serial:$work/line.b" --journal entity --headless --json --session "$round" \
    --lpp2 8080 --folder "$work/entrant" \
    --program 'exec python3 lpp2_client.py http://127.0.0.1:8080 ai0 x websocket'
start_judge
eventually judge_has 'Answer 1: you said "One".'
kill -9 "$(server)"
ended judge
is "in the sandbox: the judge's end ends well" $? 0
ended entity
is "in the sandbox: the entity's end ends well" $? 0
is 'in the sandbox: each line once, none lost' "$(conversation judge)" "$whole"
plan
