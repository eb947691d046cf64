#!/bin/bash
# `boothlink check --ticket` at the three machines of a booth: lines and keys are those of the tickets,
# and cables that are exchanged are found by their keys.
. tests/tap.sh
. tests/support/booth.sh

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
    for side in judge left right; do ended "$1-$side" || true; done
    jq -r '.lines[] | .side + " " + .outcome + " " + ([.findings[] | select(.text | test("key")) | .mark] | join(","))' \
        "$work/$1-judge.out" | xargs
}
judges left right
is 'both lines, each with its own key' "$(checked good)" 'left met right met'
judges right left
is 'cables that are exchanged have the wrong keys' "$(checked swapped)" 'left met fault right met fault'
printf '[ticket]\nformat = 1\nrole = judge\nsession = r1-j1\n' >"$work/judge.ticket"
said=$("$bl" check --ticket "$work/judge.ticket" 2>&1)
is 'a ticket that is none' "$? $(grep -c 'judge.ticket: \[line.left\] port or' <<<"$said")" '65 1'
plan
