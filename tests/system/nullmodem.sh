#!/bin/bash
# The simulated cable, on which the other system tests stand.
. tests/tap.sh

BUILD=$(realpath "${BUILD:-build}")
SEED=${SEED:-$RANDOM}
SIM=$BUILD/sim
SHIM=$SIM/shim.so
DIR=$(mktemp -d)
work=$DIR
. tests/support/wait.sh
MODEM=

# In a program that was built with ASan the shim comes before ASan's library. That is harmless here.
export ASAN_OPTIONS=verify_asan_link_order=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}
export BOOTHLINK_SIM=$DIR/shm

modem_stop() {
    [ -n "$MODEM" ] || return 0
    kill "$MODEM" 2>/dev/null
    wait "$MODEM"
    MODEM=
}

finish() {
    is_main || return 0
    modem_stop
    rm -rf "$DIR" "$DIR".*
}
trap finish EXIT

# modem OPTION...: a new cable between $DIR/a and $DIR/b; what is sent is there to be read later
modem() {
    local keep=(--keep)
    [[ ! -v LOSE ]] || keep=()
    modem_stop
    rm -f "$DIR/ready"
    mkfifo "$DIR/ready"
    "$SIM/nullmodem" --a "$DIR/a" --b "$DIR/b" --shm "$DIR/shm" --control "$DIR/control" \
        --seed "$SEED" "${keep[@]}" "$@" >"$DIR/ready" &
    MODEM=$!
    read -r _ <"$DIR/ready"
}

tell() {
    "$SIM/nullmodem" --control "$DIR/control" --send "$@"
}

# figures JQ...: some of the statistics, in one line
figures() {
    tell stats | jq -r "$1" | xargs
}

# port a|b ACTION...: what a program at one end says, one line
port() {
    LD_PRELOAD=$SHIM "$BUILD/tests/system/sptest" "$DIR/$1" "${@:2}" 2>&1 | sed 's/ $//' | grep . | paste -sd/
}

# port_start a|b ACTION...: the same in the background, into $DIR/said; its id is $PORT
port_start() {
    : >"$DIR/said" # not left to the background: what an earlier one said must be gone
    LD_PRELOAD=$SHIM "$BUILD/tests/system/sptest" "$DIR/$1" "${@:2}" >"$DIR/said" 2>&1 &
    PORT=$!
}

# Without bash's word that it was killed
port_kill() {
    kill -9 "$PORT"
    wait "$PORT"
} 2>/dev/null

# differs NAME GOT UNWANTED
differs() {
    ok "$1" test "$2" != "$3"
}

# within NAME NUMBER LOW HIGH
within() {
    ok "$1: $2, of $3 to $4" test "$2" -ge "$3" -a "$2" -le "$4"
}

figures_are() {
    [ "$(figures "$1")" = "$2" ]
}

# await JQ VALUE: until a figure has this value
await() {
    eventually figures_are "$1" "$2"
}

# cross NAME FROM TO BYTES: what one end sends is what the other hears
cross() {
    local sent
    port_start "$3" "expect=$4"
    [[ ! -v LOSE ]] || await ".$3.dtr" 1
    sent=$(port "$2" "send=$4")
    wait $PORT
    is "$1" "$(cat "$DIR/said")" "$sent"
}

echo "# SEED=$SEED"

# A port as libserialport sees it
modem --unpaced
is "libserialport opens a simulated port and reads its rate back" "$(port a 57600 rate)" 57600
is "libserialport lists both ends" "$(LD_PRELOAD=$SHIM "$BUILD/tests/system/sptest" - list |
    grep -cxF -e "$(realpath "$DIR/a")" -e "$(realpath "$DIR/b")")" 2
is "without the shim libserialport refuses it" \
    "$("$BUILD/tests/system/sptest" "$DIR/a" rate)" "name: refused by libserialport"
is "a shell hands the shim on, the program with the port does not" \
    "$(LD_PRELOAD=$SHIM bash -c "'$BUILD/tests/system/sptest' '$DIR/a' preload")" none
is "what else is preloaded stays" \
    "$(LD_PRELOAD=libdl.so.2:$SHIM "$BUILD/tests/system/sptest" "$DIR/a" preload)" libdl.so.2
port_start a exclusive hold
eventually grep -q holding "$DIR/said"
is "a claimed port is busy" "$(port a rate)" "open: Device or resource busy"
port_kill
is "kill -9 of its holder frees it" "$(port a exclusive rate)" 115200

# Bytes
cross "300,000 bytes cross unpaced as they were sent" a b 300000
cross "and the other way" b a 300000
modem
cross "3,000 bytes cross at 115,200 baud as they were sent" a b 3000
is "the statistics count them" "$(figures '.a_to_b|.bytes_sent,.bytes_delivered')" "3000 3000"

modem --rx-trigger 8
cross "a receiver with a FIFO trigger hears all" a b 3001

# An idle cable
switches() {
    awk '/ctxt/ {sum += $2} END {print sum}' "/proc/$MODEM/status"
}
sleeps() { # for a whole second, of sixty
    local before try
    for ((try = 0; try < 60; try++)); do
        before=$(switches)
        pause 1
        [[ $(switches) != "$before" ]] || return 0
    done
    return 1
}
ok "an idle cable does not wake up" sleeps

# Bit errors. A hit start bit makes bytes vanish or appear, so the simulator says how many to expect.
settled() { # FIGURE: waits until it has stood still for a while
    local was=none now same=0
    while ((same < 10)); do
        now=$(figures "$1")
        [[ $now == "$was" ]] && same=$((same + 1)) || same=0
        was=$now
        pause 0.05
    done
}
errors_with() {
    modem --unpaced --bit-error-rate 1e-3 --seed "$1"
    sent=$(port a send=10000)
    await .a_to_b.bytes_sent 10000
    settled .a_to_b.bytes_delivered
    heard=$(port b "expect=$(figures .a_to_b.bytes_delivered)")
}
errors_with "$SEED"
first=$(figures '.a_to_b.bits_flipped,.a_to_b.flips_digest')
within "at 1e-3 some 100 of 100,000 bits flip" "$(figures .a_to_b.bits_flipped)" 45 155
differs "what is heard is not what was sent" "$heard" "$sent"
errors_with "$SEED"
# What is heard depends on where the bytes pause as well, and that is the machine's affair.
is "the same seed flips the same bits" \
    "$(figures '.a_to_b.bits_flipped,.a_to_b.flips_digest')" "$first"
errors_with $((SEED + 1))
differs "another seed flips others" \
    "$(figures '.a_to_b.bits_flipped,.a_to_b.flips_digest')" "$first"

# Rates
modem
port b 9600 >/dev/null rate
sent=$(port a send=960)
await .a_to_b.bytes_garbled 960
settled .a_to_b.bytes_delivered
got=$(port b 9600 receive=500)
within "a receiver at 9,600 hears of 960 bytes at 115,200" "${got% *}" 20 160
sent=$(port b 9600 send=96)
await .b_to_a.bytes_garbled 96
settled .b_to_a.bytes_delivered
got=$(port a receive=500)
within "a receiver at 115,200 hears of 96 bytes at 9,600" "${got% *}" 200 2000
is "all of them are counted as garbled" "$(figures '.a_to_b.bytes_garbled,.b_to_a.bytes_garbled')" \
    "960 96"
tell "baud 9600" >/dev/null
sent=$(port a send=20)
differs "two ends that agree on another rate than the line's hear garbage" "$(port b receive=500)" \
    "$sent"
tell "baud follow" >/dev/null
cross "following the ends again, bytes cross" a b 500

# A port that nobody has open
LOSE=1 modem
port a send=20 >/dev/null
await .a_to_b.bytes_lost 20
is "what comes to a closed port is lost" "$(port b receive=300)" "0 811c9dc5"
LOSE=1 modem
port_start b receive=60000
await .b.dtr 1
h20=$(port a send=20)
await .a_to_b.bytes_delivered 20
port_kill
port a send=30 >/dev/null
await .a_to_b.bytes_lost 30
LOSE=1 cross "and not what comes when it is open again" a b 200
modem

# Pulling the plug
tell unplug >/dev/null
port a send=500 >/dev/null
await .a_to_b.bytes_lost 500
is "with the cable out nothing is heard" "$(port b receive=300)" "0 811c9dc5"
is "and all is counted as lost" "$(figures .a_to_b.bytes_lost)" 500
is "and no modem line is up" "$(port b signals)" none
tell plug >/dev/null
cross "plugged in again, bytes cross" a b 500
port_start a hold
eventually grep -q holding "$DIR/said"
is "and the lines are up" "$(port b signals)" "cts dsr dcd"
port_kill
await .a.dtr 0
is "kill -9 of a program drops what it drove" "$(port b signals)" none
port_start b wait
while kill -0 $PORT 2>/dev/null; do
    port a rate >/dev/null
done
wait $PORT
is "a change of the lines wakes who waits for it" "$?" 0

# Stalls, noise, breaks
tell "stall a 300" >/dev/null
cross "a stall loses nothing" a b 200
tell "garbage b 100" >/dev/null
got=$(port b expect=100)
is "garbage arrives" "${got% *}" 100
port a break >/dev/null
is "a break is heard as a NUL" "$(port b expect=1)" "1 050c5d1f"

# Wirings: what RTS of A does at A and at B, then what DTR does
wiring_lines() {
    local output
    tell "wiring $1" >/dev/null
    for output in "rts=1 dtr=0" "rts=0 dtr=1"; do
        await .b.rts,.b.dtr "0 0"
        # shellcheck disable=SC2086
        port_start a $output signals hold
        eventually grep -q holding "$DIR/said"
        sed 's/ $//;q' "$DIR/said"
        port b rts=0 dtr=0 signals
        kill $PORT
        wait $PORT
    done | paste -sd,
}
# wiring_is NAME LINES A-READS B-READS HEARD: its lines, and what is heard when A sends 20 and B 30
wiring_is() {
    is "wiring $1: modem lines" "$(wiring_lines "$1")" "$2"
    port a send=20 >/dev/null
    port b send=30 >/dev/null
    is "wiring $1: data" "$(port a "$3") $(port b "$4")" "$5"
}
# The hash of the first 20 and 30 bytes of the pattern, and of none
h20=$(port a send=20)
port b expect=20 >/dev/null
h30=$(port b send=30)
port a expect=30 >/dev/null
h0="0 811c9dc5"
none=receive=100
full="none,cts,none,dsr dcd"
wiring_is full "$full" expect=30 expect=20 "$h30 $h20"
wiring_is 3-wire "none,none,none,none" expect=30 expect=20 "$h30 $h20"
wiring_is loop-back "cts,none,dsr dcd,none" expect=30 expect=20 "$h30 $h20"
wiring_is partial "cts,dcd,none,dsr" expect=30 expect=20 "$h30 $h20"
wiring_is ri "none,cts,none,dsr dcd ri" expect=30 expect=20 "$h30 $h20"
wiring_is straight "none,none,none,none" $none $none "$h0 $h0"
wiring_is data-open "$full" $none $none "$h0 $h0"
wiring_is one-way "$full" $none expect=20 "$h0 $h20"
wiring_is plug-a "cts,none,dsr dcd,none" expect=20 $none "$h20 $h0"

# Flow control
modem --wiring 3-wire
port a rtscts send=100 >/dev/null
is "with RTS/CTS nothing leaves on a cable without CTS" "$(port b receive=300)" "0 811c9dc5"
h100=$(port b send=100)
tell "wiring full" >/dev/null
is "and all when CTS rises" "$(port b expect=100)" "$h100"
modem
port b 921600 rate >/dev/null
port a 921600 send=60000 >/dev/null
await '.a_to_b.bytes_overrun > 0' true
is "a receiver that does not read is overrun" "$(figures '.a_to_b.bytes_overrun > 0')" true
modem
port b 921600 rtscts rate >/dev/null
port_start a 921600 rtscts send=60000
await .a.cts 0
got=$(port b 921600 rtscts expect=60000)
wait $PORT
is "with RTS/CTS it holds the sender" "$got" "$(cat "$DIR/said")"

# A device that goes and comes back
modem
port_start a hangup
eventually grep -q waiting "$DIR/said"
tell "remove a" >/dev/null
wait $PORT
is "a removed device hangs up" "$(xargs <"$DIR/said")" "waiting hangup"
is "and has no name" "$(port a rate)" "$DIR/a: No such file or directory"
port b send=50 >/dev/null
await .b_to_a.bytes_lost 50
is "what is sent to it is lost" "$(figures '.b_to_a.bytes_lost,.a.present')" "50 false"
tell "restore a" >/dev/null
cross "back again, bytes cross" b a 500
is "and the lines are as they were" "$(port a signals)" none

# Commands
is "an unknown command is answered by one line" "$(tell bogus)" "error: no such command: bogus"
is "and so are wrong arguments" "$(tell "stall x 5" "ber 2" garbage "baud 1" "wiring x" | paste -sd/)" \
    "error: stall: the sending end must be a, b or both/error: ber: the rate must be a number from \
0 to 1, as 1e-4/error: usage: garbage a|b|both BYTES/error: baud: the rate must be 50 to 4000000, or \
follow/error: wiring: no such wiring, see nullmodem --help"
tell bogus >/dev/null
is "the client's exit code tells" $? 65
is "an overlong line is answered by one" "$(tell "$(printf '%0300d' 0)" | wc -l)" 1
modem --at "20:wiring 3-wire" --at 0:unplug
await .wiring 3-wire
is "timed commands run" "$(figures .wiring,.plugged)" "3-wire false"

# The end
PORT=$MODEM
port_kill
modem --stats "$DIR/stats"
cross "what a killed simulator left is replaced" a b 100
modem_stop
is "the statistics at the end are JSON" "$(jq .a_to_b.bytes_delivered "$DIR/stats")" 100
modem
for _ in {1..50}; do # another test may hold the pty by then, so each one is the next one's stale
    cp "$DIR/shm" "$DIR/stale"
    pty=$(realpath "$DIR/a")
    modem
    [ "$(realpath "$DIR/a")" != "$pty" ] || break
done
is "another simulator gets its pty" "$(realpath "$DIR/a")" "$pty"
cp "$DIR/stale" "$DIR/touched" # the file's own times tell nothing of the pty's age
BOOTHLINK_SIM=$DIR/touched:$DIR/shm port_start a expect=1
ok "and a program drives the younger of the two" await .a.dtr 1
port_kill
rm "$DIR/stale" "$DIR/touched"
modem_stop
rm -f "$DIR/ready" "$DIR/said" "$DIR/sent" "$DIR/stats"
is "nothing is left behind" "$(ls "$DIR")" ""
"$SIM/nullmodem" --a "$DIR/a" --b "$DIR/b" --with-stdin >/dev/null < <(:)
is "it ends with its standard input" $? 0
touch "$DIR/a"
is "a file in the link's place is kept" \
    "$("$SIM/nullmodem" --a "$DIR/a" --b "$DIR/b" 2>&1)" "nullmodem: $DIR/a: File exists"
is "a wrong option is answered by one line" \
    "$("$SIM/nullmodem" --a x --b y --bit-error-rate 2 2>&1)" \
    "nullmodem: --bit-error-rate 2: expected a number from 0 to 1, as 1e-4"

plan
