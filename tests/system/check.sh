#!/bin/bash
# `boothlink check` at both ends of a good cable and a broken one, through the real libserialport and the
# simulated modem lines; then what else can be wrong with a line. unit/test_probe has every cable of
# wiring/cables.txt, two speeds and lost frames.
. tests/tap.sh
. tests/support/booth.sh

long=300 # seconds that a check may call: for what comes when it comes
short=3  # for what never comes

# check_start END CABLE OPTION...: a check in the background; a is the judge's end, b the entity's.
check_start() {
    local end=$1 name=$2 side=--left
    [[ $end == a ]] || side=--line
    cables=$work/$name.shm start "$name-$end" check $side "serial:$work/$name.$end" --json "${@:3}"
}

# found NAME JQ: of the line's findings.
found() {
    jq -r ".lines[0] | $2" "$work/$1.out" 2>&1
}

# fault NAME TEXT: is there a fault whose words have this in them?
fault() {
    found "$1" '.findings[] | select(.mark == "fault") | .text' | grep -qF -- "$2"
}

# calls CABLE DIRECTION: has a check begun to call?
calls() {
    "$sim/nullmodem" --control "$work/$1.control" --send stats | jq -e ".$2.bytes_sent > 0"
}

# The finding of either end about a cable, as OUTCOME:CABLE,CABLE.
declare -A wanted=(
    [3-wire]='met:3-wire met:3-wire'
    [one-way]='mute:data-straight,data-open,one-way,short-data,short-ground deaf:one-way,short-ground'
)
cable_end() { # NAME STATUS
    local end
    for end in b a; do
        ended "$1-$end"
        is "$1, end $end: exit" $? "$2"
    done
    is "$1: what both find" "$(found "$1-a" '.outcome + ":" + (.cables | join(","))') \
$(found "$1-b" '.outcome + ":" + (.cables | join(","))')" "${wanted[$1]}"
}

# All the rest begins first, each on a cable of its own, and is looked at in the end.
cable rates
check_start a rates
check_start b rates
cable sides
check_start a sides --wait $long
cables=$work/sides.shm start sides-b check --left "serial:$work/sides.b" --json --wait $long
cable session
cables=$work/session.shm start session-b entity --line "serial:$work/session.b" --script /dev/null \
    --headless --journal "$work/journal"
check_start a session --wait $long
cable noise
check_start a noise --wait 12
eventually calls noise a_to_b
tell noise garbage a 1000000
cable keys
"$bl" key new "$work/key.1" >/dev/null
"$bl" key new "$work/key.2" >/dev/null
check_start a keys --quick --wait $long --key "$work/key.1"
check_start b keys --quick --wait $long --key "$work/key.2"

ethernet=
if hub wire --port ether-a --port ether-b --port cold-a --port cold-b --port busy-a --port busy-b
then
    ethernet=yes
    start ether-a check --left ether:eth0 --json --wait $long --key "$work/key.1"
    start ether-b check --line ether:eth0 --json --wait $long --key "$work/key.1"
    start busy-b entity --line ether:eth0/busy --script /dev/null --headless --key "$work/key.1" \
        --journal "$work/busy"
    start busy-a check --left ether:eth0/busy --json --wait $long --key "$work/key.1"
    start cold-a check --left ether:eth0/cold --json --wait $short --key "$work/key.1"
    start cold-b check --line ether:eth0/cold --json --wait $short --key "$work/key.2"
fi

for name in "${!wanted[@]}"; do
    cable "$name" --wiring "$name"
    check_start a "$name" --quick --wait $long
    check_start b "$name" --quick --wait $long
done
cable_end 3-wire 0
cable_end one-way 69

ended rates-a
is 'all speeds at a good cable: exit 0' $? 0
is 'eight speeds were tried' "$(found rates-a '.rates | length')" 8
is 'nothing was lost at the one asked for' \
    "$(found rates-a '.rates[0] | [.baud, .sent == .returned, .sent > 0] | join(" ")')" \
    '115200 true true'
ended rates-b
is 'and the other end says so too' "$? $(found rates-b '.rates | length')" '0 8'
is 'both know how their clocks differ' \
    "$(found rates-a '.precise_us > 0') $(found rates-b '.precise_us > 0')" 'true true'

ended sides-a
is 'two judges: exit' $? 69
ended sides-b
is 'two judges are told so at both ends' "$(found sides-a .outcome), $(found sides-b .outcome)" \
    'same side, same side'

ended session-a
is 'a session at the other end: exit' $? 69
is 'a session at the other end is known' "$(found session-a .outcome)" link
slay session-b

ended noise-a
is 'noise: exit' $? 69
is 'noise is no partner' "$(found noise-a .outcome)" garbage

ended keys-a
is 'two keys: exit' $? 69
ok 'two keys that differ are told' fault keys-a 'the two ends have different secrets'
ended keys-b
ok 'at the other end too' fault keys-b 'the two ends have different secrets'

if [[ $ethernet ]]; then
    ended ether-a
    is 'Ethernet with one key: exit' $? 0
    ended ether-b
    is 'and at the other end' $? 0
    is 'both know the round trip' "$(found ether-a '.rtt_us > 0') $(found ether-b '.rtt_us > 0')" \
        'true true'
    is 'each has found the other' "$(found ether-a .outcome), $(found ether-b .outcome)" 'met, met'
    ended cold-a
    is 'Ethernet with two keys: exit' $? 69
    ok 'they do not find each other' fault cold-a 'not found'
    stop cold-b >/dev/null
    ended busy-a
    is 'a session on Ethernet: exit' $? 69
    is 'a session on Ethernet is known' "$(found busy-a .outcome)" link
    slay busy-b
else
    skip 'Ethernet lines' "$(why_no_hub wire)"
fi
start no-ether check --left ether:none0 --json --wait 0
ended no-ether
ok 'no such interface' test $? -ne 0

# One end alone, in words.
cable alone
cables=$work/alone.shm
booth check --left "serial:$work/alone.a" --wait 0 >"$work/alone.text"
is 'one end alone: exit' $? 69
ok 'it says how to start the other' grep -qF 'boothlink check --line' "$work/alone.text"
ok 'it says what to do next' grep -q '^What to do next:' "$work/alone.text"
is 'no line is wider than a screen' "$(awk 'length > 80' "$work/alone.text")" ''

# Ports.
start holder check --line "serial:$work/alone.b" --wait $long
eventually calls alone b_to_a
booth check --left "serial:$work/alone.b" --json >"$work/busy.out"
is 'a busy port: exit' $? 75
ok 'a busy port is told, and by whom' fault busy 'is held by'
slay holder
booth check --left "serial:$work/none" --json >"$work/none.out"
is 'a port that is not there: exit' $? 66
ok 'a port that is not there is told' fault none "there is no device"
booth check --line "serial:$work/none@12" --json >"$work/speed.out"
is 'a speed that is none: exit' $? 64
booth check >/dev/null 2>"$work/usage.err"
is 'no line at all: exit' $? 64
booth check --left serial:x --line serial:y 2>/dev/null
is 'both ends at one machine: exit' $? 64

plan
