#!/bin/bash
# The prints of a contest, at A4 and letter: each person's sheet, the labels, the set-up sheet and the form
# are a page each, and nothing is wider than the paper.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/browser.sh
. tests/support/venue.sh

needs_browser 'printed pages'

for rules in loebner-2009 loebner-2003; do
    work=$TMPDIR/$rules
    "$bl" contest template --ruleset $rules --booths 4 "$work" >"$TMPDIR/said" && people_fill "$work"
    "$bl" contest setup "$work/people.ini" "$work/venue.ini" >"$TMPDIR/said" 2>&1
    is "$rules is set up" $? 0
    "$bl" contest sheet "$work/contest.db" --for form >"$work/form.html"
    "$bl" contest sheet "$work/contest.db" --for labels >"$work/labels.html"
    "$bl" contest report "$work/contest.db" >"$work/report.html"
done
results python3 tests/system/browser_printed.py "$TMPDIR"
ok 'all of it was printed' test "$tap_count" -ge 42
plan
