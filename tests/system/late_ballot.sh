#!/bin/bash
# A ballot that was given after the moment of sealing (2009 §3a, 2004 B5): act, report and
# verify have it marked, and the manager alone takes it back, once. And the seal of all, which stays.
. tests/tap.sh
. tests/support/contest.sh
. tests/support/ballots.sh

# file_of SESSION WORD SIDE: a ballot file of 2009 in $TMPDIR/kept, given or late.
file_of() {
    {
        echo "boothlink-ballot 1 session=$1 rules=loebner-2009 kind=human sealed=session"
        echo "1795289010000000 $2 human $3"
        echo '1795289300000000 sealed'
    } | sums >"$TMPDIR/kept/$1-judge.ballot"
}
ballots() { contest show --json | jq '.ballots | length'; }

mkdir "$TMPDIR/kept"
contest_new loebner-2009 2 2
contest_draw
contest_reveal
contest_begin
file_of r1-j1 late left
other=$(contest show | grep -oE 'round [0-9].*J2' | head -1 | grep -oE '[0-9]' | head -1)
file_of "r$other-j2" given left
is 'the import says which is late' "$(contest import "$TMPDIR/kept" | grep -cx "r$other-j2: recorded\|r1-j1: recorded, given late")" 2
is 'one is marked in its act' \
    "$(contest export --json | jq -r '.acts[] | select(.kind == "ballot") | .body.late' | sort | xargs)" 'null true'
is 'and in the report' "$(contest report | grep -c '<td[^>]*>[^<]*, late')" 1
contest verify --records "$TMPDIR/kept" >"$TMPDIR/said" 2>&1
is 'for verify it is as in its file' "$(grep -c 'given late' "$TMPDIR/said")" 0
contest undo ballot r1-j1 --why 'after the whistle' >/dev/null
is 'taken back it does not count' "$(ballots)" 1
ok 'and the report says why none counts' grep -q 'late, not counted' <(contest report)
contest import "$TMPDIR/kept/r1-j1-judge.ballot" >/dev/null 2>&1
contest collect "$TMPDIR/kept" >/dev/null 2>&1
is 'nor does it come again with the sticks' "$(ballots)" 1
is 'nobody waits for another' "$(contest result --json | jq .ballots_missing)" 2

file=$TMPDIR/other.db
contest_new loebner-2009 2 2
contest_draw
contest_reveal
contest_begin
file_of r1-j1 given left
contest import "$TMPDIR/kept" >/dev/null
file_of r1-j1 late left
contest verify --records "$TMPDIR/kept" >"$TMPDIR/said" 2>&1
is 'a contest that hides it is told so by verify' \
    "$(grep -c 'r1-j1-judge.ballot: it was given late, and the contest does not say so' "$TMPDIR/said")" 1

refused 65 'none can be given after the seal: --why TEXT seals all the same' seal
ok 'a seal says what it ends' grep -qF "\`contest undo $file seal\` opens round 1 again" <(contest seal 1)
ok 'and that of all, too' grep -qF 'and nothing takes this back' <(contest seal --why 'it rained')
refused 65 'the whole contest is sealed, which is not taken back' undo seal --why 'it dried'

# A judge whose ballots were all taken back has nothing to rank.
contest_new loebner-2009 2 2
contest_draw
contest_reveal
contest_begin
rm "$TMPDIR"/kept/*
while read -r round judge; do
    [[ $judge == 1 ]] && given=late || given=given
    file_of "r$round-j$judge" "$given" left
done < <(contest show | sed -n 's/^  round \([0-9]*\).*: */\1 /p' |
    while read -r round meetings; do grep -oE 'J[12]' <<<"$meetings" | sed "s/J/$round /"; done)
contest import "$TMPDIR/kept" >/dev/null
is 'two judges are to rank' "$(contest show | grep -oE '[0-9] judges? ha[a-z]* to rank, J[0-9] first')" '2 judges have to rank, J1 first'
for round in $(cd "$TMPDIR/kept" && echo r*-j1-judge.ballot); do
    contest undo ballot "${round%-judge.ballot}" --why 'after the whistle' >/dev/null
done
is 'then one is' "$(contest show | grep -oE '[0-9] judges? ha[a-z]* to rank, J[0-9] first')" '1 judge has to rank, J2 first'
plan
