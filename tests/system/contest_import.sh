#!/bin/bash
# A ballot on its way from the judge's terminal into the contest's file: nobody types who sat where.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/contest.sh

cable left
cable right
printf '%s\n' 'pace 50' 'type Hello.' 'ballot left 70 right 30 notes too <quick>' >"$work/judge.script"
answerers entity
start judge judge --left "serial:$work/left.a" --right "serial:$work/right.a" --session r1-j1 \
    --ruleset loebner-2004 --plan '5 both,2 change' --headless --json \
    --script "$work/judge.script" --journal judge
ended judge
is 'the judge gives a ballot' $? 0
answerers_stop
ballot=$work/judge/r1-j1-judge.ballot

prepare() { contest_new loebner-2004 4 4 && contest_draw; }
ok 'a contest is made' prepare
refused 65 'the sides are not drawn yet' import "$ballot"
contest draw reveal >/dev/null
refused 65 'round 1 has not begun' import "$ballot"
contest begin 1 >/dev/null
ok 'the ballot is taken' contest import "$ballot"
# J1E1C1 is the first meeting that the report lists; it tells the sides once all is sealed.
points=$(ballot_table | awk -F, '$1 == 1 { print $4 ":" $5 }')
contest seal --why "the test has one ballot" >/dev/null
left=$(contest report | grep -oE '(Entry|confederate) on the left' | head -n 1)
[[ $left == Entry* ]] && wanted=70:30 || wanted=30:70
ok 'the report tells who sat where' test "$left"
is "the Entry has its side's points ($left)" "$points" "$wanted"
is "the judge's notes are in it" "$(contest report | grep -c '<th>J1 E[1-4] C[1-4]</th><td>too &lt;quick&gt;</td>')" 1
is 'once more it is known' "$(contest import "$ballot" | head -n 1)" 'r1-j1: known already'
sed 's/loebner-2004/loebner-2009/' "$ballot" >"$work/other.ballot"
refused 65 'other.ballot' import "$work/other.ballot"
refused 66 'No such file' import "$work/none.ballot"
ok 'the organiser disqualifies on his own (r8)' contest disqualify E2 --organiser --why 'not compliant'
plan
