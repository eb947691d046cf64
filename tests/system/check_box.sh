#!/bin/bash
# `boothlink check --ticket` at the three machines of a booth whose lines go through the controller's
# box, before the doors open: each fault of wiring/box.txt on either cable, and cables that are swapped
# at the box, at the entities' machines, or a judge's with an entity's. SOAK=1 tries all of them;
# unit/test_probe has what is found of each.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/controlled.sh

# What the judge's end and the entity's are to find of each row, as OUTCOME or OUTCOME:CABLE,CABLE.
# Where no data comes, nothing tells the rows apart: both ends say so, and how to.
met=met:box,handshake-open,handshake-short,crossed-both
to_judge=deaf:open-3-judge,open-2-entity # the judge hears, and is not heard
to_entity=deaf:open-2-judge,open-3-entity
declare -A wanted=(
    [box]="$met $met"
    [handshake-open]="$met $met"
    [handshake-looped-judge]='met:handshake-looped-judge met:handshake-looped-judge'
    [handshake-looped-entity]='met:handshake-looped-entity met:handshake-looped-entity'
    [handshake-short]="$met $met"
    [crossed-both]="$met $met"
    [crossed-judge]='silence silence'
    [crossed-entity]='silence silence'
    [open-2-judge]="silence $to_entity"
    [open-3-judge]="$to_judge silence"
    [open-5-judge]='silence silence'
    [open-2-entity]="$to_judge silence"
    [open-3-entity]="silence $to_entity"
    [open-5-entity]='silence silence'
    [none-judge]='silence silence'
    [none-entity]='silence silence'
)
mapfile -t names < <(awk '$1 == "box" { print $2 }' wiring/box.txt)
mapfile -t faults < <(awk '$1 == "box" && $3 == "fault" { print $2 }' wiring/box.txt)
is 'every row of the table is tested' "$(printf '%s\n' "${names[@]}" | sort | xargs)" \
    "$(printf '%s\n' "${!wanted[@]}" | sort | xargs)"

# ticket FILE ROLE: begins one; its lines are read from the input.
ticket() {
    printf '[ticket]\nformat = 1\nrole = %s\nsession = r1-j1\n' "$2"
    cat
} >"$work/$1"

# booth_begin NAME A B PLUGS: a booth whose cables A and B are such rows, plugged: right, at the other
# one's sockets of the box (swapped), at the other one's entity (ends), or A's judge and B's entity
# exchanged at the box (exchanged). The checks of all three machines run from here.
declare -A booths=()
booth_begin() {
    local name=$1 place=$work/$1 left=$1-a right=$1-b a=$1-a b=$1-b
    booths[$name]="${*:2}"
    cables=
    cable "$name-a" --wiring "$2"
    cable "$name-b" --wiring "$3"
    case $4 in
    swapped) left=$1-b right=$1-a ;;
    ends) a=$1-b b=$1-a ;;
    exchanged) # the wire between X1 and X2 has both entities, that between X3 and X4 both ports
        left=$1-b right=$1-a ;;
    esac
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
port = serial:$([[ $4 == exchanged ]] && echo "$place-b.a" || echo "$work/$a.b")
cable = a
controller = yes
[entity]
keyboard = yes
END
    ticket "$name.b" entity <<END
[line]
port = serial:$work/$b.b
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
    local name=$1 a b plugs right=69 hears
    read -r a b plugs <<<"${booths[$1]}"
    [[ $plugs == right && " ${faults[*]} " != *" $a "* && " ${faults[*]} " != *" $b "* ]] && right=0
    ended "$name.judge.check"
    is "$name (${booths[$name]}): exit" $? $right
    case $plugs in
    right)
        is "$name (${booths[$name]}): cable A" "$(line "$name.judge" 0)" "${wanted[$a]% *}"
        is "$name (${booths[$name]}): cable B" "$(line "$name.judge" 1)" "${wanted[$b]% *}"
        entity_is "$name" a "${wanted[$a]#* }"
        entity_is "$name" b "${wanted[$b]#* }"
        is "$name: no swap is told" "$(faults_of "$name.judge" swapped)" ''
        ;;
    swapped)
        # Each port hears, if it can, while the other one's cable is closed.
        hears=
        [[ ${wanted[$b]% *} == silence ]] ||
            hears+='with the line of cable A joined alone, the port of cable B hears the other end: the two cables are swapped '
        [[ ${wanted[$a]% *} == silence ]] ||
            hears+='with the line of cable B joined alone, the port of cable A hears the other end: the two cables are swapped '
        is "$name (${booths[$name]}): swapped" "$(faults_of "$name.judge" swapped | tr '\n' ' ')" "$hears"
        ;;
    ends)
        is "$name (${booths[$name]}): swapped" "$(faults_of "$name.judge" swapped)" \
            "this end is cable A's by its ticket, the other end cable B's: the two cables are swapped
this end is cable B's by its ticket, the other end cable A's: the two cables are swapped"
        ended "$name.a.check"
        ok "$name: an entity's machine says so too" grep -q 'cable A.s by its ticket' \
            <<<"$(faults_of "$name.a" swapped)"
        ;;
    exchanged)
        ok "$name (${booths[$name]}): a judge's plug and an entity's" grep -q 'are exchanged at the controller' \
            <<<"$(faults_of "$name.judge" exchanged)"
        ended "$name.a.check"
        is "$name: both entities hear each other" "$(line "$name.a" 0 | cut -d : -f 1)" 'same side'
        ok "$name: what to do" grep -q 'X1 and X3 are the judge' <<<"$(next_of "$name.a")"
        ;;
    esac
    if [[ $a == crossed-judge && $plugs == right ]]; then
        ok 'of a silent line it is said how to tell its causes apart' grep -q 'join pins 2 and 3 in its plug' \
            <<<"$(next_of "$name.judge")"
    fi
    if [[ $a == handshake-looped-judge && $plugs == right ]]; then
        ok 'and a handshake that does no harm is named so' grep -q harmless "$work/$name.judge.check.out"
    fi
    local part
    for part in a.check b.check judge.check; do
        [[ ! -v pid_of[$name.$part] ]] || slay "$name.$part"
    done
    for part in "c.$name" "$name-a" "$name-b"; do slay "$part"; done
}

# all NAME=BOOTH...: so many at once as a machine can simulate.
all() {
    local one name
    for one; do
        name=${one%%=*}
        # shellcheck disable=SC2086 # four words
        booth_begin "$name" ${one#*=}
    done
    for one; do booth_end "${one%%=*}"; done
}

if [[ ${SOAK-} ]]; then
    list=()
    for name in "${names[@]}"; do
        for plugs in right swapped; do
            list+=("n${#list[@]}=$name box $plugs" "n$((${#list[@]} + 1))=box $name $plugs")
        done
    done
    for ((i = 0; i < ${#list[@]}; i += 6)); do all "${list[@]:i:6}"; done
    all 'ends=box box ends' 'exchanged=box box exchanged'
else
    all 'looped=handshake-looped-judge open-3-judge right' 'crossed=crossed-judge open-2-entity right' \
        'exchanged=crossed-both box exchanged'
fi

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
