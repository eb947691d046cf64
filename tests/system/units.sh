#!/bin/bash
# The systemd units: how much they leave open, as systemd-analyze counts it, and that they leave open
# what their programs need: here each program runs as its unit says, by tests/system/confined.c and by
# mounts that do what the unit's do: a serial port of the group dialout, the journal's folder, a raw
# socket for Ethernet by its capability, the console.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh
export ASAN_OPTIONS=detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS} # its units refuse ptrace

most=20 # exposure of a unit, in tenths: DESIGN.md, "Threat model"
most_browser=45 # a browser needs namespaces, makes code and takes many calls; it has nothing
confined=$BUILD/tests/system/confined

units=(host/share/systemd/*.service.in)
ok 'there are units of a judge and an entity' test ${#units[@]} -ge 2
for unit in "${units[@]}"; do
    name=${unit##*/}
    sed 's,@PREFIX@,/usr,' "$unit" >"$work/${name%.in}"
done

# A call that a unit refuses must not kill its program: a terminal on a console asks the kernel to keep
# its messages off (syslog(2)), which no unit allows.
for unit in "${units[@]}"; do
    ! grep -q '^SystemCallFilter=' "$unit" ||
        ok "${unit##*/}: a refused call is an error" grep -q '^SystemCallErrorNumber=EPERM$' "$unit"
done

# exposure UNIT: what systemd-analyze says, in tenths.
exposure() {
    systemd-analyze security --no-pager --offline=true "$1" 2>/dev/null |
        sed -nE 's/.*Overall exposure level for [^:]*: ([0-9]+)\.([0-9]).*/\1\2/p' | sed 's/^0*//'
}
if systemd-analyze security --help 2>/dev/null | grep -q -e --offline; then
    for unit in "${units[@]}"; do
        name=${unit##*/}
        tenths=$(exposure "$work/${name%.in}")
        echo "# ${name%.in}: ${tenths:-?} tenths"
        bound=$most
        [[ $unit != *-web@* ]] || bound=$((most + 1)) # the page is asked for at the loopback address
        [[ $unit != *-kiosk@* ]] || bound=$most_browser
        ok "${name%.in} is exposed by at most $bound tenths" test "${tenths:-99}" -le $bound
    done
    grep -vE '^(Protect|Restrict|SystemCall|Private|NoNew)' "$work/boothlink-judge@.service" \
        >"$work/open@.service"
    ok 'and a unit without its restrictions by more' test "$(exposure "$work/open@.service")" -gt $most
else
    skip 'the units' 'systemd-analyze is missing, or older than 250'
    plan
fi

if ((UID)) || ! unshare -m true 2>"$work/why"; then
    skip 'the programs run as their units say' 'only root can be a service of another user'
    plan
fi

# calls UNIT: the system calls that its SystemCallFilter lets through, the sets looked up.
calls() {
    local line name
    sed -n 's/^SystemCallFilter=//p' "$1" | while read -r line; do
        for name in ${line#\~}; do
            known_calls "$name" | sed "s/^/${line:0:1} /"
        done
    done | awk '$1 == "~" { delete may[$2]; next } { may[$2] = 1 } END { for (name in may) print name }'
}
known_calls() {
    local name
    if [[ $1 != @* ]]; then
        echo "$1"
        return
    fi
    for name in $(systemd-analyze syscall-filter --no-pager "$1" | sed '1,2d; s/#.*//'); do
        known_calls "$name"
    done
}
# @default and what a shell needs to be are in it; so is what is in no set that is taken away again.
for unit in judge entity entry booth; do
    calls "$work/boothlink-$unit@.service" >"$work/$unit.calls"
done
ok 'the sets of system calls are known' grep -qx fdatasync "$work/judge.calls"
ok 'and those taken away again are' test -z "$(grep -xE 'nice|mount|reboot' "$work/judge.calls")"

# What the mounts of a unit do, in a mount namespace of its own; then the program as the unit's user:
# a terminal's with the group of the serial ports and the one capability, an Entry's with nothing.
# Descriptor 3 stays, for it may be the unit's socket.
# shellcheck disable=SC2016 # for the shell that it is
enter='
set -e
unit=$1 calls=$2 work=$3 build=$4 confined=$5
shift 5
on() { grep -qx "$1=$2" "$unit"; }
exec 13<"$work" 14<"$build"
hide() { [[ ! -d $1 ]] || mount -t tmpfs -o mode=755 tmpfs "$1"; }
if on ProtectHome yes; then for at in /home /root /run/user; do hide $at; done; fi
if on PrivateTmp yes; then for at in /tmp /var/tmp; do hide $at; done; fi
mkdir -p "$work" "$build"
mount --no-canonicalize --bind /proc/self/fd/13 "$work"
mount --no-canonicalize --bind /proc/self/fd/14 "$build"
if on PrivateDevices yes; then
    exec 15</dev/pts
    mount -t tmpfs -o mode=755,nosuid,noexec tmpfs /dev
    mkdir /dev/pts /dev/shm
    mount --no-canonicalize --bind /proc/self/fd/15 /dev/pts
    ln -s pts/ptmx /dev/ptmx
    ln -s /proc/self/fd /dev/fd
    mount -t tmpfs -o mode=1777 tmpfs /dev/shm
    mknod -m 666 /dev/null c 1 3
    mknod -m 666 /dev/zero c 1 5
    mknod -m 666 /dev/full c 1 7
    mknod -m 666 /dev/random c 1 8
    mknod -m 666 /dev/urandom c 1 9
    mknod -m 666 /dev/tty c 5 0
    exec 15<&-
fi
if grep -q ^TemporaryFileSystem=/run/boothlink-lpp: "$unit"; then
    mkdir -p /run/boothlink-lpp
    mount -t tmpfs -o size=64m,mode=0777,nosuid,nodev,noexec tmpfs /run/boothlink-lpp
fi
if on ProtectSystem strict; then
    while read -r at; do
        case $at in
        /dev | /dev/* | /proc | /proc/* | /sys | /sys/*) ;;
        *) mount -o remount,bind,ro "$at" ;;
        esac
    done < <(awk "{ print \$2 }" /proc/self/mounts | sort -u)
elif on ProtectSystem full; then
    for at in /usr /etc /boot; do mount --bind $at $at && mount -o remount,bind,ro $at; done
fi
# The journals, and the modem lines of the simulated cables, which are devices elsewhere.
if on User boothlink; then
    for at in "$work/state" "$work"/*.shm; do
        mount --bind "$at" "$at" && mount -o remount,bind,rw "$at"
    done
fi
! on ProtectProc invisible || mount -t proc -o hidepid=invisible proc /proc
! tty -s || chown nobody "$(tty)"
exec 13<&- 14<&-
if on User boothlink-entry; then
    cd /
    exec setpriv --reuid daemon --regid daemon --clear-groups --inh-caps -all --bounding-set -all \
        "$confined" "$unit" "$calls" "$@"
fi
cd "$work"
exec setpriv --reuid nobody --regid nogroup --groups dialout --inh-caps -all,+net_raw \
    --ambient-caps +net_raw --bounding-set -all,+net_raw "$confined" "$unit" "$calls" "$@"
'
# The serial ports of a booth are the group'"'"'s.
ports() {
    local at
    for at in "$work"/*.[ab]; do
        chgrp dialout "$(readlink -f "$at")" && chmod 660 "$(readlink -f "$at")"
    done
    chmod 666 "$work"/*.shm
}
# as UNIT COMMAND...: runs it as the unit would.
as() {
    unshare -m --propagation private bash -c "$enter" enter "$work/boothlink-$1@.service" \
        "$work/$1.calls" "$work" "$BUILD" "$confined" "${@:2}"
}
mkdir "$work/state"
chmod 755 "$work"
chown nobody:nogroup "$work/state"
cable line
ports

# refused COMMAND...: it fails.
refused() { ! "$@" 2>/dev/null; }

# That these restrictions are in force at all.
for unit in judge entity booth; do
    ok "as $unit: the journal's folder can be written to" as $unit /usr/bin/touch "$work/state/new"
    # Not only because the unit's user may not.
    is "as $unit: /etc cannot" \
        "$(as $unit /usr/bin/touch /etc/boothlink.new 2>&1 | grep -o 'Read-only file system')" \
        'Read-only file system'
    is "as $unit: there is no internet" \
        "$(as $unit /bin/bash -c 'exec 3<>/dev/tcp/127.0.0.1/9' 2>&1 | grep -o 'Address family not supp.*' | head -1)" \
        'Address family not supported by protocol'
    ok "as $unit: no namespaces" refused as $unit /usr/bin/unshare -U true
    ok "as $unit: no mount" refused as $unit /usr/bin/mount -t tmpfs none "$work/state"
    ok "as $unit: no real time" refused as $unit /usr/bin/chrt -f 1 true
    ok "as $unit: of other users no process is seen" \
        refused as $unit /bin/bash -c 'exec 3</proc/1/comm'
done

# served NAME UNIT COMMAND...: the program with a screen, as the unit would start it.
served() {
    tm new-session -d -s "$1" -x 80 -y 24 "
        unshare -m --propagation private bash -c ${enter@Q} enter $work/boothlink-$2@.service \
        $work/$2.calls $work $BUILD $confined /usr/bin/env BOOTHLINK_SIM=$cables BOOTHLINK_SIM_PASS=1 \
        LD_PRELOAD=$sim/shim.so ${*:3} 2>$work/$1.err; echo ended \$?; sleep 1000"
}
# answered TEXT: the judge says Hello, again where a key came while the ends compared their records,
# and reads this.
answered() { keys judge -l Hello && keys judge Enter && pause 0.5 && has judge "$1"; }
served judge judge "$bl" judge --left "serial:$work/line.a" --starts either --session unit \
    --journal "$work/state/judge"
served entity entity "$bl" entity --line "serial:$work/line.b" --session unit --program "'sed -u s/^/you.say./'" --no-sandbox \
    --journal "$work/state/entity"
reads "the judge's terminal has its console and reaches the other over the serial port" judge connected
ok 'an Entry that the terminal started answers' eventually answered you.say.Hello
judge=$work/state/judge/unit-judge.journal
ok "the judge's journal has it" eventually has_keys "$judge" 20
is 'it belongs to the user of the unit' "$(stat -c '%U %a' "$judge")" 'nobody 600'
is 'nobody was killed for a system call, nothing was complained of' \
    "$(cat "$work/judge.err" "$work/entity.err")" ''
tm kill-session -t judge
tm kill-session -t entity
rm "$work/judge.err" "$work/entity.err" # what they say at their end is not of those that come

# An Entry in its sandbox, as on the day: the keeper is started when the terminal asks at its socket.
mkdir "$work/entries"
cat >"$work/entries/entry" <<EOF
#!/bin/sh
said=boxed
[ ! -e $work/state ] || said=open
while read -r line; do echo "\$said.\$line"; done
EOF
chmod 755 "$work/entries/entry"
# kept NAME: the socket NAME.entry, of the terminals' user, and the keeper behind it.
kept() {
    systemd-socket-activate --seqpacket -l "$work/$1.entry" -E LANG=C.UTF-8 \
        unshare -min --propagation private bash -c "$enter" enter "$work/boothlink-entry@.service" \
        "$work/entry.calls" "$work" "$BUILD" "$confined" "$bl" keeper \
        </dev/null >"$work/$1-keeper.out" 2>"$work/$1-keeper.err" &
    pid_of[$1-keeper]=$!
    eventually test -S "$work/$1.entry" && chown nobody "$work/$1.entry" &&
        chmod 600 "$work/$1.entry"
}
ok "an Entry's socket is there" kept unit
served judge judge "$bl" judge --left "serial:$work/line.a" --starts either --session boxed \
    --journal "$work/state/judge"
served entity entity "$bl" entity --line "serial:$work/line.b" --session boxed --program ./entry \
    --folder "$work/entries" --keeper "$work/unit.entry" --journal "$work/state/entity"
reads "a terminal's Entry is held by its own unit" judge 'here connected'
ok 'and answers out of its sandbox' eventually answered boxed.Hello
is 'as the user of that unit' \
    "$(ps -o user= -p "${pid_of[unit-keeper]}")" daemon
is 'nobody was killed for a system call here either' "$(cat "$work/judge.err" "$work/entity.err")" ''
tm kill-session -t judge
tm kill-session -t entity

# The same for the Entry of a machine's day.
mkdir -p "$work/state/booth/booth-1-cable-a" "$work/stick"
printf '[place]\nformat = 1\nbooth = 1\nmachine = cable-a\n' >"$work/place.ini"
cat >"$work/state/booth/booth-1-cable-a/1.ticket" <<EOF
[ticket]
format = 1
role = entity
session = day
round = 1

[line]
port = serial:$work/line.b

[entity]
program = ./entry
EOF
chown -R nobody:nogroup "$work/state/booth"
ok "the socket of a booth's Entry is there" kept day
served judge judge "$bl" judge --left "serial:$work/line.a" --starts either --session day \
    --journal "$work/state/judge"
served booth booth "$bl" booth --kiosk --place "$work/place.ini" --tickets "$work/stick" \
    --journal "$work/state/booth" --folder "$work/entries" --keeper "$work/day.entry"
# A board takes a key only when none was pressed for a second.
begun() { keys booth Enter && pause 1.2 && lacks booth 'ress Enter'; }
reads 'a booth offers its session' booth 'ress Enter'
ok 'and begins it' eventually begun
reads "its Entry is held by the same unit" judge 'here connected'
ok 'and answers out of its sandbox' eventually answered boxed.Hello
is 'the unit asks there' "$(sed -nE 's/^ExecStart=.*booth .*--keeper ([^ ]*).*/\1/p' "$work/boothlink-booth@.service")" \
    "$(sed -n 's/^ListenSequentialPacket=//p' host/share/systemd/boothlink-entry@.socket)"
tm kill-session -t judge
tm kill-session -t booth

if ! hub hub --port a --port b; then
    skip 'a line on Ethernet as the units say' "$(why_no_hub hub)"
    plan
fi
for unit in judge entity; do
    printf 'pace 20\ntype Hello over there, %s.\\n\nwait 3600000\n' "$unit" >"$work/$unit.script"
done
# ethered NAME UNIT COMMAND...: without a screen, at a port of the hub.
ethered() {
    "$sim/hub" --control "$work/hub.control" --enter "$1" /usr/bin/unshare -m --propagation private \
        bash -c "$enter" enter "$work/boothlink-$2@.service" "$work/$2.calls" "$work" "$BUILD" \
        "$confined" "$bl" "${@:3}" </dev/null >"$work/$1.out" 2>"$work/$1.err" &
    pid_of[$1]=$!
}
ethered a judge judge --left ether:eth0/left --insecure --starts either --session ether --headless \
    --script "$work/judge.script" --journal "$work/state/judge"
ethered b entity entity --line ether:eth0/left --insecure --session ether --headless \
    --script "$work/entity.script" --journal "$work/state/entity"
ok 'keys of both go over Ethernet, with that one capability' \
    eventually has_keys "$work/state/judge/ether-judge.journal" 44
stop a
is "the judge's end ends well" $? 0
stop b
is "the entity's end ends well" $? 0
plan
