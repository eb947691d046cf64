#!/bin/bash
# `boothlink check --ticket` at the three machines of a booth: lines and keys are those of the tickets,
# and cables that are exchanged are found by their keys.
. tests/tap.sh
. tests/support/booth.sh

# Before the doors open, by tickets without keys: a broken cable, and cables that are exchanged at the
# judge's machine besides. unit/test_probe has what is found of each cable of wiring/cables.txt.

# booth_begin NAME A B PLUGS: cables A and B of such a wiring, plugged right or exchanged (swapped).
declare -A booths=()
booth_begin() {
    local name=$1 place=$work/$1 left=a right=b end
    booths[$name]="${*:2}"
    cables=
    cable "$name-a" --wiring "$2"
    cable "$name-b" --wiring "$3"
    [[ $4 == right ]] || left=b right=a
    {
        printf '[ticket]\nformat = 1\nrole = judge\nsession = r1-j1\n'
        printf '[line.left]\nport = serial:%s\ncable = a\n' "$place-$left.a"
        printf '[line.right]\nport = serial:%s\ncable = b\n' "$place-$right.a"
    } >"$place.judge"
    for end in a b; do
        printf '[ticket]\nformat = 1\nrole = entity\nsession = r1-j1\n[line]\nport = serial:%s\n%s\n' \
            "$place-$end.b" "cable = $end" >"$place.$end"
        printf '[entity]\nkeyboard = yes\n' >>"$place.$end"
        start "$name.$end.check" check --ticket "$place.$end" --json --quick --wait 200
    done
    start "$name.judge.check" check --ticket "$place.judge" --json --quick --wait 12
}

# judge_found NAME N: outcome and cables of a line.
judge_found() {
    jq -r ".lines[$2] | .outcome + (if .outcome == \"silence\" then \"\" else \":\" + (.cables | join(\",\")) end)" \
        "$work/$1.judge.check.out" 2>&1
}

booth_end() { # NAME, and what the judge is to find of cable A and of cable B
    local name=$1 part lines=(0 1)
    [[ ${booths[$name]} != *swapped ]] || lines=(1 0)
    ended "$name.judge.check"
    is "${booths[$name]}: exit" $? 69
    is "${booths[$name]}: cable A" "$(judge_found "$name" "${lines[0]}")" "$2"
    is "${booths[$name]}: cable B" "$(judge_found "$name" "${lines[1]}")" "$3"
    for part in a b; do
        [[ ! -v pid_of[$name.$part.check] ]] || slay "$name.$part.check"
        slay "$name-$part"
    done
}

booth_begin broken full one-way right
booth_begin swapped short-rts full swapped
booth_end broken met:full mute:data-straight,data-open,one-way,short-data,short-ground
booth_end swapped met:short-rts met:full
is 'that they are swapped is said once for each line' \
    "$(jq -r '.lines[].findings[] | select(.what == "swapped") | .mark' "$work/swapped.judge.check.out" |
        grep -c fault)" 2

cables=
cable left
cable right
for side in left right; do
    "$bl" key new "$work/$side.key" >/dev/null
    printf '[ticket]\nformat = 1\nrole = entity\nsession = r1-j1\n[line]\nport = serial:%s\nkey = %s\n' \
        "$work/$side.b" "$side.key" >"$work/$side.ticket"
    printf '[entity]\nkeyboard = yes\n' >>"$work/$side.ticket"
done
# judges LEFT RIGHT: the judge's ticket, with the cables that are plugged there.
judges() {
    printf '[ticket]\nformat = 1\nrole = judge\nsession = r1-j1\n'
    printf '[line.left]\nport = serial:%s\nkey = left.key\n' "$work/$1.a"
    printf '[line.right]\nport = serial:%s\nkey = right.key\n' "$work/$2.a"
} >"$work/judge.ticket"

# checked NAME: what the checks of all three machines find.
checked() {
    local side
    for side in left right; do
        cables=$work/$side.shm start "$1-$side" check --ticket "$work/$side.ticket" --json --quick --wait 60
    done
    cables=$work/left.shm:$work/right.shm start "$1-judge" check --ticket "$work/judge.ticket" \
        --json --quick --wait 60
    for side in judge left right; do ended "$1-$side" >/dev/null || true; done
    jq -r '.lines[] | .side + " " + .outcome + " " + ([.findings[] | select(.text | test("secret")) | .mark] | join(","))' \
        "$work/$1-judge.out" | xargs
}
judges left right
is 'both lines, each with its own key' "$(checked good)" 'left met right met'
judges right left
is 'cables that are exchanged have the wrong keys' "$(checked swapped)" 'left met fault right met fault'

# Cable B is plugged and cable A is not: the end that calls is met while the other is called by turns; and
# cable A is told first, on whichever side the draw puts it.
# told NAME A B: what is found where cable A is the line of side A, on the side that is so called.
told() {
    {
        printf '[ticket]\nformat = 1\nrole = judge\nsession = r1-j1\n'
        printf '[line.%s]\nport = serial:%s\nkey = left.key\ncable = a\n' "$2" "$work/left.a"
        printf '[line.%s]\nport = serial:%s\nkey = right.key\ncable = b\n' "$3" "$work/right.a"
    } >"$work/judge.ticket"
    cables=$work/right.shm start "$1-b" check --ticket "$work/right.ticket" --json --quick --wait 30
    cables=$work/left.shm:$work/right.shm start "$1-judge" check --ticket "$work/judge.ticket" \
        --json --quick --wait 35
    for end in judge b; do ended "$1-$end" >/dev/null || true; done
    jq -r '.lines[] | .side + " " + .outcome' "$work/$1-judge.out" | xargs
}
is 'cable B alone is plugged, and is met' "$(told first left right)" 'cable A silence cable B met'
is 'also when it is left' "$(told drawn right left)" 'cable A silence cable B met'
printf '[ticket]\nformat = 1\nrole = judge\nsession = r1-j1\n' >"$work/judge.ticket"
said=$("$bl" check --ticket "$work/judge.ticket" 2>&1)
is 'a ticket that is none' "$? $(grep -c 'judge.ticket: \[line.left\] port or' <<<"$said")" '65 1'
plan
