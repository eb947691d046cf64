#!/bin/bash
# An Entry behind a server as it is installed, under a system manager: its unit has no network, and
# boothlink-server@, which has one, reaches the one address that it was given and no other.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/systemd.sh
trap 'system_end; cleanup' EXIT

if ! system_may_be; then
    skip 'the unit of a server' "a system manager of the test's own needs root, namespaces and control groups"
    plan
fi
cp tests/entrants/chat_server.py "$work/server.py"
: >"$work/model.log"
: >"$work/faults"
python3 "$work/server.py" 0 "$work/model.log" "$work/faults" >"$work/model.port" &
pid_of[model]=$!
python3 -c '
import socket
s = socket.socket()
s.bind(("", 0))
s.listen(16)
print(s.getsockname()[1], flush=True)
while True:
    c = s.accept()[0]
    c.sendall(b"reached\n")
    c.close()' >"$work/any.port" &
pid_of[any]=$!
ok 'a model and a stranger are there' eventually test -s "$work/model.port" -a -s "$work/any.port"
port=$(<"$work/model.port") any=$(<"$work/any.port")

cable line
chmod 666 "$(readlink -f "$work/line.b")" "$work"/*.shm
mkdir -p "$work/state" "$work/units"
chmod 777 "$work/state"
printf -- '---\ngap: 0\n---\nYou are Ann.\n' >"$work/persona.txt"

# allowed NAME SERVER ADDRESS: what the machine's owner writes.
allowed() {
    mkdir -p "$work/units/boothlink-server@$1.service.d"
    printf '[Service]\nEnvironment=SERVER=%s\nIPAddressAllow=%s\n' "$2" "$3" \
        >"$work/units/boothlink-server@$1.service.d/override.conf"
}
allowed tty1 "127.0.0.1:$port" 127.0.0.1
allowed right "127.0.0.2:$any" 127.0.0.2
allowed wrong "127.0.0.2:$any" 127.0.0.1
cat >"$work/ask.py" <<'PYTHON'
import socket, sys
for name in ("right", "wrong", "unset"):
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(30 if name == "right" else 5)
    try:
        s.connect(f"/run/boothlink/{name}.server")
        print(name, s.recv(100).decode().strip(), flush=True)
    except OSError as error:
        print(name, error, flush=True)
print("done", flush=True)
PYTHON
cat >"$work/units/ask.service" <<EOF
[Unit]
After=boothlink-server@right.socket boothlink-server@wrong.socket boothlink-server@unset.socket
[Service]
User=boothlink-entry
ExecStart=/usr/bin/python3 $work/ask.py
StandardOutput=file:$work/asked
EOF
# The terminal, without a console.
cat >"$work/units/terminal.service" <<EOF
[Unit]
After=boothlink-entry@tty1.socket boothlink-server@tty1.socket
[Service]
User=boothlink
Environment=LANG=C.UTF-8 BOOTHLINK_SIM=$cables BOOTHLINK_SIM_PASS=1 LD_PRELOAD=$sim/shim.so ASAN_OPTIONS=$ASAN_OPTIONS
ExecStart=/usr/bin/boothlink entity --line serial:$work/line.b --session chat --headless \\
    --chat http://127.0.0.1:$port --persona $work/persona.txt \\
    --journal $work/state --keeper /run/boothlink/tty1.entry
StandardOutput=file:$work/terminal.out
StandardError=file:$work/terminal.err
EOF
system_boot boothlink-entry@tty1.socket boothlink-server@{tty1,right,wrong,unset}.socket ask.service terminal.service
booted() { [[ -s $work/asked ]] || ! runs system; }
eventually booted
[[ -s $work/asked ]] || sed "s/^/# /" "$work/system.log"
ok 'a system manager runs' eventually grep -q ^done "$work/asked"
is 'a unit reaches the address that it was given' "$(grep ^right "$work/asked")" 'right reached'
lacks_word() { ! grep "^$1" "$work/asked" | grep -q reached; }
ok 'one with another address allowed does not' lacks_word wrong
ok 'one without any address does not' lacks_word unset

printf 'pace 5\ntype "Hello there.\\n"\nwait 3600000\n' >"$work/judge.script"
(cd "$work" && BOOTHLINK_SIM=$cables LD_PRELOAD=$sim/shim.so exec "$bl" judge --left "serial:$work/line.a" \
    --starts either --session chat --headless --script "$work/judge.script" --journal "$work/judge") \
    </dev/null >"$work/judge.out" 2>&1 &
pid_of[judge]=$!
judge=$work/judge/chat-judge.journal
answered() { (($(typed_in "$judge" entity | grep -cx Return) >= 1)); }
ok 'the model answers the judge, through its own unit' eventually answered
stop judge
is 'with what it was told' "$("$bl" transcript convert "$judge" --to text | sed -n 's/^\[[^]]*\] *//; /^\(Judge\|Entity\): /p')" \
    'Judge: Hello there.
Entity: You say: Hello there.'
is 'and was asked once' "$(wc -l <"$work/model.log")" 1
plan
