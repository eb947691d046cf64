#!/bin/bash
# `boothlink check --ticket` at the three machines of a booth whose lines go through the controller's
# box, before the doors open: some faults of wiring/box.txt, of which unit/test_probe has each, and a
# judge's plug at the box that is exchanged with an entity's.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/controlled.sh

# What the judge's end and the entity's are to find of each row, as OUTCOME or OUTCOME:CABLE,CABLE.
# Where no data comes, nothing tells the rows apart: both ends say so, and how to.
declare -A wanted=(
    [handshake-looped-judge]='met:handshake-looped-judge met:handshake-looped-judge'
    [crossed-judge]='silence silence'
    [open-3-judge]='deaf:open-3-judge,open-2-entity silence'
    [open-2-entity]='deaf:open-3-judge,open-2-entity silence'
)

# ticket FILE ROLE: begins one; its lines are read from the input.
ticket() {
    printf '[ticket]\nformat = 1\nrole = %s\nsession = r1-j1\n' "$2"
    cat
} >"$work/$1"

# booth_begin NAME A B PLUGS: a booth whose cables A and B are such rows, plugged right, or A's judge and
# B's entity exchanged at the box. The checks of all three machines run from here.
declare -A booths=()
booth_begin() {
    local name=$1 place=$work/$1 left=$1-a right=$1-b
    booths[$name]="${*:2}"
    cables=
    cable "$name-a" --wiring "$2"
    cable "$name-b" --wiring "$3"
    # The wire between X1 and X2 has both entities then, that between X3 and X4 both ports.
    [[ $4 == right ]] || left=$1-b right=$1-a
    controller "c.$name" "$left" "$right"
    ticket "$name.judge" judge <<END
[line.left]
port = serial:$place-a.a
cable = a
[line.right]
port = serial:$([[ $4 == exchanged ]] && echo "$place-a.b" || echo "$place-b.a")
cable = b
[controller]
port = $work/c.$name
END
    ticket "$name.a" entity <<END
[line]
port = serial:$([[ $4 == exchanged ]] && echo "$place-b.a" || echo "$place-a.b")
cable = a
controller = yes
[entity]
keyboard = yes
END
    ticket "$name.b" entity <<END
[line]
port = serial:$place-b.b
cable = b
controller = yes
[entity]
keyboard = yes
END
    start "$name.a.check" check --ticket "$name.a" --json --quick --wait 200
    start "$name.b.check" check --ticket "$name.b" --json --quick --wait 200
    start "$name.judge.check" check --ticket "$name.judge" --json --quick
}

# line NAME.MACHINE N: outcome and rows that a check has found of its line N.
line() {
    jq -r ".lines[$2] | .outcome + (if .outcome == \"silence\" then \"\" else \":\" + (.cables | join(\",\")) end)" \
        "$work/$1.check.out" 2>&1
}
faults_of() { # NAME.MACHINE WHAT: the words of these findings
    jq -r ".lines[].findings[] | select(.what == \"$2\" and .mark == \"fault\") | .text" \
        "$work/$1.check.out" 2>&1
}
next_of() { jq -r '.lines[].next[]' "$work/$1.check.out" 2>&1; }

# entity_is NAME MACHINE WANTED: what an entity's machine has found; who hears nothing waits on.
entity_is() {
    if [[ $3 == silence ]]; then
        ok "$1 (${booths[$1]}): entity $2 hears nothing" runs "$1.$2.check"
        return
    fi
    ended "$1.$2.check"
    is "$1 (${booths[$1]}): entity $2" "$(line "$1.$2" 0)" "$3"
}

booth_end() {
    local name=$1 a b plugs part
    read -r a b plugs <<<"${booths[$1]}"
    ended "$name.judge.check"
    is "$name (${booths[$name]}): exit" $? 69
    if [[ $plugs == right ]]; then
        is "$name (${booths[$name]}): cable A" "$(line "$name.judge" 0)" "${wanted[$a]% *}"
        is "$name (${booths[$name]}): cable B" "$(line "$name.judge" 1)" "${wanted[$b]% *}"
        entity_is "$name" a "${wanted[$a]#* }"
        entity_is "$name" b "${wanted[$b]#* }"
        is "$name: no swap is told" "$(faults_of "$name.judge" swapped)" ''
    else
        ok "$name (${booths[$name]}): a judge's plug and an entity's" grep -q 'are exchanged at the controller' \
            <<<"$(faults_of "$name.judge" exchanged)"
        ended "$name.a.check"
        is "$name: both entities hear each other" "$(line "$name.a" 0 | cut -d : -f 1)" 'same side'
        ok "$name: what to do" grep -q 'X1 and X3 are the judge' <<<"$(next_of "$name.a")"
    fi
    if [[ $name == crossed ]]; then
        ok 'of a silent line it is said how to tell its causes apart' grep -q 'join pins 2 and 3 in its plug' \
            <<<"$(next_of "$name.judge")"
    elif [[ $name == looped ]]; then
        ok 'and a handshake that does no harm is named so' grep -q harmless "$work/$name.judge.check.out"
    fi
    for part in a.check b.check judge.check; do
        [[ ! -v pid_of[$name.$part] ]] || slay "$name.$part"
    done
    for part in "c.$name" "$name-a" "$name-b"; do slay "$part"; done
}

booth_begin looped handshake-looped-judge open-3-judge right
booth_begin crossed crossed-judge open-2-entity right
booth_begin exchanged crossed-both box exchanged
for name in looped crossed exchanged; do booth_end $name; done

# A machine that stands still until the next line is joined hears the other end of that one: no swap.
booth_begin late crossed-judge open-2-entity right
# The self-test joins lines too; the plan is held by a process of its own.
planned() { [[ $(<"/proc/$1/task/$1/children") ]] && is_closed c.late left; }
ok 'one line is joined' eventually planned "${pid_of[late.judge.check]}"
kill -STOP "${pid_of[late.judge.check]}"
ok 'and then the other one' eventually is_closed c.late right
kill -CONT "${pid_of[late.judge.check]}"
ended late.judge.check
is 'late: it fails' $? 69
is 'late: no swap is told' "$(faults_of late.judge swapped)" ''
ok 'late: but to check again' grep -q 'too slow to ask the other port' <<<"$(next_of late.judge)"
plan
