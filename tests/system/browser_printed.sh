#!/bin/bash
# The prints of a contest, at A4 and letter: each person's sheet, the labels, the set-up sheet and the form
# are a page each, and nothing is wider than the paper or cut. The report has what can go wrong, in one place.
. tests/tap.sh
. tests/support/ballots.sh
. tests/support/booth.sh
. tests/support/browser.sh
. tests/support/venue.sh

needs_browser 'printed pages'

# goes_wrong: the contest anew, some of its sessions with their judges' reasons, and what can go wrong in one.
goes_wrong() {
    local round session meetings
    rm -r "$work"/contest.db* "$work/sticks"
    "$bl" contest setup --unsigned "$work/people.ini" "$work/venue.ini"
    for round in 1 2 3 4; do
        "$bl" contest begin "$work/contest.db" $round
    done
    while read -r session; do
        printf 'boothlink-ballot 1 session=%s rules=loebner-2009 kind=human sealed=session\n1795289010000000 given human left notes %s\n' \
            "$session" 'It asked back, and remembered all that I had said at the beginning.' | sums >"$work/$session-judge.ballot"
        "$bl" contest import "$work/contest.db" "$work/$session-judge.ballot"
    done < <("$bl" contest show "$work/contest.db" | sed -n 's/^  round \([1-3]\), begun:/\1/p' |
        while read -r round meetings; do grep -o 'J[0-9]' <<<"$meetings" | sed "s/J/r$round-j/"; done | head -n 6)
    "$bl" contest repeat "$work/contest.db" r1-j1 --why 'a cable was pulled out by somebody who fell over it'
    "$bl" contest exclude "$work/contest.db" r2-j3 --why 'the judge saw the confederate in the corridor'
    "$bl" contest ballot "$work/contest.db" J1 "$("$bl" contest show "$work/contest.db" |
        sed -n 's/^  round 1.*J1\(E[0-9]C[0-9]\).*/\1/p')" entry --late
    "$bl" contest substitute "$work/contest.db" C1 'Ann Lee' --why 'a train was late'
    "$bl" contest withdraw "$work/contest.db" J4 --why ill
} >"$TMPDIR/said" 2>&1

for rules in loebner-2009 loebner-2003; do
    work=$TMPDIR/$rules
    "$bl" contest template --ruleset $rules --booths 4 "$work" >"$TMPDIR/said" && people_fill "$work"
    "$bl" contest setup "$work/people.ini" "$work/venue.ini" >"$TMPDIR/said" 2>&1
    is "$rules is set up" $? 0
    "$bl" contest sheet "$work/contest.db" --for form >"$work/form.html"
    "$bl" contest sheet "$work/contest.db" --for labels >"$work/labels.html"
    [[ $rules != loebner-2009 ]] || goes_wrong
    "$bl" contest report "$work/contest.db" >"$work/report.html"
done
report=$TMPDIR/loebner-2009/report.html
is "judges' reasons are in the report" "$(grep -c 'Notes of the judges' "$report") $(grep -o 'It asked back' "$report" | wc -l)" '1 4'
apart() { sed -n '/class="apart"/,/<\/div>/p' "$report" | grep -oE '^<tr><td>[^<]*' | sed 's/.*>//' | paste -sd,; }
is 'what was late, left, taken over, repeated and excluded is in one place' "$(apart)" \
    'withdrawn,another took the place,held again,late ballot, counted,excluded'
results python3 tests/system/browser_printed.py "$TMPDIR"
ok 'all of it was printed' test "$tap_count" -ge 65
plan
