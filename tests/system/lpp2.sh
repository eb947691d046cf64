#!/bin/bash
# An Entry of 2016 to 2019, which is an unmodified client of socket.io-client 2.x, under a judge at a
# serial line: it registers, converses for a whole round, is cut off and comes back, by polling, over a
# WebSocket and from the one to the other; and a kill of our terminal.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/lpp2.sh
. tests/support/npm.sh

refused() { # DESCRIPTION WHAT OPTION...
    is "$1" "$(booth entity --line serial:/dev/null --headless --journal none "${@:3}" 2>&1; echo $?)" \
        "boothlink entity: $2"
}
printf '\nsecret\n' >"$work/empty"
printf 's3cret\n' >"$work/secret"
refused 'a port that is none' \
    "--lpp2 70000: expected PORT, 1 to 65535, or ADDRESS:PORT, as 192.168.7.1:8080
64" --lpp2 70000
refused 'an address that is none' \
    "--lpp2 entry:8080: expected PORT, 1 to 65535, or ADDRESS:PORT, as 192.168.7.1:8080
64" --lpp2 entry:8080
refused 'other machines need a secret' \
    "--lpp2 0.0.0.0:8080: other machines reach that address, so it needs a secret: --lpp2-secret FILE
64" --lpp2 0.0.0.0:8080
refused 'a secret has to be one' "$work/empty:1: expected a secret of 1 to 64 bytes
65" --lpp2 8080 --lpp2-secret "$work/empty"
refused 'a secret of nothing' '--lpp2-secret: expected it beside --lpp2 PORT
64' --keyboard --lpp2-secret "$work/secret"
refused 'an address in the sandbox' "--lpp2 0.0.0.0:8080: an Entry in the sandbox reaches us at \
127.0.0.1 alone; expected --lpp2 PORT
64" --lpp2 0.0.0.0:8080 --lpp2-secret "$work/secret" --program true
refused 'both versions' "expected one of --program 'CMD', --lpp DIR, --lpp2 PORT, --web URL, --cgi 'CMD', --chat URL and --keyboard
64" --lpp2 8080 --lpp "$work"

needs_npm 'an Entry of 2016 to 2019'

entry_command=(node tests/npm/entry.js)
cable line

# Our terminal is killed in the middle of a round: the Entry stays, and comes back to the next one.
round=killed
port=$(free_port)
door=$port
cat >"$work/judge.script" <<'END'
pace 5
type "One\n"
await-turn 1500 20000
type "Two\n"
await-turn 300 20000
END
terminal --session "$round" --lpp2-secret "$work/secret"
entry websocket wrong
ok 'an Entry with another secret is told so' eventually heard 'AuthError Invalid secret'
client_goes
entry websocket s3cret
ok 'the one with the secret is let in' eventually heard 'round -1 Not Started'
is 'and hears of no error' "$(grep -c Error "$work/client")" 0
start_judge
eventually judge_has 'Answer 1: you said "One".'
slay entity
eventually judge_has 'Judge: Two'
terminal --session "$round" --lpp2-secret "$work/secret"
ended judge
is 'the judge ends well' $? 0
ended entity
is 'the terminal that was started again, too' $? 0
is 'a kill -9: each line once, none lost' "$(conversation judge)" 'Judge: One
Entity: Answer 1: you said "One".
Judge: Two
Entity: Answer 2: you said "Two".'
is 'the Entry stays in its round' "$(grep -c '^control newRound' "$work/client")" 1
client_goes

# What is started here has that one port in its sandbox.
mkdir "$work/entrant"
cp -r tests/npm/entry.js build-npm/node_modules "$work/entrant"
round=boxed
start entity entity --line "serial:$work/line.b" --journal entity --headless --json --lpp2 8080 \
    --folder "$work/entrant" --program 'exec node entry.js http://127.0.0.1:8080 ai0 x polling,websocket'
start_judge
ended judge
is 'in the sandbox: the judge ends well' $? 0
ended entity
is 'in the sandbox: the entity ends well' $? 0
is 'in the sandbox: it converses' "$(conversation judge)" 'Judge: One
Entity: Answer 1: you said "One".
Judge: Two
Entity: Answer 2: you said "Two".'

for way in ${WAYS:-polling websocket polling,websocket}; do
    a_round "$way"
done
plan
