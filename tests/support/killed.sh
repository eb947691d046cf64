# shellcheck shell=bash
# A command that is killed (kill -9) before each of its system calls that change a file, and then run
# again: source this behind tests/tap.sh. It needs strace. EVERY=1 takes each call, as `make soak`
# does; else one of EVERY in turn, drawn by SEED: a step would meet the same calls of each file.

EVERY=${EVERY:-$((${SOAK:-0} ? 1 : 24))}
SEED=${SEED:-$RANDOM}
export ASAN_OPTIONS=detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS} # cannot look under strace
changing=write,pwrite64,writev,fsync,fdatasync,ftruncate,rename,renameat2,unlink,rmdir,mkdir

# killed DESCRIPTION PREPARE COMMAND CHECK: functions. PREPARE makes things as they were, in each
# turn; COMMAND is told to run as "$@" and what stands before it; CHECK says whether all is well
# after a run that was let alone. Processes that it starts are followed, unless FOLLOW is empty.
killed() {
    local description=$1 prepare=$2 command=$3 check=$4 bad="" status tries from left call moments follow=(-f)
    [[ ${FOLLOW-f} ]] || follow=()
    "$prepare" && "$command" strace -qq "${follow[@]}" -o "$TMPDIR/calls" -e trace=$changing >/dev/null 2>&1 &&
        "$check" || bad='a run that is let alone'
    # strace counts each call by itself: "3 rename" is the third one.
    mapfile -t moments < <(sed -nE 's/^([0-9]+ +)?([a-z0-9]+)\(.*/\2/p' "$TMPDIR/calls" |
        awk '{ print ++count[$1], $1 }')
    echo "# SEED=$SEED, ${#moments[@]} calls, one in $EVERY"
    ((${#moments[@]})) || bad='a run that is let alone changes no file'
    RANDOM=$SEED
    for ((from = 0; from < ${#moments[@]} && ${#bad} == 0; from += EVERY)); do
        left=$((${#moments[@]} - from))
        call=${moments[from + RANDOM % (EVERY < left ? EVERY : left)]}
        # A tracer that is stopped itself (STALL) can miss a call.
        for ((tries = 1 + 2 * ${STALLED:-0}; tries; tries--)); do
            "$prepare" || bad="$call: prepare"
            "$command" strace -qq "${follow[@]}" -o /dev/null -e trace=$changing \
                -e inject="${call#* }:signal=KILL:when=${call% *}" >/dev/null 2>&1
            status=$?
            ((status != 137)) || break
        done
        ((status == 137)) || bad="$call: it was not killed, but ended with $status"
        "$command" >"$TMPDIR/again" 2>&1 || bad="$call: the next start: $(<"$TMPDIR/again")"
        [[ $bad ]] || "$check" || bad="$call: after the next start"
    done
    is "$description: killed at any call, the next start goes on" "$bad" ''
}
