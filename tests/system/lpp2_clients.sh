#!/bin/bash
# Clients of LPP v2 that are not socket.io's own: what they need is there, and whoever is not let in is
# told of on the record, with the reason.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/lpp2.sh

round=clients
port=$(free_port)
cable line
terminal --session "$round"
echo 'wait 600000' >"$work/judge.script"
start judge judge --left "serial:$work/line.a" --session "$round" --headless --json --journal judge \
    --script "$work/judge.script"
answers() { (exec 3<>"/dev/tcp/127.0.0.1/$port"); }
ok 'the server listens' eventually answers
client() { python3 tests/system/lpp2_clients.py "$port" "$1"; }
recorded() { ok "$1" eventually says "$work/entity/$round-entity.journal" ignored "$2"; }

is 'a session is named by a cookie, too, and headers as people write them' "$(client cookie)" \
    $'Set-Cookie: io=\nContent-Type: \nContent-Length: '
is 'a WebSocket of socket.io 3 or 4 is refused' "$(client revision)" 400
recorded 'with the reason' 'it speaks another Engine.IO than 3, that of socket.io-client 1.x and 2.x: 3.x and 4.x speak 4'
is 'a page finds no script' "$(client script)" 404
recorded 'and it is said which' '/socket.io/socket.io.js is asked for, which is not here'
is 'a page needs a secret' "$(client null)" 404
recorded 'which is said' 'it is a page in a browser (Origin: null), which needs a secret'
if ((EUID == 0)); then
    is 'so does another user of this machine' "$(client stranger)" 404
    recorded 'who is named' 'it is a program of user 65534, who needs a secret'
else
    skip 'another user of this machine' 'only root can be another user'
fi
plan
