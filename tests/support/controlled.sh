# shellcheck shell=bash
# Simulated controllers (the firmware's own binary) with their relays in simulated cables: source
# this beside tests/support/booth.sh.
# shellcheck disable=SC2154 # which gives work, sim, cables and pid_of

# The board that is simulated, and its program: CONTROLLER=pico takes the other microcontroller.
board=${CONTROLLER:-uno}
[[ $board == uno ]] && simulated=controller || simulated=$board

# patient SCRIPT: the rest of the script, up to three times while a machine that has more to do gets
# in its way, the last times with real-time scheduling where that is allowed: a cut comes half a second
# after its notice, whatever the ends are doing. Call it first. Processes that are stopped for up to 2 s
# miss most of the cuts.
patient() {
    local try tries=3 out status run=()
    [[ ! ${TRYING-} ]] || return
    out=$(mktemp) || exit 1
    ! is_stalled || tries=12
    for ((try = 0; try < tries; try++)); do
        TRYING=1 "${run[@]}" "$1" >"$out"
        status=$?
        ((status == 75)) || break
        echo "# this machine stood still around a cut: once more"
        ! chrt --rr 5 true 2>/dev/null || run=(chrt --rr 5)
    done
    cat "$out"
    rm "$out"
    exit $status
}

# agreed NAME SIDE...: leaves a try in which the judge's end NAME had no answer in time.
agreed() {
    local name=$1 side
    shift
    for side; do
        [[ $(report "$name" ".sides.$side.end") != unconfirmed ]] || exit 75
    done
}

# controller NAME LEFT RIGHT [OPTION...]: one at the device $work/NAME, in these cables ('' for
# none), with the key at RUN.
controller() {
    local name=$1 left=$2 right=$3 firmware=$BUILD/firmware/$board/boothlink.elf
    shift 3
    mkfifo "$work/$name.ready"
    "$sim/$simulated" --elf "$firmware" --port "$work/$name" --shm "$work/$name.shm" \
        --control "$work/$name.control" ${left:+--left "$work/$left.control"} \
        ${right:+--right "$work/$right.control"} "$@" >"$work/$name.ready" &
    # shellcheck disable=SC2034,SC2004 # it is a map
    pid_of[$name]=$!
    read -r _ <"$work/$name.ready"
    rm "$work/$name.ready"
    [[ :$cables: == *":$work/$name.shm:"* ]] || cables+=${cables:+:}$work/$name.shm
}

# steward NAME COMMAND: a hand at it, "key pause", "button press", "reset".
steward() {
    local answer
    answer=$("$sim/controller" --control "$work/$1.control" --send "${*:2}" 2>&1) ||
        echo "# $1: ${*:2}: $answer"
}

# key_at NAME RUN|PAUSE: does the controller see its key there?
key_at() { [[ $(booth controller status "$work/$1" --json) =~ \"key\":\ ?\"$2\" ]]; }

# is_closed NAME left|right, is_cut NAME left|right: the contacts of that relay.
is_closed() {
    local status
    status=$("$sim/controller" --control "$work/$1.control" --send status)
    [[ $status =~ \"$2\":\ ?true ]]
}
is_cut() { ! is_closed "$@"; }

# did JOURNAL TEXT: has the controller done that, by the journal?
did() { says "$1" controller "$2"; }

# left_of JOURNAL PART: what the record says, again and again, is left of a part, in ms.
left_of() {
    entries "$1" "select(.kind == \"segment\" and .index == $2 - 1 and .state != \"waiting\") |
        .remaining_us / 1000 | floor"
}

# grows: those of the numbers that are more than the one before.
grows() { awk 'NR > 1 && $1 > last { print last, "->", $1 } { last = $1 }'; }
