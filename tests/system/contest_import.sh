#!/bin/bash
# A ballot on its way from the judge's terminal into the contest's file: nobody types who sat where.
. tests/tap.sh
. tests/support/booth.sh

file=$work/contest.db
contest() {
    local verb=$1
    shift
    "$bl" contest "$verb" "$file" "$@"
}

prepare() {
    local i
    contest new --name 'A contest' --ruleset loebner-2004 || return
    for i in 1 2 3 4; do
        contest add judge "Judge $i" && contest add entry "Entry $i" --submitter "Author $i" &&
            contest add confederate "Confederate $i" || return
    done
    contest draw commit && contest schedule
} >/dev/null

cable left
cable right
printf 'pace 50\ntype I answer.\n' >"$work/entity.script"
printf '%s\n' 'pace 50' 'type Hello.' 'ballot left 70 right 30' >"$work/judge.script"
for side in left right; do
    start "$side-entity" entity --line "serial:$work/$side.b" --journal "entity-$side" --headless \
        --script "$work/entity.script"
done
start judge judge --left "serial:$work/left.a" --right "serial:$work/right.a" --session r1-j1 \
    --ruleset loebner-2004 --plan '5 both,2 change' --headless --json \
    --script "$work/judge.script" --journal judge
ended judge
is 'the judge gives a ballot' $? 0
stop left-entity >/dev/null
stop right-entity >/dev/null
ballot=$work/judge/r1-j1-judge.ballot

# refused STATUS TEXT VERB ARGUMENT...: one line that says so.
refused() {
    local wanted=$1 text=$2 said status
    shift 2
    said=$(contest "$@" 2>&1 >/dev/null)
    status=$?
    is "refused: $text" "$status $(wc -l <<<"$said") $(grep -cF -- "$text" <<<"$said")" "$wanted 1 1"
}

ok 'a contest is made' prepare
refused 65 'the sides are not drawn yet' import "$ballot"
contest draw reveal >/dev/null
refused 65 'round 1 has not begun' import "$ballot"
contest begin 1 >/dev/null
ok 'the ballot is taken' contest import "$ballot"
# J1E1C1 is the first meeting that the report lists; it tells the sides once all is sealed.
points=$(contest export --csv | awk -F, '$1 == 1 { print $4 ":" $5 }')
contest seal --why "the test has one ballot" >/dev/null
left=$(contest report | grep -oE '(Entry|confederate) on the left' | head -n 1)
[[ $left == Entry* ]] && wanted=70:30 || wanted=30:70
ok 'the report tells who sat where' test "$left"
is "the Entry has its side's points ($left)" "$points" "$wanted"
refused 65 'voted on this session already' import "$ballot"
sed 's/loebner-2004/loebner-2009/' "$ballot" >"$work/other.ballot"
refused 65 'other.ballot' import "$work/other.ballot"
refused 66 'No such file' import "$work/none.ballot"
ok 'the organiser disqualifies on his own (r8)' contest disqualify E2 --organiser --why 'not compliant'
plan
