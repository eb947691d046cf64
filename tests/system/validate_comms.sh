#!/bin/bash
# The validator and communications programs: one that matches its Entry passes, also the templates
# for entrants; one with a single fault fails that check, and no other of its family; with SOAK=1 no other at all.
. tests/tap.sh
. tests/support/validate.sh
set -u

mkdir "$work/programs"
cp "$BUILD/tests/system/terminals" "$work/programs/"

# As little waiting as tells good from bad.
quick=(--rates '10,20' --keys 3 --turns 1 --quiet 0.5 --outage 0.5 --json)

# validate NAME ARGUMENT...: its report goes to $work/NAME.json, its exit status to $work/NAME.exit.
validate() {
    local name=$1
    shift
    "$bl" validate comms --ruleset loebner-2004 --folder "$work/programs" "${quick[@]}" "$@" \
        >"$work/$name.json" 2>"$work/$name.log"
    echo $? >"$work/$name.exit"
}

# fault NAME [ARGUMENT...]: the pair with that fault.
fault() {
    local only=()
    [[ ! ${finds[$1]-} || ${SOAK-} ]] || only=(--only "comms.start,${finds[$1]%%.*}")
    validate "$1" "${only[@]}" --program './terminals entry' --judge-end "./terminals judge {port} $1" \
        --entity-end "./terminals entity {port} $1" "${@:2}"
}

# Each fault, and the one check that finds it.
declare -A finds=(
    [start]=comms.start
    [file]=comms.separate
    [line-judge]=comms.keys
    [line-entity]=comms.both
    [line-echo]=mimic.lines
    [cell]=mimic.text
    [colour]=mimic.colours
    [cursor]=mimic.cursor
    [title]=mimic.title
    [bell]=mimic.bell
    [late]=mimic.echo
    [pace]=mimic.gaps
    [heart]=fault.cable
    [once-judge]=fault.restart.judge
    [once-entity]=fault.restart.entity
    [noise]=fault.garbage
    [third]=comms.keys
    [wall]=mimic.text
)

# What draws windows is recorded for people to look at: no fault is found in it.
is 'each check is failed by one of them' \
    "$(comm -3 <("$bl" validate list --json | jq -r '.[] | select(.kind == "comms").id' | sort -u) \
        <(printf '%s\n' "${finds[@]}" windows.record | sort -u))" ''

fault good --only comms.start
if [[ $(<"$work/good.exit") == 69 ]] && ! may_be_boxed; then
    skip 'communications programs' "$(<"$work/good.log")"
    plan
fi

# examples CABLE: the templates for entrants.
examples() {
    validate "$1" --program './entry --name Kim --pace 40' --judge-end './comms {port}' \
        --entity-end './comms {port}' --cable "$1" "${@:2}"
}
for program in entry comms; do
    "${CC:-cc}" -O2 -o "$work/programs/$program" "host/share/examples/$program.c" ||
        result 1 "the template $program can be compiled"
done

# All at once: they wait most of their time. A few at a time, for each is several programs.
most=10
limited() {
    while (($(jobs -rp | wc -l) >= most)); do
        wait -n
    done
    "$@" &
}
for name in "${!finds[@]}"; do
    case $name in
    pace) limited fault pace --program './terminals entry 6' --rates 5 ;;
    heart) limited fault heart --outage 6 ;;
    third) limited fault third --keys 6 ;;
    wall) limited fault wall --program './terminals entry 45 whole-wall' ;;
    *) limited fault "$name" ;;
    esac
done
limited fault good
limited fault exclusive
limited fault redraw --program './terminals entry 45 redraw'
limited fault redrawn --judge-end './terminals judge {port} redraw'
limited fault clock --program './terminals entry 45 clock' --mask 1,73-1,80
limited fault folder --only comms
limited fault home --only comms
limited examples serial
limited examples ethernet --only comms,fault

# hub NAME FAULT [ARGUMENT...]: the pair by IP on a hub.
hub() {
    validate "$1" --program './terminals entry' --judge-end "./terminals judge {here}:{there} $2" \
        --entity-end "./terminals entity {here}:{there} $2" --cable ethernet "${@:3}"
}
limited hub hub-good ''
limited hub hub-line line-judge
limited hub hub-cable heart --outage 6
limited validate hub-loop --program './terminals entry' --cable ethernet --only comms \
    --judge-end './terminals judge 127.0.0.1:127.0.0.1; : {port}' \
    --entity-end './terminals entity 127.0.0.1:127.0.0.1; : {port}'
limited fault masked --mask '3,6-3,6 1,1' --only mimic.text \
    --judge-end './terminals judge {port} cell'
limited fault page --judge-end './terminals judge {port} colour' --only mimic.colours \
    --html "$work/page.html"
limited fault windows --windows --html "$work/windows.html"
wait

# bad NAME: the checks that were not passed.
bad() {
    jq -r '[.checks[] | select(.verdict == "FAIL" or .verdict == "WARN").id] | join(" ")' \
        "$work/$1.json"
}
# passed NAME DESCRIPTION [STATUS]: 1 where not all was looked at, and nothing is accepted.
passed() {
    is "$2" "$(bad "$1")" ''
    is "$2: accepted" "$(<"$work/$1.exit")" "${3:-0}"
    is "$2: nothing is left out" \
        "$(jq -r '[.checks[] | select(.verdict == "SKIP").id] | join(" ")' "$work/$1.json")" ''
}
passed good 'a program that matches its Entry'
passed exclusive 'one that takes its ports for itself, also when it is started again'
passed redraw 'one that draws its page anew at each key'
passed redrawn 'one that does so where its Entry does not'
passed serial 'the templates on a null-modem cable'
passed clock 'one with a clock in the corner, which is masked'
is 'a file in the folder is on one machine only' "$(bad folder)" comms.separate
is 'and so is one in the home' "$(bad home)" comms.separate
if ! may_be_boxed && grep -q /dev/net/tun "$work/ethernet.log"; then
    skip 'the templates on a hub' "$(<"$work/ethernet.log")"
else
    passed ethernet 'the templates on a hub' 1
    passed hub-good 'a program that speaks IP on a hub'
    is 'whole lines at one end are found on a hub, alone' "$(bad hub-line)" comms.keys
    is 'the end of one whose cable was out is found on a hub, alone' "$(bad hub-cable)" fault.cable
    is 'what stays on one machine is found' "$(bad hub-loop)" comms.separate
fi
for name in "${!finds[@]}"; do
    is "the fault $name is found, alone" "$(bad "$name")" "${finds[$name]}"
    [[ $(bad "$name") == "${finds[$name]}" ]] || jq -r '.checks[] | select(.verdict != "PASS") |
        "# \(.id): \(.what): \(.came)", "#   \(.evidence[]?)"' "$work/$name.json"
    is "the fault $name: not accepted" "$(<"$work/$name.exit")" 65
done

# What a check that has failed says.
report=$work/cell.json
is 'the cell is named' "$(jq -r '.checks[] | select(.verdict == "FAIL") | .expected, .came' "$report")" \
    "':' at row 3, column 6, as the Entry has it
';'; 1 cell is different"
ok 'the screens stand side by side' \
    grep -q 'Judge: .* ! Judge; ' <(jq -r '.checks[].evidence[]' "$report")
ok 'the command that repeats it is there' \
    grep -q -- '--only mimic.text --seed 1' <(jq -r '.checks[].again // empty' "$report")
again=$(jq -r '.checks[] | select(.id == "mimic.text").again // empty' "$report")
is 'which finds it again, and nothing else' \
    "$(cd "$work" && eval "\"$bl\" ${again#boothlink }" | grep -E '^(PASS|FAIL)' | cut -c1-15)" \
    'FAIL mimic.text'
ok 'the row that differs is shown, however full the screens are' \
    grep -q 'rrr ! rrr.*#rrr' <(jq -r '.checks[].evidence[]?' "$work/wall.json")
ok 'a screen is shown without what is at its side' \
    grep -q '| Judge: [^ !]*$' <(jq -r '.checks[].evidence[]?' "$work/line-judge.json")
"$bl" validate comms --ruleset loebner-2004 --program x --judge-end 'y {1}' \
    --entity-end 'z {port}' >/dev/null 2>"$work/usage"
is 'ends that are not told their line are refused' "$?" 64
ok 'in words' grep -q '{port}' "$work/usage"
"$bl" validate comms --ruleset loebner-2004 --program x --judge-end 'y {port}' \
    --entity-end 'z {port}' --mask 0,1 >/dev/null 2>"$work/usage"
is 'a mask that is none is refused' "$?" 64
is 'a mask lets a cell differ' "$(bad masked)" ''

# The page, and what draws windows.
ok 'the page is well-formed' xmllint --noout "$work/page.html"
is 'both screens are on it' "$(grep -c '<figure' "$work/page.html")" \
    "$((2 * $(grep -c '<h3>' "$work/page.html")))"
is 'windows are not compared' "$(jq -r '.totals.pass' "$work/windows.json")" 0
if ! command -v Xvfb >/dev/null && jq -r '.checks[].what' "$work/windows.json" | grep -q 'Xvfb is not installed'; then
    skip 'screens with windows are recorded' 'Xvfb is not installed'
else
    is 'screens with windows are recorded' \
        "$(grep -o 'data:image/bmp' "$work/windows.html" | wc -l)" 3
fi
plan
