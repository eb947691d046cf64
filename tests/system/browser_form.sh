#!/bin/bash
# The form of 2003 in a browser: the same pixels for a person's answer and a program's (r29), and no
# answer sooner than five seconds after the judge's submission, measured in the page (r30).
. tests/tap.sh
. tests/support/booth.sh
. tests/support/browser.sh

needs_browser 'the form in a browser'
for number in 1 2; do
    cable c$number
    start judge$number judge --left "serial:$work/c$number.a" --style web --starts either \
        --session form --journal judge$number --screen web
    ok "judge $number has an address" eventually test -s "$work/judge$number/judge.url"
done
start person entity --line "serial:$work/c1.b" --keyboard --journal person --screen web \
    --pace 'message after 5000'
start program entity --line "serial:$work/c2.b" --journal program --headless \
    --pace 'message after 5000' --program-io pipe \
    --program 'exec perl -ne "BEGIN { \$| = 1 } print qq(Fine, thank you.\n)"'
ok 'the person has an address' eventually test -s "$work/person/entity.url"

while read -r status text; do
    if [[ $status == '#' ]]; then
        echo "# $text"
    else
        result "$status" "$text"
    fi
done < <(python3 tests/system/browser_form.py "$work" 2>&1)
ok 'all of it was asked' test "$tap_count" -ge 12
plan
