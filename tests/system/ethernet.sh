#!/bin/bash
# The line on Ethernet: what goes wrong with hubs, cables and names, and what is said about it.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh

end=$BUILD/tests/system/linkend

if ! hub hub --port a --port b --port c; then
    skip 'the line on Ethernet' "$(why_no_hub hub)"
    plan
fi

# begin PORT ADDRESS ROLE ACTION...: an end at this port of the hub; it writes $work/PORT.out
begin() {
    : >"$work/$1.out" # what the one before said must not be taken for this one's
    "$sim/hub" --control "$work/hub.control" --enter "$1" "$end" "${@:2}" >"$work/$1.out" 2>&1 \
        </dev/null &
    pid_of[$1]=$!
}

# once PORT ADDRESS ROLE: what one says that cannot begin, and its exit code
once() {
    at "$1" "$end" "${@:2}" hold 2>&1 | tail -1
    echo "exit ${PIPESTATUS[0]}"
}

heard() { (($(grep -cF -- "$3" "$work/$1.out") >= $2)); }

# says PORT TEXT [TIMES]: waits until it has said so
says() {
    eventually heard "$1" "${3:-1}" "$2" && return
    sed "s/^/# $1: /" "$work/$1.out"
    return 1
}

left=ether:eth0/left

# Keys
begin b $left entity+insecure echo
ok 'an end that waits says for whom, and that no IP address is needed' says b \
    "waiting for the other terminal of line 'left' on eth0, which has no IP address; the line needs \
none"
begin a $left judge+insecure keys 100
ok '100 keys go there and back in order' says a 'received=100 bytes=600 out_of_order=0'
ended a
ok 'the other end is told of the goodbye' says b 'down: the other terminal was closed'

# Restarts
begin a $left judge+insecure hold
ok 'the next one connects' says b 'up: ' 2
slay a
begin a $left judge+insecure keys 20
ok 'a restart after kill -9 is seen and said' says b 'down: the other terminal was started again'
ok 'and the keys of the new one arrive' says a 'received=20 '
ended a

# Others on the hub
begin a $left judge+insecure hold
says a 'up: '
begin c ether:eth0/right judge+insecure hold
says c "line 'right'"
begin_count=$(grep -c . "$work/a.out")
slay c
begin c $left entity+insecure hold
ok 'a third end is told that it is one' says c \
    "the line 'left' has its two ends already, says a judge's terminal, 02:42:4c:00:00:00"
ok 'and the judge hears of it' says a \
    "up: an entity's terminal, 02:42:4c:00:00:02, tries to join the line 'left' as a third end"
ok 'the other entity hears of it too' says b \
    "up: another terminal of this kind, 02:42:4c:00:00:02, has the line 'left' too"
is 'another line on the hub was not heard' "$begin_count" 2
slay c
ok 'what is over is said no more' says a 'up: connected' 2
says b 'up: connected' 5
slay b
begin b $left judge+insecure hold
ok 'two of one kind are told at one end' says a 'another terminal of this kind, 02:42:4c:00:00:01'
ok 'and at the other' says b 'another terminal of this kind, 02:42:4c:00:00:00'
slay b

# What cannot begin
ok 'a line that is taken on this machine names its holder' matches \
    "$(once a $left judge+insecure | xargs -0)" \
    "the line 'left' on eth0 is held by boothlink (pid *): end that first*exit 75*"
ok 'without a key it is refused, with the command that makes one' matches \
    "$(once b $left judge | xargs -0)" "*boothlink key new*--insecure*exit 64*"
is 'and nothing beside it' "$(at b "$bl" judge --left $left --headless --journal "$work/none" 2>&1 |
    sed 's/.*sight//')" ''
ok 'an interface that is not there' matches "$(once b ether:eth7 any+insecure | xargs -0)" \
    "there is no interface eth7: *exit 66*"
ok 'and is told before a key is asked for' matches "$(once b ether:eth7 any | xargs -0)" \
    "there is no interface eth7: *exit 66*"
ok 'an interface that is no Ethernet' matches "$(once b ether:lo any+insecure | xargs -0)" \
    "lo is no Ethernet interface: *exit 69*"
ok 'a line that is written wrongly' matches "$(once b 'ether:eth0/a b' any+insecure | xargs -0)" \
    "ether:eth0/a b: expected ether:INTERFACE*exit 64*"
is 'the list of ports has the interface, and nothing is wrong with it' \
    "$(at b "$bl" ports --json | jq -c '.[] | select(.interface) | [.interface, .problems]')" \
    '["eth0",[]]'
tell hub down b
is 'or says what is' \
    "$(at b "$bl" ports --json | jq -r '.[] | select(.interface) | .problems[]')" \
    'eth0 is switched off: sudo ip link set eth0 up'
at b ip link set lo up
begin b $left entity+insecure hold
ok 'an interface that is off is waited for, with the command that switches it on' says b \
    'down: eth0 is switched off: sudo ip link set eth0 up'
tell hub up b
ok 'and when it is on the line is up' says b 'up: '
slay b

# Privileges
only_raw=(setpriv '--bounding-set=-all,+net_raw' --inh-caps=-all)
: >"$work/b.out"
"$sim/hub" --control "$work/hub.control" --enter b "${only_raw[@]}" "$bl" line --line $left \
    --insecure --link "$work/pipe" >"$work/b.out" 2>&1 </dev/null &
pid_of[b]=$!
ok 'the capability for raw frames is enough' eventually heard b 1 'the line is up'
is 'and once the line is open it has none any more, and can get none' \
    "$(grep -E '^(Cap(Inh|Prm|Eff|Amb)|NoNew)' "/proc/${pid_of[b]}/status" | xargs)" \
    "$(printf 'Cap%s: 0000000000000000 ' Inh Prm Eff Amb)NoNewPrivs: 1"
start c check --line ether:eth0/checked
has_none() { [[ $(awk '/^Cap(Prm|Eff)/ { print $2 }' "/proc/${pid_of[c]}/status" | xargs) == \
    '0000000000000000 0000000000000000' ]]; }
ok 'a check gives them up too' eventually has_none
slay c
tell hub remove b
ok 'it says that its interface is gone' eventually heard b 1 'eth0 is gone'
tell hub restore b
ok 'and takes it up again without any' eventually heard b 2 'the line is up'
stop b

# The cable, and the interface
begin b $left entity+insecure echo
says b 'up: '
ups=$(grep -c 'up: ' "$work/a.out")
again() { says a 'up: ' $((++ups)); }
tell hub unplug b
ok 'a cable that is out is said at once' says b 'down: eth0 has no carrier: its cable is out'
ok 'and at the other end, where it is in' says a 'down: nothing heard for 3 s'
tell hub plug b
ok 'plugged in again it is up' again
tell hub down b
ok 'an interface that is switched off is said' says b 'down: eth0 is switched off'
tell hub up b
ok 'switched on again it is up' again
tell hub remove b
ok 'an interface that goes is said' says b 'down: eth0 is gone: plug the adapter in again'
tell hub restore b
ok 'and it is taken up again by itself' again
begin c ether:eth0/right entity+insecure echo
slay a
begin a ether:eth0/right judge+insecure keys 20
ok 'another line on the same interfaces works the same' says a 'received=20 '
ok 'an end that is told to go frees all' stop b
stop c

# What a judge sees of a line without a key, as long as it lasts, and of one with a key.
"$bl" key new "$work/line.key" >"$work/words" 2>&1
"$bl" key new "$work/wrong.key" >>"$work/words" 2>&1
# judge OPTION...: a judge's terminal with a screen
judge() {
    tm new-session -d -s judge -x 80 -y 24 "cd '$work' && exec '$sim/hub' \
        --control '$work/hub.control' --enter a '$bl' judge --left $left --journal judge ${*@Q}"
}
judge --insecure
reads 'that it is not encrypted is on the screen while it waits' judge 'NOT ENCRYPTED, connecting'
start b entity --line $left --insecure --program cat --headless --journal "$work/entity"
reads 'and when it is connected' judge 'NOT ENCRYPTED, connected'
tell hub unplug b
reads 'and when it is lost' judge 'NOT ENCRYPTED, NOT REACHABLE'
tell hub plug b
reads 'and again when it is back' judge 'NOT ENCRYPTED, connected'
slay b
window_close judge
judge --key "$work/line.key"
start b entity --line $left --key "$work/wrong.key" --program cat --headless --journal "$work/other"
reads 'another key at the other end is said' judge 'the other terminal has another secret'
slay b
start b entity --line $left --insecure --program cat --headless --journal "$work/other"
reads 'an end without one too' judge 'the other one has none: give it --key FILE'
slay b
start b entity --line $left --key "$work/line.key" --program cat --headless --journal "$work/other"
reads 'with the same key they connect' judge ' connected '
ok 'and nothing is said of encryption' lacks judge 'ENCRYPTED'
slay b
window_close judge

# The demo makes a hub and a key of its own.
ok 'the demo on Ethernet' "$bl" demo --headless --json --medium ethernet
plan
