#!/bin/bash
# The page in a browser, with every notice at once, and at five sizes of screens: nothing that is said
# covers a row of a conversation, or a field of the ballot, or leaves the screen.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/browser.sh

needs_browser 'the notices of a page in a browser'

for name in one two; do
    cable $name
done
start judge judge --left "serial:$work/one.a" --right "serial:$work/two.a" --ruleset loebner-2009 \
    --plan '600 both,600 review' --begin ready --starts either --session notices --journal judge --screen web
start entity entity --line "serial:$work/one.b" --keyboard --journal entity --screen web
start other entity --line "serial:$work/two.b" --keyboard --headless --journal other
for name in judge entity; do
    ok "the $name has an address" eventually test -s "$work/$name/$name.url"
done

coproc python3 tests/system/browser_notices.py "$work" 2>"$work/python"
while read -r what text <&"${COPROC[0]}"; do
    case $what in
    [01]) result "$what" "$text" ;;
    *) echo "$what $text" ;;
    esac
done
sed 's/^/# /' "$work/python"
ok 'all of it was asked' test "$tap_count" -ge 26
plan
