#!/bin/bash
# The verbs for what goes wrong on the day, each killed (kill -9) before any of its system calls that
# change a file: the contest is as before or as after, and the same verb again brings it to its end.
# And what a withdrawal and a repeat mean to tickets, ballots and the report.
. tests/tap.sh
. tests/support/contest.sh
. tests/support/killed.sh
. tests/support/venue.sh

bl=$BUILD/boothlink
work=$TMPDIR/work
file=$work/contest.db
template loebner-2004 4
venue_setup >/dev/null || exit
meetings() { contest show | grep -E "round $1[:,]" | grep -oE 'J[0-9]+E[0-9]+C[0-9]+'; }
for round in 1 2; do
    contest begin $round >/dev/null
    for meeting in $(meetings $round); do
        contest ballot "${meeting%%E*}" "E${meeting#*E}" 60:40 >/dev/null
    done
done
contest seal 1 >/dev/null
contest begin 3 >/dev/null
tickets() { contest tickets --venue "$work/venue.ini" --out "$work/sticks"; }

# Who is withdrawn.
for meeting in $(meetings 3); do # a judge who sits in rounds 2, 3 and 4
    judge=${meeting%%E*}
    ! grep -q "^${judge}E" <(meetings 2) || ! grep -q "^${judge}E" <(meetings 4) || break
done
contest withdraw "$judge" --why ill >/dev/null
refused 65 'is withdrawn' begin 4
contest schedule >/dev/null
ok 'tickets of the round that has begun, but for who is gone' quiet tickets
is 'none is his' "$(grep -rl "^session = r3-${judge,,}\$" "$work/sticks" --include='*.ticket' | wc -l)" 0
contest repeat "r2-${judge,,}" --why 'a cable' >/dev/null
repeated=r2-${judge,,}-2
refused 65 "session $repeated is to be held again: " tickets --venue "$work/venue.ini" --out "$work/sticks"
contest undo withdraw "$judge" --why 'well again' >/dev/null
contest schedule >/dev/null
ok 'who is back has tickets' quiet tickets
is 'his session, at three machines' "$(grep -rl "^session = r3-${judge,,}\$" "$work/sticks" --include='*.ticket' | wc -l)" 3
is 'and the one that is held again' "$(grep -rl "^session = $repeated\$" "$work/sticks" --include='*.ticket' | wc -l)" 3
ok 'which the report names, with its reason' grep -qF "held again as $repeated: a cable" <(contest report)
# Everybody who is to be there finds it on his sheet; it comes before the next round.
again=$(meetings 2 | grep "^${judge}E")
entry=E${again#*E} entry=${entry%%C*} confederate=C${again#*C}
booth=$(dirname "$(grep -rl "^session = $repeated\$" "$work/sticks/judges-room" --include='*.ticket')")
booth=$(basename "$booth" | tr -dc 0-9)
sheet_of() { contest sheet --venue "$work/venue.ini" --for "$1" | awk -v who="$2:" 'index($0, "<h1>") { his = index($0, who) } his'; }
is "the judge's, with the booth" "$(sheet_of judges "Judge ${judge#J}" | grep -A1 "<th>$repeated</th><td>before round 4</td>" |
    grep -o '<b>Booth [0-9]*</b>\|<tr><th>4</th>' | tr '\n' ' ')" "<b>Booth $booth</b> <tr><th>4</th> "
is "the confederate's, with the door" "$(sheet_of confederates "Confederate ${confederate#C}" |
    grep -o "<th>$repeated</th><td>before round 4</td><td><b>Booth [0-9]*, door [AB]" | sed 's/.*Booth //;s/, door [AB]//')" "$booth"
is "and the Entry's" "$(sheet_of entries "Operator of Entry ${entry#E}" |
    grep -c "<th>$repeated</th><td>before round 4</td><td>restart the Entry and be ready, at door [AB]")" 1
is "nobody else's" "$(contest sheet --venue "$work/venue.ini" | grep -c "$repeated")" 3
is "the manager's has all of it" "$(contest sheet --venue "$work/venue.ini" --for setup | grep -F "<th>$repeated</th>" |
    grep -c "<td>before round 4</td><td>$booth</td><td>$judge .*\(<td>$entry .*<td>$confederate \|<td>$confederate .*<td>$entry \)")" 1
is 'and so have the times' "$(contest times | grep -B1 '^round 4' | head -n 1)" \
    "before round 4 $repeated: $judge and $confederate at $entry's booth"
# A withdrawal after a round was held does not hide that its ballot is missing.
contest begin 4 >/dev/null && contest begin 5 >/dev/null
contest withdraw "$judge" --why ill >/dev/null
contest collect "$work/people.ini" >"$TMPDIR/said"
ok 'a ballot of before is still missing' grep -q "^missing: round 3, $judge: the ballot" "$TMPDIR/said"
contest undo withdraw "$judge" --why 'well again' >/dev/null
ok 'it can be given' quiet contest ballot "$judge" "E${meeting#*E}" 70:30
is 'it moves on with the rounds' "$(sheet_of judges "Judge ${judge#J}" | grep -c "<th>$repeated</th><td>before round 6</td>")" 1
contest ballot "$judge" "$entry$confederate" 70:30 >/dev/null
is 'and no longer once it has its ballot' "$(contest times | grep -c "$repeated")" 0

# A copy, and back.
ok 'a copy' quiet contest copy "$TMPDIR/copy.db"
mv "$file" "$TMPDIR/lost.db"
touch "$file-journal"
file=$TMPDIR/copy.db
refused 64 'contest.db-journal: there is such a file' copy "$work/contest.db"
rm "$work/contest.db-journal"
ok 'goes back where the file was lost' quiet contest copy "$work/contest.db"
file=$work/contest.db
is 'with all acts' "$(contest log | cksum)" "$(file=$TMPDIR/lost.db contest log | cksum)"

if strace -o "$TMPDIR/trace" true 2>"$TMPDIR/why"; then
    contest withdraw J3 --why ill >/dev/null
    contest disqualify E3 --organiser --why 'not compliant' >/dev/null
    cp "$file" "$TMPDIR/start.db"
    before=$(contest export --json | jq '.acts | length')
    prepare_verb() { cp "$TMPDIR/start.db" "$file" && rm -f "$file"-journal "$file".seed "$TMPDIR"/copy2.db*; }
    # One that is done already is refused when it is done again.
    run_verb() {
        "$@" "$bl" contest "${verb[0]}" "$file" "${verb[@]:1}"
        local status=$?
        ((status == 65 && ! $#)) && status=0
        return "$status"
    }
    # One act more, or one that says the same twice; what the contest is then is the same.
    done_verb() {
        local now
        now=$(contest export --json | jq -c "[.acts[$before:][] | [.kind, .body]] | unique | length") &&
            [[ $now == "$adds" && ! -e $file-journal ]] && quiet contest verify
    }
    while read -r -a verb; do
        adds=1
        [[ ${verb[0]} != copy ]] || adds=0 verb[1]=$TMPDIR/copy2.db
        killed "${verb[*]:0:2}" prepare_verb run_verb done_verb
    done <<END
repeat r3-${judge,,} --why cable
substitute J2 Somebody --why ill
rename E1 Other --why misspelt
undo begin --why early
undo withdraw J3 --why well
undo disqualify E3 --why heard
undo seal --why wrong
withdraw J1 --why ill
conflict J1 C2 --why cousins
disqualify E2 --organiser --why late
begin 6
seal 2
copy there
END
else
    skip 'killed at any moment' "strace may not trace here: $(head -n 1 "$TMPDIR/why")"
fi
plan
