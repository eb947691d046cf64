#!/bin/bash
# The link over the simulated cable, through the real libserialport: keys, ports that cannot be opened or
# go, flow control. unit/test_link_connect and the world have what goes wrong with cables.
. tests/tap.sh

BUILD=${BUILD:-build}
SEED=${SEED:-$RANDOM}
SIM=$(realpath "$BUILD")/sim
END=$(realpath "$BUILD")/tests/system/linkend
DIR=$(mktemp -d)
work=$DIR
. tests/support/wait.sh
MODEM='' A='' B=''

export ASAN_OPTIONS=verify_asan_link_order=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}
export BOOTHLINK_SIM=$DIR/shm

# stop PID...: and waits for them
stop() {
    local pid
    for pid; do
        kill "$pid" 2>/dev/null
    done
    wait "$@"
} 2>/dev/null

finish() {
    is_main || return 0
    stop ${A:+"$A"} ${B:+"$B"} ${MODEM:+"$MODEM"}
    rm -rf "$DIR" "$DIR".*
}
trap finish EXIT

# modem: a new cable
modem() {
    [ -z "$MODEM" ] || stop "$MODEM"
    rm -f "$DIR/ready"
    mkfifo "$DIR/ready"
    "$SIM/nullmodem" --a "$DIR/a" --b "$DIR/b" --shm "$DIR/shm" --control "$DIR/control" \
        --seed "$SEED" >"$DIR/ready" &
    MODEM=$!
    read -r _ <"$DIR/ready"
}

tell() {
    "$SIM/nullmodem" --control "$DIR/control" --send "$@" >/dev/null
}

# start a|b ROLE ACTION...: what it says goes to $DIR/a.out; its id is $A or $B
start() {
    : >"$DIR/$1.out" # what the one before said must not be taken for this one's
    LD_PRELOAD=$SIM/shim.so exec "$END" "serial:$DIR/$1" "${@:2}" >"$DIR/$1.out" 2>&1 &
    case $1 in
    a) A=$! ;;
    *) B=$! ;;
    esac
}

# once PORT ROLE ACTION: what one says that cannot begin, and its exit code
once() {
    LD_PRELOAD=$SIM/shim.so "$END" "$@" 2>&1 | tail -1
    echo "exit ${PIPESTATUS[0]}"
}

# heard a|b NUMBER TEXT: has it said so, so often?
heard() { (($(grep -cF -- "$3" "$DIR/$1.out") >= $2)); }

# says_times a|b NUMBER TEXT: waits until it has.
says_times() {
    eventually heard "$@" && return
    sed "s/^/# $1: /" "$DIR/$1.out"
    return 1
}

# says a|b TEXT: waits until it has said so
says() { says_times "$1" 1 "$2"; }

echo "# SEED=$SEED"

# Keys
modem
export TRACE=$DIR/trace
start b entity keys 100
unset TRACE
start a judge echo
wait "$B"
ok "100 keys go there and back in order" says b "received=100 bytes=600 out_of_order=0"
is "a key is 16 bytes on the line, its acknowledgement 9, a hello 24" \
    "$(awk '{print $2}' "$DIR/trace" | sort -un | xargs)" "9 16 24"
ok "the other end is told of the goodbye" says a "down: the other terminal was closed"

start b entity hold
ok "the next one connects" says_times a 2 "up: "
stop "$B"

# Somebody else's port
ok "a busy port names its holder" matches "$(once "serial:$DIR/a" judge hold | xargs)" \
    "/dev/pts/* is held by *linkend (pid $A)*: end that first exit 75"
ok "a port that is not there" matches "$(once "serial:$DIR/none" any hold | xargs)" \
    "there is no device $DIR/none: * exit 66"
ok "a file that is no port" matches "$(once serial:/dev/null any hold | xargs)" \
    "/dev/null is no serial port: * exit 66"
ok "a speed that is none" matches "$(once serial:x@12 any hold | xargs)" \
    "serial:x@12: the speed 12: expected a number from 9600 to 921600 exit 64"
ok "a port that is written wrongly" matches "$(once /dev/ttyS0 any hold | xargs)" \
    "port /dev/ttyS0: a port is written serial:DEVICE* exit 64"

# The device goes and comes back
tell "remove a"
ok "a device that goes is a state" says a "is gone: plug the adapter in again"
tell "restore a"
start b entity keys 20
wait "$B"
ok "and it is taken up again by itself" says b "received=20 "
ok "an end that is told to go frees all" stop "$A"

# Load, with flow control on a full cable
modem
start a judge+rtscts flow 2
start b entity flow 2
wait "$A" "$B"
ok "both directions carry at once" says a "out_of_order=0"
is "no frame is above 20 ms" "$(grep -o 'largest=[0-9]*' "$DIR/a.out")" largest=230
stop "$A" "$B"
A='' B=''

plan
