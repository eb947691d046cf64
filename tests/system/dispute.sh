#!/bin/bash
# Disputes of the final round by the command line: the judges confer, and without a majority a coin
# answers (2003 r50). What is published of it can be recomputed.
. tests/tap.sh
. tests/support/contest.sh

contest_new loebner-2003 6 2 1
contest_draw
contest_reveal
contest_begin
for judge in {1..6}; do
    for who in E1=4 E2=3 C1=2; do contest ballot "J$judge" "${who%=*}" "${who#*=}"; done
done >/dev/null
refused 65 'contest dispute lets a coin decide it (2003 r50)' disqualify E1 --votes 3:3 --why 'no English'
is 'a majority answers' "$(contest dispute 'Is a reboot between sessions allowed?' --votes 4:2 | head -1)" \
    "the judges' answer is yes"
is 'without one a coin comes next' "$(contest dispute 'Does E1 break r18?' E1 --votes 3:3 | tail -1)" \
    "Next: boothlink contest coin $file commit"
ok 'which has its commitment' contest coin commit
ok 'and is tossed' contest coin toss
refused 65 'the coin was tossed already' coin commit
answer=$(contest report | grep -o 'Does E1 break r18?.*<td>\(yes\|no\), by the coin' | grep -o 'yes, by\|no, by')
ok 'the report has the answer and who gave it' test -n "$answer"
is 'yes disqualifies the Entry, no does not' "$(contest result --json | jq -r .winner)" \
    "$([[ $answer == yes* ]] && echo 2 || echo 1)"
contest seal >/dev/null
contest publish --out "$TMPDIR/published" >/dev/null
ok 'a stranger recomputes it' python3 tests/contests/verifier.py "$TMPDIR/published/contest.json"
is 'with the answer' "$(jq -r '.coins[0] | "\(.dispute) \(.yes)"' "$TMPDIR/published/contest.json")" \
    "2 $([[ $answer == yes* ]] && echo true || echo false)"
ok 'and it verifies' contest verify

# Entries who are equal for the first place wait for the judges, and then for a coin, before the seal.
next() { contest show | sed -n 's/  #.*//; s/^Next: boothlink contest \([a-z]*\) [^ ]* *\(.*\)/\1 \2/; s/ $//; /^\(confer\|coin\|seal\)/p'; }
contest_new loebner-2003 6 2 1
contest_draw
contest_reveal
contest_begin
for judge in {1..6}; do
    for who in E1=3 E2=3 C1=5; do contest ballot "J$judge" "${who%=*}" "${who#*=}"; done
done >/dev/null
is 'a tie: the judges confer next' "$(next)" 'confer E1 --votes FOR:AGAINST'
early=$TMPDIR/early.db
cp "$file" "$early"
file=$early contest seal >/dev/null
is 'also behind a seal that came early' "$(file=$early next)" 'confer E1 --votes FOR:AGAINST'
contest confer E1 --votes 3:3 >/dev/null
is 'without a majority a coin is next' "$(next)" 'coin commit'
contest coin commit >/dev/null
is 'then it is tossed' "$(next)" 'coin toss'
contest coin toss >/dev/null
is 'and then the seal' "$(next)" seal

contest_new loebner-2004 2 2
refused 65 'the rules of loebner-2004 have none' dispute 'Who pays?' --votes 1:1
plan
