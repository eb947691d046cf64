#!/bin/bash
# Clients of LPP v2 that are not socket.io's own: what they need is there, and whoever is not let in is
# told of on the record and on the screen, with the reason.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh
. tests/support/lpp2.sh

round=clients
port=$(free_port)
cable line
window entity 80 24 entity --line "serial:$work/line.b" --journal entity --lpp2 "$port" --session "$round"
echo 'wait 3600000' >"$work/judge.script"
start judge judge --left "serial:$work/line.a" --session "$round" --headless --json --journal judge \
    --script "$work/judge.script"
answers() { (exec 3<>"/dev/tcp/127.0.0.1/$port"); }
ok 'the server listens' eventually answers
client() { python3 tests/system/lpp2_clients.py "$port" "$1"; }
recorded() { # WHAT TEXT: which is a note, and to be read
    ok "$1" eventually says "$work/entity/$round-entity.journal" ignored "$2"
    reads "$1, on the screen" entity "$2"
}

is 'a session is named by a cookie, too, and headers as people write them' "$(client cookie)" \
    $'Set-Cookie: io=\nContent-Type: \nContent-Length: '
is 'one frame comes a read, for clients that take no more' "$(client frames)" True
is 'a WebSocket of socket.io 3 or 4 is refused' "$(client revision)" 400
recorded 'with the reason' 'not let in: no Engine.IO 3; use socket.io-client 1.x or 2.x'
is 'a page finds no script' "$(client script)" 404
recorded 'and it is said which' 'not here: /socket.io/socket.io.js; a page brings its scripts'
is 'a page needs a secret' "$(client null)" 404
recorded 'which is said' 'not let in: a page needs a secret (Origin: null)'
if ((EUID == 0)); then
    is 'so does another user of this machine' "$(client stranger)" 404
    recorded 'who is named' 'not let in: a program of user 65534, who needs a secret'
else
    skip 'another user of this machine' 'only root can be another user'
fi
plan
