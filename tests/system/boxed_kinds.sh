#!/bin/bash
# The sandbox of each kind of Entry: a stand-in for the program in there, ours or the entrant's, tries
# what is none of its business. Of all sockets it reaches the one that was named, and of no other Entry's files
# any. The same tries outside a sandbox reach everything, so none of them fails by itself.
. tests/tap.sh
. tests/support/booth.sh

if ((UID)); then
    skip 'the sandboxes of kinds' 'only root can put a file into /opt'
    plan
    exit
fi
own_folder=/opt/boothlink-boxed-own # of what is installed in /opt that beside it is another Entry's
mkdir -p "$work/bin" "$work/out" /opt/entries/boothlink-boxed /opt/boothlink-boxed $own_folder
trap '! is_main || { rm -rf /opt/entries/boothlink-boxed /opt/boothlink-boxed $own_folder; cleanup; }' EXIT
for place in /opt/entries/boothlink-boxed /opt/boothlink-boxed "$work"; do echo original >"$place/secret"; done
cp "$bl" "$work/bin/boothlink"
own=$(hostname -I 2>/dev/null | cut -d ' ' -f 1) # an address of this machine
own=${own:-127.0.0.2}

# Sockets: what comes in by one of them is written down, behind its name. "any" hears at all addresses.
cat >"$work/listener.py" <<'PYTHON'
import os, select, socket, sys
names, ports = {}, []
def listen(name, family, address, kind=socket.SOCK_STREAM):
    s = socket.socket(family, kind)
    if family == socket.AF_INET6:
        s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    s.bind(address)
    if kind == socket.SOCK_STREAM:
        s.listen(64)
    if family != socket.AF_UNIX:
        ports.append(str(s.getsockname()[1]))
    names[s] = name
listen("named", socket.AF_UNIX, "out/named")
listen("other", socket.AF_UNIX, "out/other")
listen("installed", socket.AF_UNIX, "/opt/entries/boothlink-boxed/socket")
listen("beside", socket.AF_UNIX, "/opt/boothlink-boxed/socket")
listen("abstract", socket.AF_UNIX, "\0boothlink-boxed-%d" % os.getppid())
listen("named", socket.AF_INET, ("127.0.0.1", 0))
listen("any", socket.AF_INET, ("", 0))
listen("udp", socket.AF_INET, ("", 0), socket.SOCK_DGRAM)
try:
    listen("six", socket.AF_INET6, ("::1", 0))
except OSError:
    ports.append("none")
print(*ports, flush=True)
with open("heard", "w") as heard:
    while True:
        for s in select.select(list(names), [], [])[0]:
            c = s if s.type == socket.SOCK_DGRAM else s.accept()[0]
            c.settimeout(20)
            try:
                said, whose = c.recvfrom(200)
                print(names[s], said.decode(), file=heard, flush=True)
                if c is s:
                    s.sendto(b"+", whose)
            except OSError:
                pass
PYTHON
(cd "$work" && exec python3 listener.py >"$work/ports") &
pid_of[listener]=$!
ok 'the sockets are there' eventually test -s "$work/ports"
read -r named any udp six <"$work/ports"

# stand_in PROGRAM: what is tried in its place; last the way to the one that was named.
stand_in() {
    cat >"$work/bin/$1" <<EOF
#!/usr/bin/python3
import glob, os, socket, sys
def reaches(family, address, kind=socket.SOCK_STREAM):
    try:
        s = socket.socket(family, kind)
        s.settimeout(5 if kind == socket.SOCK_STREAM else 1)
        s.connect(address)
        s.send(b"reached")
        return kind == socket.SOCK_STREAM or s.recv(1) == b"+"
    except OSError:
        return False
six = "$six"
got = [name for name, family, address, *kind in (
    ("other", socket.AF_UNIX, "$work/out/other"), ("path", socket.AF_UNIX, "$work/out/named"),
    ("installed", socket.AF_UNIX, "/opt/entries/boothlink-boxed/socket"),
    ("beside", socket.AF_UNIX, "/opt/boothlink-boxed/socket"),
    ("abstract", socket.AF_UNIX, "\\0boothlink-boxed-$$"),
    ("tcp", socket.AF_INET, ("127.0.0.1", $named)), ("loopback", socket.AF_INET, ("127.0.0.1", $any)),
    ("machine", socket.AF_INET, ("$own", $any)), ("udp", socket.AF_INET, ("$own", $udp), socket.SOCK_DGRAM),
) if reaches(family, address, *kind)]
if six != "none" and reaches(socket.AF_INET6, ("::1", int(six))):
    got.append("six")
beside = glob.glob("/opt/boothlink-boxed/*") if os.getcwd() == "$own_folder" else []
for name in glob.glob("/opt/entries/*/*") + beside + ["$work/secret"]:
    try:
        open(name).read(1)
        got.append(name)
    except OSError:
        pass
s = socket.socket(socket.AF_UNIX)
try:
    s.connect("/dev/server")
    s.send(("tried: " + " ".join(got)).encode())
    s.recv(1)
except OSError:
    sys.exit("tried: " + " ".join(got) + ".")
EOF
    chmod +x "$work/bin/$1"
}

# Outside.
stand_in try
tried=$(cd $own_folder && "$work/bin/try" 2>&1)
for name in other path installed beside abstract tcp loopback machine udp; do
    ok "outside a sandbox it reaches: $name" grep -qE " $name( |\.)" <<<"$tried"
done
[[ $six == none ]] || ok 'outside a sandbox it reaches: six' grep -qE ' six( |\.)' <<<"$tried"
for place in /opt/entries/boothlink-boxed /opt/boothlink-boxed "$work"; do
    ok "outside a sandbox it reads ${place#"$work"}/secret" grep -qF " $place/secret" <<<"$tried"
done
ok 'and all has come' eventually grep -q '^other reached' "$work/heard"

# others: what was heard since, but at the one that was named, where it is first looked whether
# anybody answers.
begun=$(wc -l <"$work/heard")
others() { tail -n +$((begun + 1)) "$work/heard" | grep -vE '^named (tried: *)?$' | sort -u; }
# reached: so many have told the one that was named that they reach nothing else.
reached() { (($(grep -c '^named tried: *$' "$work/heard") >= $1)); }
start_s=$((${STALLED:-0} ? 60 : 10)) # a stand-in that is stopped tries later
declare -A tried_kinds=([keyboard]=yes) # a person has no sandbox
# served KIND COUNT OPTION...: it reaches the one that was named, as the COUNTth.
served() {
    tried_kinds[${1%% *}]=yes
    "$work/bin/boothlink" validate entry "${@:3}" --ruleset loebner-2003 --only start.time --start-time $start_s \
        >"$work/said" 2>&1
    ok "$1: it reaches the one that was named" eventually reached "$2"
    is "$1: and nothing else" "$(others)" ''
}
stand_in boothlink-chat
served 'chat by a socket' 1 --chat "unix:$work/out/named"
served 'chat by an address' 2 --chat "http://127.0.0.1:$named"
stand_in boothlink-form
served 'web by an address' 3 --web "http://127.0.0.1:$named/"

# boxed KIND OPTION...: it has no named one.
boxed() {
    tried_kinds[$1]=yes
    "$work/bin/boothlink" validate entry "${@:2}" --ruleset loebner-2003 --only start.time,start.ends \
        --start-time 30 >"$work/said" 2>&1
    is "$1: it has none, and reaches nothing" "$(sed -n 's/^ *its standard error: //p' "$work/said")" '"tried: .\n"'
}
boxed cgi --folder $own_folder --cgi ./none
mv "$work/bin/try" $own_folder
boxed program --folder $own_folder --program ./try
boxed lpp --folder $own_folder --lpp lpp --program ./try
boxed lpp2 --folder $own_folder --lpp2 8080 --program ./try
is 'and nobody has heard of it' "$(others)" ''
while read -r kind _; do
    ok "of the table, $kind has its case here" test -n "${tried_kinds[$kind]-}"
done < <("$BUILD/tests/system/kinds")
plan
