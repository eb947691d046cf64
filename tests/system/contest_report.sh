#!/bin/bash
# What is printed of a contest: pages that are well-formed whatever its people are called, sheets
# and tickets that tell a judge nothing, and who is selected.
. tests/tap.sh
. tests/support/contest.sh

hostile='<script>alert("1")</script>&amp;]]>'

# begin RULESET: four of each, drawn, with hostile names.
begin() {
    contest_new "$1" 4 4 && contest add judge J5 && contest withdraw J5 --why ill &&
        contest_draw && contest_reveal
} >/dev/null

# number XPATH FILE: how many there are, by a parser that takes nothing but well-formed XML.
number() {
    xmllint --nonet --xpath "count($1)" "$2"
}
run() { # all rounds, all ballots but as many as are to be missing: E2 wins
    local meeting judge pair
    for meeting in $(meetings | head -n "-$1"); do
        judge=${meeting%%E*} pair=E${meeting#*E}
        case $meeting in
        *E2*) contest ballot "$judge" "$pair" 60:40 ;;
        *) contest ballot "$judge" "$pair" 30:70 ;;
        esac || return
    done
} >/dev/null

ok 'a contest of people with hostile names' begin loebner-2004
refusal 64 'missing --venue' contest tickets
refusal 64 'judges, confederates, entries, labels, setup, preliminary or form' contest sheet --for foes
refusal 64 "start '25:00'" contest times --start 25:00

{
    printf '[venue]\nformat = 1\nstart = 09:30\nbreaks = 4=60\n[machines]\n'
    for i in {1..5}; do
        printf 'booth%d.judge-a = serial:/dev/none0\nbooth%d.judge-b = serial:/dev/none1\n' \
            "$i" "$i"
        printf 'booth%d.entity-a = serial:/dev/ttyS%d\nbooth%d.entity-b = serial:/dev/ttyS1%d\n' \
            "$i" "$i" "$i" "$i"
        printf 'entry%d.program = ./entry%d\n' "$i" "$i"
    done
} >"$TMPDIR/venue.ini"
contest sheet --venue "$TMPDIR/venue.ini" >"$TMPDIR/sheets.html" 2>"$TMPDIR/said"
is 'it is said where the set-up is' "$(cat "$TMPDIR/said")" \
    "The manager's own sheet tells who is human, and is printed apart: contest sheet $file --for setup"
refusal 64 'missing --venue FILE: whether the machines of a booth can change places' contest sheet
refusal 64 'missing --venue FILE' contest sheet --for confederates
refusal 64 "the venue's file says it" contest sheet --venue "$TMPDIR/venue.ini" --doors fixed
is 'a sheet for each judge, confederate and Entry, and the labels' \
    "$(number "//*[@class='sheet']" "$TMPDIR/sheets.html")" 13
is "a machine's label has the words that it is to be told" \
    "$(grep -oE 'place: booth 1, [^<]*' "$TMPDIR/sheets.html" | paste -sd';')" \
    'place: booth 1, judge;place: booth 1, cable A;place: booth 1, cable B'
is 'the big text of a label tells a machine from a cable' \
    "$(grep -oE '<b>Booth 1</b><b>[^<]*' "$TMPDIR/sheets.html" | sed "s/.*>//; s/&#39;/'/" | sort -u | paste -sd';')" \
    "cable A;cable B;judge's machine;machine A;machine B"
is "the manager's own is not among them" "$(grep -c 'No judge may see it' "$TMPDIR/sheets.html")" 0
contest sheet --venue "$TMPDIR/venue.ini" --for setup >"$TMPDIR/setup.html"
is 'it is printed alone' "$(number "//*[@class='sheet']" "$TMPDIR/setup.html") $(grep -c \
    'No judge may see it' "$TMPDIR/setup.html")" '1 1'
contest sheet --for judges --start 10:00 >"$TMPDIR/judges.html"
is 'no break is spoken of before the first round and after the last' \
    "$(sed 's/<tr>/\n/g' "$TMPDIR/judges.html" | grep -E '^<th>1</th>|Afterwards' | grep -c break)" 0
# Rows that have not as many cells as the first of their table, and markup that is shown as text.
broken() {
    local row="*[local-name()='tr']"
    number "//${row}[count(*) + sum(*/@colspan) - count(*/@colspan) != count((ancestor::*[local-name()='table']//${row})[1]/*)]" "$1"
    grep -cE '&lt;/?(t[hdr]|table|b|p|h[123]|div)\b' "$1"
}
for page in sheets setup judges; do
    is "no column is broken: $page" "$(broken "$TMPDIR/$page.html" | paste -sd' ')" '0 0'
done
is "a judge's sheet names nobody but judges" \
    "$(number "//*[@class='sheet']" "$TMPDIR/judges.html") $(grep -c '[CE][1-4] &lt;' \
        "$TMPDIR/judges.html")" '4 0'
is 'a schedule with times' "$("$BUILD/boothlink" contest schedule --ruleset loebner-2009 --size 4 \
    --start 10:00 --breaks 4=60 | awk '/^ / { print $2 }' | paste -sd' ')" \
    '10:00 10:25 10:50 11:15 12:40 13:05 13:30'
is 'times of day' "$(contest times --start 9:30 --breaks 4=60 | grep -o '^round 5.*')" \
    "$(contest times --start 10:30 | grep -o '^round 5.*')"
ok 'where they could meet' grep -q 'could meet in the corridor' <<<"$(contest times)"

ok 'tickets are written' contest tickets --venue "$TMPDIR/venue.ini" --out "$TMPDIR/tickets"
is 'three of each meeting' "$(find "$TMPDIR/tickets" -name '*.ticket' | wc -l)" \
    "$((3 * $(meetings | wc -l)))"
is 'nobody else may read a ticket' "$(find "$TMPDIR/tickets" -mindepth 1 -perm /077)" ''
is "a judge's tickets tell nothing" \
    "$(grep -rciE 'entr|confed|script' "$TMPDIR/tickets/judges-room" --include="*.ticket" | grep -cv ':0$')" 0
ticket=$(printf '%s\n' "$TMPDIR"/tickets/judges-room/boothlink/booth-*-judge/001.ticket | head -n 1)
is 'the judge takes it, and finds no such port' \
    "$("$BUILD/boothlink" judge --ticket "$ticket" </dev/null 2>&1 |
        grep -c "no device /dev/none")" 1

contest_begin
run 1
contest report >"$TMPDIR/provisional.html"
is 'with a ballot missing nobody wins' "$(grep -ciE 'wins|winner|is awarded|gets' \
    <(sed 's/<[^>]*>//g; /The rules as they were/,$d' "$TMPDIR/provisional.html")) $(grep -c \
    'leads so far' "$TMPDIR/provisional.html")" '0 2'
is 'no column of it is broken' "$(broken "$TMPDIR/provisional.html" | paste -sd' ')" '0 0'
planned() { grep -oE '<tr><td>[^<]*</td><td>[^<]*</td><td>[^<]*' "$1" | sed 's/<[^>]*>/|/g' | grep -E "$2" | cut -c 3-; }
is 'who left is on the page of what was not as planned' "$(planned "$TMPDIR/provisional.html" withdrawn)" 'withdrawn||J5 J5, after 0 rounds||ill'
cp "$file" "$TMPDIR/other.db"
other() { "$BUILD/boothlink" contest "$1" "$TMPDIR/other.db" "${@:2}"; }
other repeat r1-j1 --why 'a cable' >/dev/null
other substitute J1 'Ann Lee' --why 'a train' >/dev/null
other withdraw C1 --why ill >/dev/null
other ballot J1 "$(other show | sed -n 's/^  round 1.*J1\(E[0-9]C[0-9]\).*/\1/p')" 60:40 --late >/dev/null
other report >"$TMPDIR/other.html"
is 'so is what was held again or late, with its reason' \
    "$(planned "$TMPDIR/other.html" 'held again|late')" \
    'held again||r1-j1-2 counts, in the place of r1-j1||a cable
late ballot, counted||r1-j1-2||'
is 'and who took a place' "$(planned "$TMPDIR/other.html" 'another took' | sed 's/.*||//')" 'a train'
ok 'whole on a page when it is printed' grep -q '<div class="apart">' "$TMPDIR/other.html"
# What is missing is counted alike wherever it is said: also where who owes it is gone.
missing() {
    contest result --json | jq .ballots_missing
    contest show | sed -n 's/^  \([0-9]* of [0-9]*\) ballots.*/\1/p'
    contest verify | sed -n 's/^ballots: //p'
}
is 'one is missing, by result, show and verify' "$(missing | paste -sd,)" '1,15 of 16,15 of 16'
owes=$(meetings | tail -n 1)
contest withdraw "${owes%%E*}" --why 'taken ill in his last session' >/dev/null
is 'none when its judge has left' "$(missing | paste -sd,)" '0,15 of 15,15 of 15'
contest undo withdraw "${owes%%E*}" --why 'well again' >/dev/null
is 'and one again' "$(missing | paste -sd,)" '1,15 of 16,15 of 16'
is 'the units are named' "$(contest result --json | jq -c .units)" \
    '{"points":"of the 100 of each session","wins":"sessions","mean":"none"}'
for meeting in $owes; do
    contest ballot "${meeting%%E*}" "E${meeting#*E}" 30:70 >/dev/null
done
contest report >"$TMPDIR/early.html"
is 'no column of the report is broken' "$(broken "$TMPDIR/early.html" | paste -sd' ')" '0 0'
is 'before it is sealed the report tells no sides' \
    "$(grep -c Provisional "$TMPDIR/early.html") $(grep -c 'on the left' "$TMPDIR/early.html")" '1 0'
contest seal >/dev/null
mkdir "$TMPDIR/r"
touch "$TMPDIR/r/r1-j1.txt" "$TMPDIR/r/r10-j1.txt"
contest report --transcripts "$TMPDIR/r" --start 10:00 >"$TMPDIR/report.html"
is 'the report: charts, transcripts, steps, nothing that runs or is fetched' \
    "$(number "//*[local-name()='svg']" "$TMPDIR/report.html") $(number "//*[local-name()='a']" \
        "$TMPDIR/report.html") $(number "//*[local-name()='script' or local-name()='img' or
        local-name()='link' or @src]" "$TMPDIR/report.html")" '2 1 0'
ok 'it says who wins' grep -q '^<p class="win">E2, Entry 2 &lt;script&gt;.* wins the Silver Medal' \
    "$TMPDIR/report.html"
ok 'and on which side they sat' grep -q 'on the left' "$TMPDIR/report.html"
ok 'and the rules with their numbers' \
    grep -q 'B5: scored in the five minutes&#39; break' "$TMPDIR/report.html"
refusal 66 'No such file' contest report --records "$TMPDIR/none"
refusal 66 'No such file' contest report --transcripts "$TMPDIR/none"

# A contest with a record of its session.
"$BUILD/boothlink" contest report tests/fixtures/dbf5fc4/held.db --records tests/fixtures/dbf5fc4/records \
    >"$TMPDIR/typed.html"
is 'with the records it shows how each party typed' \
    "$(number "//*[local-name()='svg'][*[local-name()='title'] = 'How all typed in session r1-j1']" \
        "$TMPDIR/typed.html") $(grep -oE 'keys [0-9]+, BackSpaces [0-9]+' "$TMPDIR/typed.html" | paste -sd';')" \
    '1 keys 14, BackSpaces 0;keys 41, BackSpaces 0;keys 42, BackSpaces 0'
is 'by the names of their parties' "$(grep -oE '>(J1 to|C1|E1) [^<]*, (left|right)<' "$TMPDIR/typed.html" |
    tr -d '<>' | paste -sd';')" 'J1 to C1, left;C1 Confederate 1, left;E1 Entry 1, right'

is 'four Entries: all are in the final' "$(contest select --json | jq -c '[.outcome, .entries]')" \
    '["final",["finalist","finalist","finalist","finalist"]]'
begin loebner-2009
for i in {5..6}; do
    contest add entry "E$i" --submitter "S$i" --rights --receipt --comms comms >/dev/null
done
is 'six: they are screened' "$(contest select --json | jq -r .outcome)" wants-screening
echo '{"screening": [[1,5],[2,9],[3,1],[4,7],[5,8],[6,7]]}' >"$TMPDIR/scores.json"
is 'and the four with the highest scores go on' \
    "$(contest select --data "$TMPDIR/scores.json" --json |
        jq -c '[.entries | to_entries[] | select(.value == "finalist") | .key + 1]')" '[2,4,5,6]'
echo '{"screening": [[7,5]]}' >"$TMPDIR/scores.json"
refusal 65 "'screening'" contest select --data "$TMPDIR/scores.json"
echo '{"scores": []}' >"$TMPDIR/scores.json"
refusal 65 "'scores'" contest select --data "$TMPDIR/scores.json"
echo '{' >"$TMPDIR/scores.json"
refusal 65 scores.json: contest select --data "$TMPDIR/scores.json"
is 'preliminary judges: lists of equal length' \
    "$("$BUILD/boothlink" contest allot --ruleset loebner-2003 --entries 12 --judges 4 |
        awk '{ print NF }' | sort -u)" 11
refusal 65 '4 are needed (2003 r34)' "$BUILD/boothlink" contest allot --ruleset loebner-2003 \
    --entries 12 --judges 3

# One round is a round.
file=$TMPDIR/one.db
contest_new loebner-2009 1 1 1 && contest_draw && contest_reveal
is 'one round has no last one' "$(contest report | grep -o '<th>Rounds* 1[^<]*</th>')" '<th>Round 1</th>'

# Rules without a break between two rounds.
file=$TMPDIR/through.db
contest_new loebner-1996 3 2 1 && contest_draw && contest_reveal
grep -vE '^(breaks|start)' "$TMPDIR/venue.ini" >"$TMPDIR/through.ini"
contest sheet --venue "$TMPDIR/through.ini" --for setup >"$TMPDIR/through.html"
is 'no break is spoken of where there is none' "$(grep -c 'Judges go at once, confederates when the judges have gone' \
    "$TMPDIR/through.html") $(grep -ci 'half of a break' "$TMPDIR/through.html")" '1 0'
plan
