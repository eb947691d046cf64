#!/bin/bash
# The simulated controller as a device: sentences over its pty, its relay in a simulated cable, the
# steward's hands by its control socket.
. tests/tap.sh

sim=$BUILD/sim
. tests/support/controlled.sh
elf=$BUILD/firmware/$board/boothlink.elf
name=$(tools/board.pl get "$board" name)
work=$TMPDIR/work
. tests/support/wait.sh
pids=()
trap 'kill "${pids[@]}" 2>/dev/null' EXIT

# start NAME PROGRAM...: in the background, until it says that it is ready.
start() {
    local name=$1
    shift
    "$@" >"$TMPDIR/$name.out" 2>"$TMPDIR/$name.err" </dev/null &
    pids+=($!)
    eventually grep -q ready "$TMPDIR/$name.out"
}

# say BODY: as a sentence.
say() {
    local sum=0 i code
    for ((i = 0; i < ${#1}; i++)); do
        printf -v code %d "'${1:i:1}"
        ((sum ^= code))
    done
    printf '$%s*%02X\r\n' "$1" $sum >&3
}

# hear PATTERN: reads sentences until one matches. Beats when nothing comes; then read may have taken
# the beginning of a sentence, which is held.
held=
hear() {
    local part line beats=0
    while ((beats < 2 * patience)); do
        if IFS= read -r -t 0.5 part <&3; then
            line=$held$part held=
            # shellcheck disable=SC2053 # the right side is a pattern
            [[ $line == "$"$1 ]] && return
        else
            held+=$part
            ((++beats))
            say BLBEA,00A1
        fi
    done
    return 1
}

control() {
    "$sim/controller" --control "$TMPDIR/control" --send "$@"
}

resets_are() {
    [[ $(control status | jq .resets) == "$1" ]]
}

plugged() {
    [[ $("$sim/nullmodem" --control "$TMPDIR/cable" --send stats | jq .plugged) == "$1" ]]
}

start cable "$sim/nullmodem" --a "$TMPDIR/a" --b "$TMPDIR/b" --control "$TMPDIR/cable"
start controller "$sim/$simulated" --elf "$elf" --port "$TMPDIR/port" \
    --control "$TMPDIR/control" --left "$TMPDIR/cable" --store "$TMPDIR/store" --speed 2 --reset-on-open
exec 3<>"$TMPDIR/port"

ok 'opening the port resets the board' eventually resets_are 2
ok 'it boots' hear 'BLEVT,*,BOOT,*'
say BLHEL,00A1
ok 'it takes a host' hear "BLHEL,00A1,1,$name,BUTTON,0,32768*"
ok 'the relay is open' eventually plugged false
for sentence in BLPLN,00A1,1,1,3600 BLSEG,00A1,0,50,1,0; do
    say $sentence
    ok "it takes $sentence" hear 'BLACK,*'
done
say BLFIX,00A1
ok 'it stores the plan' hear 'BLEVT,00A1,READY,*'
say BLRUN,00A1,0
ok 'the segment opens' hear 'BLEVT,00A1,OPEN,*'
ok 'the relay closes the cable' eventually plugged true
control 'key pause' >/dev/null
ok 'the key pauses' hear 'BLEVT,00A1,PAUSED,*'
ok 'the relay opens the cable' eventually plugged false
control 'key run' >/dev/null
ok 'the key lets it go on' hear 'BLEVT,00A1,OPEN,*'
ok 'the relay closes the cable again' eventually plugged true
control 'power off' >/dev/null
ok 'without power the relay opens' eventually plugged false
control 'power on' >/dev/null
ok 'it boots again' hear 'BLEVT,*,BOOT,*'
say BLHEL,00A1
ok 'it knows why it was reset, and its plan' hear "BLHEL,00A1,1,$name,POWER,[1-9]*,32768*"
ok 'it goes on' hear 'BLEVT,00A1,OPEN,*'
ok 'the segment ends' hear 'BLEVT,00A1,CUT,0,0*'
ok 'the relay opens at its end' eventually plugged false
is 'a command that is none' "$(control nonsense)" 'error: nonsense: no such command, see controller --help'
control quit >/dev/null
ok 'it ends' eventually test ! -e "$TMPDIR/port"
is 'its store is kept' "$(stat -c %s "$TMPDIR/store")" "$([[ $board == uno ]] && echo 1024 || echo 8192)"
plan
