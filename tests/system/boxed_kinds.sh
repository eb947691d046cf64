#!/bin/bash
# The sandbox of each kind of Entry: a stand-in for the program in there, ours or the entrant's, tries
# what is none of its business. Of all sockets it reaches the one that was named, and of no other Entry's files
# any.
. tests/tap.sh
. tests/support/booth.sh

if ((UID)); then
    skip 'the sandboxes of kinds' 'only root can put a file into /opt'
    plan
    exit
fi
mkdir -p "$work/bin" "$work/out" /opt/entries/boothlink-boxed
trap 'rm -rf /opt/entries/boothlink-boxed; cleanup' EXIT
echo original >/opt/entries/boothlink-boxed/secret
cp "$bl" "$work/bin/boothlink"

# Sockets: what comes in by one of them is written down, behind its name.
cat >"$work/listener.py" <<'PYTHON'
import os, select, socket, sys
names = {}
def listen(name, family, address):
    s = socket.socket(family)
    s.bind(address)
    s.listen()
    names[s] = name
    return s
listen("named", socket.AF_UNIX, "out/named")
listen("other", socket.AF_UNIX, "out/other")
listen("installed", socket.AF_UNIX, "/opt/entries/boothlink-boxed/socket")
listen("abstract", socket.AF_UNIX, "\0boothlink-boxed-%d" % os.getppid())
tcp = listen("tcp", socket.AF_INET, ("127.0.0.1", 0))
print(tcp.getsockname()[1], flush=True)
with open("heard", "w") as heard:
    while True:
        for s in select.select(list(names), [], [])[0]:
            c = s.accept()[0]
            c.settimeout(20)
            print(names[s], c.recv(100).decode(), file=heard, flush=True)
PYTHON
(cd "$work" && exec python3 listener.py >"$work/port") &
pid_of[listener]=$!
ok 'the sockets are there' eventually test -s "$work/port"

# stand_in PROGRAM: what is tried in its place; the last is the one that was named.
stand_in() {
    cat >"$work/bin/$1" <<EOF
#!/usr/bin/python3
import glob, socket, sys
def connects(family, address):
    try:
        s = socket.socket(family)
        s.settimeout(5)
        s.connect(address)
        s.send(b"reached")
        return True
    except OSError:
        return False
got = [name for name, family, address in (
    ("other", socket.AF_UNIX, "$work/out/other"), ("installed", socket.AF_UNIX, "/opt/entries/boothlink-boxed/socket"),
    ("path", socket.AF_UNIX, "$work/out/named"), ("abstract", socket.AF_UNIX, "\\\\0boothlink-boxed-$$"),
    ("log", socket.AF_UNIX, "/dev/log"), ("tcp", socket.AF_INET, ("127.0.0.1", $(<"$work/port"))),
) if connects(family, address)]
for name in glob.glob("/opt/entries/*/*") + ["$work/secret"]:
    try:
        open(name).read(1)
        got.append(name)
    except OSError:
        pass
s = socket.socket(socket.AF_UNIX)
try:
    s.connect("/dev/model")
    s.send(("tried: " + " ".join(got)).encode())
except OSError:
    sys.exit("tried: " + " ".join(got) + ".")
EOF
    chmod +x "$work/bin/$1"
}
echo secret >"$work/secret"
stand_in boothlink-chat
"$work/bin/boothlink" validate entry --chat "unix:$work/out/named" --ruleset loebner-2003 --only start.time \
    --start-time 10 >"$work/said" 2>&1
ok 'chat by a socket: it reaches the one that was named' eventually grep -q '^named tried:' "$work/heard"
is 'and nothing else' "$(grep -v '^named tried: *$' "$work/heard" | sort -u)" ''
# boxed KIND OPTION...: it has no named one.
boxed() {
    "$work/bin/boothlink" validate entry "${@:2}" --ruleset loebner-2003 --only start.time,start.ends \
        --start-time 10 >"$work/said" 2>&1
    ok "$1: it has none, and reaches nothing" grep -qF 'its standard error: "tried: .' "$work/said"
}
stand_in boothlink-form
boxed cgi --cgi ./none
stand_in try
mkdir "$work/entry" && mv "$work/bin/try" "$work/entry"
boxed program --folder "$work/entry" --program ./try
boxed lpp --folder "$work/entry" --lpp lpp --program ./try
boxed lpp2 --folder "$work/entry" --lpp2 8080 --program ./try
is 'and nobody has heard of it' "$(grep -v '^named tried: *$' "$work/heard" | sort -u)" ''
plan
