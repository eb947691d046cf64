# shellcheck shell=bash
# Booths over simulated cables, for the system tests: source this after tests/tap.sh. Everything
# lies in $work and is ended and removed at the end, whatever happens.

BUILD=$(realpath "${BUILD:-build}")
bl=$BUILD/boothlink
sim=$BUILD/sim
watch=$BUILD/tests/runner/watch
work=$(mktemp -d "${TMPDIR:-/tmp}/booth.XXXXXX") || exit 1
. tests/support/wait.sh
declare -A pid_of=() # of cables, hubs and terminals
declare -A hub_of=() # of terminals that are at a hub's port of their name
cables=

# In a program that was built with ASan the shim comes before ASan's library: harmless.
export ASAN_OPTIONS=verify_asan_link_order=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}

cleanup() {
    local name
    is_main || return 0
    for name in "${!pid_of[@]}"; do
        kill -9 "${pid_of[$name]}"
        wait "${pid_of[$name]}"
    done
    entries_end "$work"
    rm -rf "$work" "$work".*
} 2>/dev/null
trap cleanup EXIT

# entries_end FOLDER: the Entries that killed terminals left there with their keepers.
entries_end() {
    local line
    while IFS= read -r line; do
        [[ $line == *" -> '$1"* ]] || continue
        line=${line#"'/proc/"}
        kill -9 "${line%%/*}"
    done < <(stat -c %N /proc/[0-9]*/cwd)
} 2>/dev/null

# free_port: one that nobody has, below those that the kernel gives to who connects, which could take it
# from a server that begins again.
free_port() {
    python3 - <<'END'
import random, socket
while True:
    try:
        print(socket.create_server(("127.0.0.1", random.randrange(20000, 32768))).getsockname()[1])
        break
    except OSError:
        pass
END
}

# cable NAME [OPTION...]: a cable between the devices $work/NAME.a and $work/NAME.b.
cable() {
    local name=$1
    mkfifo "$work/$name.ready"
    "$sim/nullmodem" --a "$work/$name.a" --b "$work/$name.b" --shm "$work/$name.shm" \
        --control "$work/$name.control" "${@:2}" >"$work/$name.ready" &
    pid_of[$name]=$!
    read -r _ <"$work/$name.ready"
    rm "$work/$name.ready"
    [[ :$cables: == *":$work/$name.shm:"* ]] || cables+=${cables:+:}$work/$name.shm
}

# may_be_boxed: whether this machine has what hubs and sandboxes need. Asked of the system, for one of ours
# that does not start where it may is a fault, and no reason to skip.
may_be_boxed() { unshare -Urnmp true && : <>/dev/net/tun; } 2>/dev/null

# hub NAME [OPTION...]: a hub; what is started as one of its --port NAMEs runs there, and has an
# eth0. Fails, saying why, where network namespaces cannot be made; where they can, that is a fault.
hub() {
    local name=$1 answer
    mkfifo "$work/$name.ready"
    "$sim/hub" --control "$work/$name.control" "${@:2}" >"$work/$name.ready" 2>"$work/$name.why" &
    pid_of[$name]=$!
    read -r answer <"$work/$name.ready"
    rm "$work/$name.ready"
    if [[ $answer != ready ]]; then
        wait "${pid_of[$name]}"
        unset "pid_of[$name]"
        ! may_be_boxed || bail_out "$(why_no_hub "$name")"
        return 1
    fi
    while (($# > 1)); do
        [[ $1 != --port ]] || hub_of[$2]=$name
        shift
    done
}

# why_no_hub NAME: the reason, for a skip.
why_no_hub() { sed 's/^hub: //' "$work/$1.why"; }

# at PORT COMMAND...: runs it at this port of a hub.
at() {
    "$sim/hub" --control "$work/${hub_of[$1]}.control" --enter "$@"
}

# tell CABLE COMMAND: to the simulator, in one word or several.
tell() {
    local answer
    answer=$("$sim/nullmodem" --control "$work/$1.control" --send "${*:2}" 2>&1) ||
        echo "# $1: ${*:2}: $answer"
}

# booth COMMAND...: a command of boothlink that takes the cables for serial ports.
booth() {
    BOOTHLINK_SIM=$cables LD_PRELOAD=$sim/shim.so "$bl" "$@"
}

# start NAME COMMAND...: the same in the background, in the folder $work; it writes $work/NAME.out
# and .err. At the port NAME of a hub, if there is one.
start() {
    local name=$1
    shift
    # What the one before of this name said must not be taken for this one's.
    : >"$work/$name.out"
    : >"$work/$name.err"
    (
        cd "$work" || exit
        if [[ -v hub_of[$name] ]]; then
            exec "$sim/hub" --control "$work/${hub_of[$name]}.control" --enter "$name" \
                "$bl" "$@" >"$name.out" 2>"$name.err"
        fi
        BOOTHLINK_SIM=$cables LD_PRELOAD=$sim/shim.so exec "$bl" "$@" >"$name.out" 2>"$name.err"
    ) </dev/null &
    pid_of[$name]=$!
}

runs() { kill -0 "${pid_of[$1]}" 2>/dev/null; }
is_over() { ! runs "$1"; }

# complaints NAME: what it has written to standard error.
complaints() {
    [[ ! -s $work/$1.err ]] || sed "s/^/# $1: /" "$work/$1.err"
}

# ended NAME: waits for its end and returns its exit status, 99 if it does not end.
ended() {
    local status pid=${pid_of[$1]}
    if ! eventually is_over "$1"; then
        echo "# $1 does not end"
        return 99
    fi
    wait "$pid"
    status=$?
    unset "pid_of[$1]"
    complaints "$1"
    return $status
}

# slay NAME: kill -9, without bash's word about it.
slay() {
    complaints "$1"
    {
        kill -9 "${pid_of[$1]}"
        wait "${pid_of[$1]}"
    } 2>/dev/null
    unset "pid_of[$1]"
}

# stop NAME: the orderly end by a signal, if it has not ended; returns its exit status.
stop() {
    kill "${pid_of[$1]}" 2>/dev/null
    ended "$1"
}

# answerers FOLDER: entities at the cables left and right, as left-entity and right-entity, which
# answer a judge; their journals go to FOLDER-left and FOLDER-right.
answerers() {
    local side
    printf 'pace 50\ntype I answer.\n' >"$work/answers.script"
    for side in left right; do
        start "$side-entity" entity --line "serial:$work/$side.b" --journal "$1-$side" --headless \
            --script "$work/answers.script"
    done
}
answerers_stop() {
    stop left-entity >/dev/null
    stop right-entity >/dev/null
}

# report NAME JQ: of the final report.
report() {
    jq -r "$2" "$work/$1.out" 2>&1
}

# agrees OUTCOME: whether the ends have agreed on a segment's end: before the cut, or, where the
# machine had so much else to do that half a second was too short, after it.
agrees() { [[ $1 == @(agreed|settled) ]]; }

# entries JOURNAL JQ: of every entry of a journal.
entries() {
    "$bl" journal show "$1" --json | jq -r "$2"
}

# notes JOURNAL CODE: the texts of its notes of that kind.
notes() { "$watch" 0 notes "$@"; }

# says JOURNAL CODE TEXT: is such a note there, with this in it?
says() { "$watch" 0 notes "$@" >/dev/null; }
wait_for[says]=notes

# events JOURNAL [OPTION...]: the ordered events, one on a line: what both ends have. The side
# and when a key was pressed are of one end only, and so are comments.
events() {
    "$bl" transcript convert "$1" --to keys "${@:2}" | sed '/^#/d' | cut -d ' ' -f 1,3,4,6-
}

# typed PARTY: of events, the keys of one party, in words.
typed() {
    awk -v party="$1" '$2 == party { print $4 }'
}

# typed_in JOURNAL PARTY [SIDE]: the same of a journal, without the events.
typed_in() { "$watch" 0 typed "$@"; }

# keys_in JOURNAL: how many keys have their place in it.
keys_in() { "$watch" 0 keys "$1" 0; }

has_keys() { "$watch" 0 keys "$@" >/dev/null; }
wait_for[has_keys]=keys

# level JOURNAL JOURNAL: have both ends as many keys? The judge's has a key first; an end that is stopped or
# killed meanwhile has the beginning.
level() { (($(keys_in "$1") == $(keys_in "$2"))); }

# equal DESCRIPTION FILE FILE: the same bytes, and not none.
equal() {
    local status
    [[ -s $2 ]] && cmp -s "$2" "$3"
    status=$?
    result $status "$1"
    ((status == 0)) || diff "$2" "$3" | head -20 | sed 's/^/# /'
}

# same_events DESCRIPTION: $work/events.judge and events.entity, in which both have said something.
same_events() {
    equal "$1: the ordered events are the same" "$work/events.judge" "$work/events.entity"
    ok "$1: both have said something" test \
        "$(typed judge <"$work/events.judge" | wc -l)" -gt 3 -a \
        "$(typed entity <"$work/events.judge" | wc -l)" -gt 3
}
