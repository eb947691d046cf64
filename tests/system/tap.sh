#!/bin/bash
# A referee's listener on a serial line, by a Y-cable with two receivers: the transcript of what it heard
# is the judge's, byte for byte; what it missed is named.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/listener.sh

cable listener_a
cable listener_b
cable line --listener-a "$work/listener_a.b" --listener-b "$work/listener_b.b"
"$bl" key new "$work/line.key" >"$work/words" 2>&1
"$bl" key referee "$work/referee.key"
printf '%s\n' 'pace 20' 'type "who is there\nh\bwell\n"' >"$work/judge.keys"
printf '%s\n' 'pace 30' 'type "nobody, \u{e9} and more\n"' >"$work/entity.keys"
mkdir "$work/heard"

# session NAME JUDGE'S-OPTIONS... -- OPTIONS-OF-BOTH...
session() {
    local name=$1 judge=()
    shift
    while [[ $1 != -- ]]; do
        judge+=("$1")
        shift
    done
    shift
    start judge judge --left "serial:$work/line.a" --starts either --session "$name" --headless \
        --script "$work/judge.keys" --journal "$work/judge" "${judge[@]}" "$@"
    start entity entity --line "serial:$work/line.b" --session "$name" --headless \
        --script "$work/entity.keys" --journal "$work/entity" "$@"
    ended judge
    is "$name: the judge's end ends well" $? 0
    ended entity
    is "$name: the entity's too" $? 0
}

# same NAME: the transcript of what was heard and the judge's.
same() {
    "$bl" transcript convert "$work/judge/$1-judge.journal" --to keys >"$work/$1.said"
    "$bl" transcript convert "$work/heard/$1-tap.journal" --to keys >"$work/$1.heard"
    equal "$1: the transcript is the judge's, byte for byte" "$work/$1.heard" "$work/$1.said"
}

# A port that was only listened at gets its settings back.
stty -F "$work/listener_b.a" 19200 ixon icanon
before=$(stty -F "$work/listener_b.a" -g)
start short tap --serial "serial:$work/listener_b.a" --serial "serial:$work/listener_a.a" --journal "$work/short"
ok 'it listens for a while' eventually grep -qF listening "$work/short.out"
stop short
is 'its port has the settings of before' "$(stty -F "$work/listener_b.a" -g)" "$before"

# The receivers are given in the wrong order: which end is whose is heard.
start tap tap --serial "serial:$work/listener_b.a" --serial "serial:$work/listener_a.a" \
    --referee-key "$work/referee.key" --line-key "$work/line.key" --journal "$work/heard"
hears 'it listens' listening
session plain --
hears 'the goodbye is told' 'one end said goodbye'
session sealed --referee "$work/referee.key.pub" -- --key "$work/line.key"
hears 'the session is named' 'session sealed'

# One that it does not hear from its beginning, and of which it misses a part.
session_late() {
    start judge judge --left "serial:$work/line.a" --starts either --session late --headless \
        --script "$work/judge.keys" --journal "$work/judge"
    start entity entity --line "serial:$work/line.b" --session late --headless \
        --script "$work/late.keys" --journal "$work/entity"
}
{
    echo 'pace 60' # frames have numbers of 8 bits: of fewer than 128 in a row it is told how many
    for i in {1..6}; do printf 'type "this is sentence number %d of them\\n"\n' "$i"; done
} >"$work/late.keys"
session_late
eventually heard 'session late'
eventually has_keys "$work/judge/late-judge.journal" 40
tell listener_a unplug
eventually has_keys "$work/judge/late-judge.journal" 80
tell listener_a plug
ended judge
ended entity
hears 'what it missed is named' 'gap: keys '
ok 'and said to be frames missed' heard "of the judge's end missed"
# A receiver whose adapter is pulled is taken up again when it is plugged in.
tell listener_b remove a
hears 'that a receiver is gone is told' "gap: nothing is heard: $work/listener_b.a is gone"
tell listener_b restore a
hears 'and that it is heard again' "gap: serial:$work/listener_b.a is heard again, from here on"
session again --
stop tap
is 'it ends well' $? 0
same plain
same sealed
same again
"$bl" transcript convert "$work/heard/late-tap.journal" --to keys | sed '/^#/d' >"$work/late.heard"
"$bl" transcript convert "$work/judge/late-judge.journal" --to keys >"$work/late.said"
ok 'it heard something of the other one' test -s "$work/late.heard"
is 'what it heard of that is the judge'"'"'s too' "$(grep -vxFf "$work/late.said" "$work/late.heard")" ''
ok 'and it is not all' test "$(wc -l <"$work/late.heard")" -lt "$(grep -vc '^#' "$work/late.said")"
plan
