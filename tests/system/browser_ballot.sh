#!/bin/bash
# The ballot in a browser as a screen reader has it, Chromium's accessibility tree: names, roles, what is
# chosen and which field is typed into; all of it by the keyboard alone. A choice of 2009 and its rank
# after the last round, a rating of 2003, a confidence and a reason of 2025.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/browser.sh

needs_browser 'the ballot in a browser'
lines() { sed -E '1d; s/^[0-9]+ //; s/ \*[0-9a-f]{8}$//' "$1"; }
for line in left right single first second; do
    cable $line
    start "$line-entity" entity --line "serial:$work/$line.b" --keyboard --headless --journal "$line"
done
start choice judge --left "serial:$work/left.a" --right "serial:$work/right.a" --ruleset loebner-2009 \
    --session choice --plan '600 both' --begin ready --journal choice --screen web
start rating judge --left "serial:$work/single.a" --ruleset loebner-2003 --session rating --plan '600 left' \
    --begin ready --journal rating --screen web
start asked judge --left "serial:$work/first.a" --right "serial:$work/second.a" --ruleset three-party-2025 \
    --session asked --plan '600 both' --begin ready --journal asked --screen web
for name in choice rating asked; do
    ok "an address: $name" eventually test -s "$work/$name/judge.url"
done

asked_rank() {
    ended choice
    start rank judge --rank choice/choice-judge.journal --journal rank --screen web
    eventually test -s "$work/rank/judge.url"
}
serve tests/system/browser_ballot.py "$work"
ok 'all of it was asked' test "$tap_count" -ge 32
is 'the choice is on record' "$(lines "$work/choice/choice-judge.ballot" | tail -n 1)" 'given human right notes a word'
is 'so is the rating' "$(lines "$work/rating/rating-judge.ballot" | tail -n 1)" 'given rating 3.25'
is 'and the fields that rules ask besides' "$(lines "$work/asked/asked-judge.ballot" | tail -n 1)" \
    'given human left confidence 80 reason "said \"aye\"" notes n'
is 'and the rank' "$(lines "$work/choice/ranks-judge.ballot" | tail -n 1)" 'given ranks 1'
plan
