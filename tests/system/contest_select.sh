#!/bin/bash
# From more Entries than there is room for to the finalists, by acts: the preliminary round of 2003,
# a panel's choice, a reserve; and what a file enters at once.
. tests/tap.sh
. tests/support/contest.sh

finalists() {
    contest select --json | jq -c '[.entries | to_entries[] | select(.value == "finalist") | .key + 1]'
}

acts() {
    contest export --json | jq '.acts | length'
}

{
    contest new --name 'A contest' --ruleset loebner-2003
    contest add organiser Olga
    for i in {1..10}; do contest add entry "Entry $i" --submitter "Author $i" --rights; done
} >/dev/null
refused 65 '(2003 r41)' add judge olga
refused 65 '(2003 r41)' add judge Ｏlga
refused 65 'Entries, and the final round has 8 at most' schedule
ok 'what is missing is said' grep -qF 'add FILE preliminary' \
    <(contest select | sed "s|$file|FILE|")
refused 65 'there is no preliminary judge 1' prelim P1 E1 E2
for i in 1 2 3; do contest add preliminary "Panel $i" >/dev/null; done
refused 65 'each once' prelim P1 E1 E1
refused 64 'expected E1 and so on' prelim P1 E1 J1
refused 65 'lists of ranks' prelim E1 7/2
is 'each preliminary judge has a sheet with the guidelines (r35)' \
    "$(contest sheet --for preliminary | grep -cE '<h1>Preliminary judge [0-9]|how human it seems|<th>E[0-9]+</th>')" 36
for i in 1 2 3; do contest prelim "P$i" E10 E9 E8 E7 E6 E5 E4 E3 E2 E1; done >/dev/null
refused 65 'ranked already' prelim P3 E1 E2
ok 'a list is corrected' contest prelim P3 E10 E9 E8 E7 E6 E5 E4 E2 E3 E1 --correct
is 'the eight with the best mean ranks' "$(finalists)" '[3,4,5,6,7,8,9,10]'
ok 'with their means' grep -qF 'E3: mean rank 25/3' <(contest select)
ok 'they are recorded' contest select --final --author 'The chief judge'
is 'whom to tell of it, and by when, is said (r39)' "$(contest select --final | sed -n '/^To be told/,/^Next/p' |
    grep -cE '^To be told, notified .* \(2003 r39\)|^  Author [0-9]+: E[0-9]+, Entry [0-9]+, is a (finalist|reserve)$')" 11
ok 'by somebody' grep -qE 'The chief judge final .*entries' <(contest log)
is 'only they are scheduled' "$({ contest add judge Jo && contest add confederate Co &&
    contest schedule; } | grep -c '^9 rounds, 9 of them to come')" 1
is 'eight and a confederate' "$(contest show | grep -c '^  round')" 9
is 'one who is lost leaves, and a reserve comes in, by one command' \
    "$(contest lose E10 --why 'not adapted in time (r16)' | head -3 | paste -sd' ')" \
    'E10 is lost for the final round E2 comes in E10 leaves the final round'
ok 'a reserve takes the place of one who is lost' grep -qF 'the reserve E2 takes its place' \
    <(contest select)
refused 65 'lost already' lose E10 --why again
contest schedule >/dev/null
is 'and is scheduled' "$(contest show | grep -c ' J1E10\|not in the final')" 2
is 'the report says how it came to that' \
    "$(contest report | grep -c '<h2>Selection</h2>\|not in the final round)\|mean rank')" 13
contest lose E10 --why 'it was adapted after all' --undo >/dev/null
is 'that can be taken back' "$(finalists)" '[3,4,5,6,7,8,9,10]'
ok 'it verifies' contest verify

# What a file gives is recorded once, all of it or nothing.
rm -f "$file"
{
    contest new --name 'A contest' --ruleset loebner-2003
    for i in {1..9}; do contest add entry "Entry $i" --submitter "Author $i" --rights; done
    for i in 1 2 3; do contest add preliminary "Panel $i"; done
} >/dev/null
before=$(acts)
echo '{"lost": [9], "ranks": [[1,2,3,4,5,6,7,8,9],[1,2,3,4,5,6,7,9,8],[1,2,3,4,5,6,9,8,8]]}' \
    >"$TMPDIR/data.json"
refused 65 'each once' select --data "$TMPDIR/data.json"
echo '{"screening": [[1, 5], [2, 3], [1, 6]]}' >"$TMPDIR/twice.json"
refused 65 'E1 has two scores, expected one' select --data "$TMPDIR/twice.json"
is 'nothing of it is recorded' "$(acts)" "$before"
echo '{"ranks": [[1,2,3,4,5,6,7,8,9],[1,2,3,4,5,6,8,9,7],[1,2,3,4,5,6,9,7,8]]}' >"$TMPDIR/data.json"
contest select --data "$TMPDIR/data.json" >/dev/null
is 'three lists' "$(acts)" $((before + 3))
ok 'the same again' contest select --data "$TMPDIR/data.json"
is 'changes nothing' "$(acts)" $((before + 3))
umlauts=$(printf 'ü%.0s' {1..90})
echo '{"invited": [1]}' >"$TMPDIR/invited.json"
refused 65 'these rules invite nobody for merit' select --data "$TMPDIR/invited.json"
refused 65 'these rules invite nobody for merit' invite E1 --why merit
echo '{"lost": [1]}' >"$TMPDIR/lost.json"
contest select --data "$TMPDIR/lost.json" --why "x$umlauts" >/dev/null
is 'a long reason is recorded as a whole' \
    "$(contest export --json | jq -r '.acts[-1] | .kind, .body.why' | xargs)" "lose x$umlauts"
echo '{"lost": [2]}' >"$TMPDIR/lost.json"
refused 65 'the texts must be UTF-8' select --data "$TMPDIR/lost.json" --why $'f\xfcr'
contest lose E1 --undo --why 'it runs' >/dev/null
is 'three are equal for two places: a choice is missing' "$(contest select --json | jq -r .outcome)" wants-choice
refused 65 'not come to the finalists' select --final
for i in 7 9; do contest choose "E$i" --why 'the panel (r37)' >/dev/null; done
is 'the panel has it' "$(finalists)" '[1,2,3,4,5,6,7,9]'
refused 65 'these rules cut once (2003 r' choose E7 --final --why 'once more'

# Equals at both cuts of 2009: each has its choice.
rm -f "$file"*
{
    contest new --name 'A contest' --ruleset loebner-2009
    for i in {1..17}; do
        contest add entry "Entry $i" --submitter "Author $i" --rights --how brings \
            --received 2009-04-01T12:00
    done
} >/dev/null
is 'who brings an Entry must be present, which is said' \
    "$(contest show | grep -c 'the entrant brings it, and must be present at the contest (2009 §1)')" 17
is 'the first cut needs a choice' "$(contest select | tail -1)" \
    "Next: boothlink contest choose $file ENTRY --why TEXT"
for i in {1..16}; do contest choose "E$i" --why 'by lot' >/dev/null; done
jq -n '{screening: [range(1; 18) | [., 50]]}' >"$TMPDIR/equal.json"
refused 65 'these rules have no reserve that could come in' lose E1 --why 'cannot run'
is 'and the second one of its own' "$(contest select --data "$TMPDIR/equal.json" | tail -1)" \
    "Next: boothlink contest choose $file ENTRY --final --why TEXT"
for i in 5 6 7 16; do contest choose "E$i" --final --why 'by lot' >/dev/null; done
is 'both hold' "$(finalists)" '[5,6,7,16]'

rm -f "$file"*
{
    contest new --name 'A contest' --ruleset loebner-2003
    for i in {1..9}; do contest add entry "Entry $i" --submitter "Author $i" --rights; done
    for i in 1 2 3 4; do contest add preliminary "Panel $i"; done
    for i in 1 2 3 4; do contest add judge "Judge $i"; done
    contest add confederate Co
} >/dev/null
is 'an allotment is recorded: seven each' "$(contest allot | head -2 | paste -sd,)" \
    'P1: E1 E2 E3 E4 E5 E6 E7,P2: E8 E9 E1 E2 E3 E4 E5'
refused 65 'E6 is not allotted to preliminary judge 2 (2003 r34)' prelim P2 E6 E9 E1 E2 E3 E4 E5
ok 'a list of what was allotted' contest prelim P2 E5 E9 E1 E2 E3 E4 E8
before=$(acts)
refused 65 'preliminary judge 2 has given a list already' allot
is 'nothing of another allotment is recorded then' "$(acts)" "$before"
is 'the selection waits for all lists (r36)' "$(contest select --json | jq -r .outcome)" wants-preliminary-round
refused 65 'not come to the finalists' select --final
echo 'junk' >"$TMPDIR/bad.ini"
said=$("$BUILD/boothlink" contest allot --entries 8 --judges 4 --ruleset "$TMPDIR/bad.ini" 2>&1)
is 'an allotment under rules that are none' "$? $said" \
    "65 boothlink contest allot: $TMPDIR/bad.ini:1: expected 'key = value' or '[section]'"
# The days of a contest: those of 2003 have passed, so this one sets its own.
rm -f "$file"*
is 'it is said that they have passed' "$(contest new --name 'A contest' --ruleset loebner-2003 |
    grep -c '^note: the days of these rules have passed: contest dates')" 1
is 'and how they stand' "$(contest dates | head -1)" \
    'opens not set (2003 r11); the rules say 2003-04-01, which had passed when the contest was begun'
refused 64 "expected a day such as closes=2026-06-30" dates tomorrow=2026-06-30
refused 65 'expected a day such as 2003-06-30' dates closes=2026-06-31
contest dates closes=2020-06-30 working=2020-07-01 held=2099-10-18 >/dev/null
is 'this one has its own' "$(contest dates | grep -c '^closes 2020-06-30 (2003 r11); the rules say')" 1
refused 65 'the Entry is late: the last day was 2020-06-30 (2003 r11); --why TEXT takes it all the same' \
    add entry One --submitter A --rights
ok 'one that came in time' contest add entry One --submitter A --rights --received 2020-06-30T23:59
ok 'one that is taken all the same' contest add entry Two --submitter B --rights --why 'the post'
refused 64 "--why is for 'entry', not for 'judge'" add judge Jo --why x
is 'the file says so' "$(contest show | grep -A1 '^  E2' | tail -1)" '       late'
{
    for i in 1 2 3 4 5; do contest add judge "Judge $i"; done
    contest add confederate Co && contest draw commit && contest schedule && contest draw reveal
} >/dev/null
refused 65 'E1 was not received in a working state, which was to be by 2020-07-01 (2003 r23)' begin 1
refused 65 'the Entry is late: the last day was 2020-07-01 (2003 r23)' deliver E1 'One 1.0'
contest deliver E1 'One 1.0' --received 2020-07-01 >/dev/null
contest deliver E2 'Two 1.0' --why 'its disk broke' >/dev/null
is 'what was delivered, and when' "$(contest show | grep -A1 '^  E1' | tail -1)" \
    '       program of 2020-07-01: One 1.0'
is 'in the report too' "$(contest report | grep -c 'program of 2020-07-01: One 1.0')" 1
is 'all are there; it is not the day that was set' "$(contest begin 1 | sed -E 's/on [0-9-]+,/on TODAY,/' | head -1)" \
    'note: it begins on TODAY, and was to be held on 2099-10-18 (2003 r32)'
ok 'it verifies' contest verify

# 2004 A6, A8.1: no Entry without its communications program.
rm -f "$file"*
contest new --name 'A contest' --ruleset longbet-2002 >/dev/null
is 'rules without days' "$(contest dates)" 'these rules name no days, and none is set'
rm -f "$file"*
contest new --name 'A contest' --ruleset loebner-2004 >/dev/null
is 'rules with the contest'\''s alone' "$(contest dates | grep -c '(2004 introduction); the rules say 2004-09-19')" 1
contest add entry One --submitter A --comms 'one-comms 1' >/dev/null
is 'one without is not accepted, and it is said' "$(contest add entry Two --submitter B | tail -1)" \
    "Next: boothlink contest deliver $file E2 NAME --comms  # without its communications program it is not accepted (2004 A6, A8.1)"
is 'it goes no further' "$(contest select --json | jq -c '[.outcome, .entries]')" \
    '["only-one",["finalist","out"]]'
ok 'with the rule' grep -qF '2004 A6, A8.1 E2 is not accepted' <(contest select)
contest deliver E2 'two-comms 1' --comms >/dev/null
is 'until it comes, and the file says when' "$(contest show | grep -c \
    "communications program of $(date -u +%Y-%m-%d): ")" 2
is 'then it plays' "$(contest select --json | jq -r .outcome)" final

rm -f "$file"*
{
    contest new --name 'A contest' --ruleset loebner-2003
    for i in 1 2; do contest add entry "Entry $i" --submitter "Author $i" --rights; done
    for i in 1 2 3 4; do contest add judge "Judge $i"; done
    contest add confederate Co && contest draw commit && contest schedule && contest draw reveal
} >/dev/null
refused 65 '4 judges: at least 5 are needed (2003 r40); --why TEXT begins all the same' begin 1
ok 'a rehearsal begins all the same' contest begin 1 --why 'a rehearsal'
ok 'which is on record' grep -q 'begin {.*"why":"a rehearsal"' <(contest log)
plan
