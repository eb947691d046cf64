#!/bin/bash
# "boothlink check" with a controller in the line: its self-test, the line closed by a test plan, and
# cables that must not be used with one; and two cables that are swapped.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/controlled.sh

# check NAME [OPTION...]: at both ends of a cable at once; the judge's findings are in NAME.json.
check() {
    start "far.$1" check --line "serial:$work/$1.b" --quick --json
    booth check --left "serial:$work/$1.a" --controller "$work/c.$1" --quick --json >"$work/$1.json"
    echo "$?" >"$work/$1.status"
}

# Two cables, each at the other one's relay. A machine that is too slow is told to check again.
swapped() {
    local status try
    for try in 1 2 3; do
        start "far.a" check --line "serial:$work/a.b" --quick --wait 180
        start "far.b" check --line "serial:$work/b.b" --quick --wait 180
        booth check --left "serial:$work/a.a" --right "serial:$work/b.a" --controller "$work/c.swapped" \
            --quick --json >"$work/swapped.json"
        status=$?
        grep -q 'too slow to ask' "$work/swapped.json" || break
        echo "# try $try: this machine was too slow"
        slay far.a
        slay far.b
    done
    echo "$status" >"$work/swapped.status"
}

cable a --wiring 3-wire
cable b --wiring 3-wire
controller c.swapped b a
swapped &
pid_of[swapped]=$!
cables=
cable good --wiring 3-wire
cable covert --wiring full
cable stuck --wiring 3-wire
controller c.good good ''
controller c.covert covert ''
controller c.stuck stuck ''
steward c.stuck key pause
ok 'a key is turned' eventually key_at c.stuck PAUSE

check good &
pid_of[good.check]=$!
check covert &
pid_of[covert.check]=$!
check stuck
is 'with the key at PAUSE nothing can be tested' "$(<"$work/stuck.status")" 75
is 'and that is no good' "$(jq .ok "$work/stuck.json")" false
ended good.check
ended covert.check
is 'a 3-wire cable and a controller are right' "$(<"$work/good.status")" 0
is 'the relays were tested' "$(jq -c '.controller | [.lamps, .left, .right, .ok]' "$work/good.json")" \
    '[true,true,true,true]'
is 'the cable was seen through the relay' \
    "$(jq -r '.lines[0].findings[] | select(.what == "cable") | .text' "$work/good.json" |
        grep -c '^box: 1:1 cables')" 1
is 'and cut again afterwards' "$(booth controller status "$work/c.good" --json |
    jq -c '[.state, .left_line_closed]')" '["OVER",false]'
ok 'a full cable is not right' test "$(<"$work/covert.status")" -ne 0
is 'for its handshake lines pass the controller by' \
    "$(jq -r '.lines[0].findings[] | select(.what == "controller") | .text' "$work/covert.json")" \
    'handshake lines cross past its relays: signals pass when the line is cut'
ended swapped
ok 'two swapped cables are not right' test "$(<"$work/swapped.status")" -ne 0
is 'for the port of each hears through the relay of the other' \
    "$(jq -r '.lines[].findings[] | select(.what == "swapped") | .text' "$work/swapped.json")" \
    'with the line of cable A joined alone, the port of cable B hears the other end: the two cables are swapped
with the line of cable B joined alone, the port of cable A hears the other end: the two cables are swapped'
is 'and what to do is said, once for each line' \
    "$(jq -r '.lines[].next[]' "$work/swapped.json" | grep -c '^Swap the two plugs')" 2
plan
