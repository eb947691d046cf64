#!/bin/bash
# A judge's page in a browser as a page: nothing wakes while nothing happens; a screen reader has names,
# roles and each word of a partner's once (Chromium's accessibility tree); the keyboard is enough;
# nothing scrolls by surprise; light and dark, with the contrast of what is in sight.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/browser.sh

needs_browser 'the page in a browser, as a page'
. tests/support/windows.sh

for name in one two three four; do
    cable $name
done
start judge judge --left "serial:$work/one.a" --right "serial:$work/two.a" --starts either --session page \
    --journal judge --screen web
window bare 100 40 judge --left "serial:$work/three.a" --right "serial:$work/four.a" --starts either \
    --session bare --journal bare
window left 80 30 entity --line "serial:$work/one.b" --keyboard --journal left
for name in two three four; do
    start e-$name entity --line "serial:$work/$name.b" --keyboard --headless --journal e-$name
done
ok 'the judge has an address' eventually test -s "$work/judge/judge.url"
ok 'the entity at the console is connected' eventually has left ' connected'
ok 'so is a judge at another console' eventually has bare 'here connected'

coproc python3 tests/system/browser_page.py "$work" "${pid_of[judge]}" "$(window_pid bare)" 2>"$work/python"
# Our own, for bash closes its two when the other side ends, with what is still to be read.
exec {answers}>&"${COPROC[1]}" {questions}<&"${COPROC[0]}"
while read -r what text <&"$questions"; do
    case $what in
    [01]) result "$what" "$text" ;;
    type) keys left -l "$text" ;;
    enter) keys left Enter ;;
    unplaced) eventually has left '17 keys waiting' ;;
    lines) keys left -l "$(printf 'line %d\r' {0..39})" ;;
    *) echo "$what $text" ;;
    esac
    status=$?
    [[ $what != [a-z]* ]] || echo "$status" >&"$answers"
done
sed 's/^/# /' "$work/python"
ok 'all of it was asked' test "$tap_count" -ge 31
plan
