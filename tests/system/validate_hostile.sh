#!/bin/bash
# The validator and communications programs that mean it no good: there is a verdict, with bounded
# memory, and nothing is left, as after ^C in the middle.
. tests/tap.sh
. tests/support/bounded.sh
. tests/support/validate.sh
set -u

mkdir "$work/programs"
cp "$BUILD/tests/system/terminals" "$work/programs/"
judge='./terminals judge {port}'
entity='./terminals entity {port}'

# Its address space, which a program that floods must not make it fill. Sanitizers need much more.
room=400000
! grep -q __asan_init "$bl" || room=unlimited

# validate JUDGE-END ENTITY-END ARGUMENT...
validate() {
    (
        ulimit -v $room
        exec "$bl" validate comms --ruleset loebner-2004 --folder "$work/programs" \
            --rates 10,20 --keys 3 --turns 1 --quiet 0.5 --outage 0.5 --answer 3 --start-time 10 \
            --judge-end "$1" --entity-end "$2" "${@:3}"
    )
}

# hostile NAME JUDGE-END ENTITY-END [ARGUMENT...]: its report goes to $work/NAME.json, its exit
# status to $work/NAME.exit, and how many of its processes are left to $work/NAME.left.
hostile() {
    local mark=mark-$$-$RANDOM-$1
    validate "$2; : $mark {port}" "$3; : $mark {port}" --program './terminals entry' --only comms --json \
        "${@:4}" >"$work/$1.json" 2>"$work/$1.log"
    echo $? >"$work/$1.exit"
    marked "$mark" >"$work/$1.left"
}

hostile probe "$judge" "$entity" --only comms.start
if [[ $(<"$work/probe.exit") == 69 ]] && ! may_be_boxed; then
    skip 'hostile communications programs' "$(<"$work/probe.log")"
    plan
fi

most=8
limited() {
    while (($(jobs -rp | wc -l) >= most)); do
        wait -n
    done
    "$@" &
}

# What the words of the finding must be.
declare -A says=(
    [terminal]='writes without end|the key does not show'
    [entry]='without end'
    [memory]='too much memory'
    [deaf]='nothing was sent on the line'
    [spins]='nothing was sent on the line'
    [sleeps]='nothing was sent on the line'
    [line]='.'
    [hangs-up]='the key does not show|nothing for'
    [closes]='the key does not show|nothing for'
    [dies]='has ended, exit status|signal'
)
limited hostile terminal "$judge" 'yes'
limited hostile entry "$judge" "$entity" --program 'yes' --only mimic.lines

# shellcheck disable=SC2016 # Perl's
limited hostile memory 'perl -e "for (;;) { push @x, q(x) x 1e6 }"' "$entity" --memory 64
limited hostile deaf "trap '' HUP INT TERM; setsid sleep 1000 & while :; do sleep 1; done" "$entity"
limited hostile spins 'while :; do :; done' "$entity"
limited hostile sleeps 'sleep 1000' "$entity"
limited hostile line 'stty -F {port} 115200 raw; yes >{port}' "$entity"
limited hostile hangs-up "$judge hangs-up" "$entity" --rates 1
limited hostile closes "$judge closes" "$entity" --rates 1
limited hostile dies "$judge" "$entity dies" --rates 1
# shellcheck disable=SC2016 # the sandbox's shell's
limited hostile deletes 'cp terminals /tmp; rm -rf "$PWD"/* ~/*; /tmp/terminals judge {port}' "$entity"
if is_bounded; then
    says[forks]='too many processes'
    limited hostile forks 'perl -e "fork while 1"' "$entity"
fi
wait

for name in "${!says[@]}"; do
    is "$name: not accepted" "$(<"$work/$name.exit")" 65
    said=$(jq -r '.checks[] | select(.verdict == "FAIL") | .what, .came' "$work/$name.json")
    ok "$name: it is said why" grep -qE "${says[$name]}" <<<"$said"
    grep -qE "${says[$name]}" <<<"$said" || printf '# %s\n' "$said"
    is "$name: nothing is left" "$(<"$work/$name.left")" 0
done
is_bounded || skip 'a fork bomb' 'root needs control groups with the pids controller'
is 'nothing is wrong with one that deletes its folder' "$(<"$work/deletes.exit")" 1
is 'and has deleted nothing' "$(cd "$work/programs" && echo *)" terminals

# Stopped in the middle, with three sandboxes.
for signal in INT KILL; do
    mark=mark-$$-$RANDOM
    # shellcheck disable=SC2016 # Perl's
    perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' "$bl" validate comms --ruleset loebner-2004 \
        --folder "$work/programs" --only mimic --program "./terminals entry; : $mark" \
        --judge-end "trap '' HUP INT TERM; $judge; : $mark" --entity-end "$entity; : $mark" \
        >/dev/null 2>&1 &
    validator=$!
    # Each command is in the validator's command line, in that of a shell, and in the first process
    # of its sandbox; in the last two of these as long as both play with the Entry.
    run() { (($(marked "$mark") >= 7)); }
    ok "three programs run" eventually run
    kill -$signal $validator
    wait $validator
    is "stopped by SIG$signal" $? $((128 + $(kill -l $signal)))
    gone() { (($(marked "$mark") == 0)); }
    eventually gone
    is "nothing is left after SIG$signal" "$(marked "$mark")" 0
done

# As somebody else than root, where root runs the tests.
if ((EUID != 0)); then
    skip 'an ordinary user validates' 'an ordinary user has done so all the time'
    plan
fi
chmod o+x "$TMPDIR" "$TMPDIR/.." "$work"
cp "$bl" "$work/boothlink"
mkdir -m 777 "$work/home"
user() {
    HOME=$work/home setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}
if ! user "$work/boothlink" version >/dev/null 2>&1 || ! user unshare -Urnm true 2>/dev/null; then
    skip 'an ordinary user validates' 'namespaces are not allowed to users'
    plan
fi
for cable in serial ethernet; do
    port='{port}'
    if [[ $cable == ethernet ]]; then
        port='{here}:{there}'
        if ! user test -r /dev/net/tun; then
            skip 'an ordinary user validates on a hub' 'users may not open /dev/net/tun'
            continue
        fi
    fi
    said=$(user "$work/boothlink" validate comms --ruleset loebner-2004 \
        --folder "$work/programs" --rates 20 --keys 3 --turns 1 --quiet 0.5 --outage 0.5 \
        --program './terminals entry' --judge-end "./terminals judge $port exclusive" \
        --entity-end "./terminals entity $port exclusive" --cable $cable)
    status=$?
    if is_stalled && are_timed <<<"$said"; then
        skip "an ordinary user validates, $cable" 'its programs were stopped, and a verdict is about time'
        continue
    fi
    is "an ordinary user validates, $cable" "$status" 0
    [[ $said == *' 0 failed'* ]] || printf '# %s\n' "$said"
done
plan
