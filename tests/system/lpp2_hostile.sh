#!/bin/bash
# Hostile clients of LPP v2 over TCP while an honest Entry converses with a judge at a serial line:
# the session goes on after each attack, memory and connections are bounded, nothing reaches the judge
# but the Entry's messages, and the Entry's end has misbehaviour on its record.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/lpp2.sh

printf 's3cret\n' >"$work/secret"
cable line
round=hostile
port=$(free_port)
mapfile -t attacks < <(python3 tests/system/lpp2_hostile.py 0 0 - list)
{
    echo 'pace 1'
    for ((i = 0; i <= ${#attacks[@]}; i++)); do
        printf 'type "Line %d\\n"\nawait-turn %d 240000\n' "$i" $((${STALLED:-0} ? 10000 : 200))
    done
} >"$work/judge.script"
terminal --session "$round" --lpp2-secret "$work/secret"
ok 'the server is a process of its own' eventually serves
start_judge
results python3 tests/system/lpp2_hostile.py "$port" "$(server)" s3cret
ended judge
is "the judge's end ends well" $? 0
ended entity
is "the entity's end ends well" $? 0
is 'nothing reaches the judge but what the Entry says' "$(conversation judge)" "$(
    for ((i = 0; i <= ${#attacks[@]}; i++)); do
        printf 'Judge: Line %d\nEntity: After %s.\n' "$i" "${attacks[i]:-all}"
    done
)"
record=$work/entity/$round-entity.journal
count=$(notes "$record" ignored | wc -l)
echo "# $count notes of what was not taken"
ok 'the record is not filled' test "$count" -lt 100
while read -r what; do
    ok "on record: $what" says "$record" ignored "$what"
done <<'END'
a request that is too long
a request whose length is no number
a request without its length
a message that is too long
a message against the rules of WebSockets
nothing was asked over it
a client is sent away
no Engine.IO 3; use socket.io-client
what it sends is no payload of Engine.IO 3
what a client says is not taken
its secret is another one
it is not from the connection that registered last
END
plan
