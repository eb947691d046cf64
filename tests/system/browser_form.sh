#!/bin/bash
# The form of 2003 in a browser: the same pixels for a person's answer, a program's and that of an
# Entry behind a form of its own, and a message
# at a time (r29); no answer sooner than the ruleset's seconds after the judge's submission, measured
# in the page while the machine has more to do than it can (r30). QUESTIONS and LOOPS: more of both.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/browser.sh

needs_browser 'the form in a browser'
. tests/support/windows.sh

least_ms=$("$bl" contest rulesets loebner-2003 | sed -n 's/^answer-least = \([0-9]*\).*/\1000/p')
is 'the ruleset says 5 s' "$least_ms" 5000
for number in 1 2 3 4; do
    cable c$number
    start judge$number judge --left "serial:$work/c$number.a" --style web --starts either \
        --session form --journal judge$number --screen web
done
start person entity --line "serial:$work/c1.b" --keyboard --journal person --screen web \
    --pace "message after $least_ms"
start program entity --line "serial:$work/c2.b" --journal program --headless \
    --pace "message after $least_ms" --program-io pipe \
    --program 'exec perl -ne "BEGIN { \$| = 1 } print qq(Fine, thank you.\n)"'
mkdir "$work/entry"
cp tests/entrants/form.pl "$work/entry"
start form entity --line "serial:$work/c4.b" --journal form --headless --pace "message after $least_ms" \
    --folder entry --cgi 'ANSWER="Fine, thank you." exec perl form.pl'
window console 100 30 entity --line "serial:$work/c3.b" --keyboard --journal console
for number in 1 2 3 4; do
    ok "judge $number has an address" eventually test -s "$work/judge$number/judge.url"
done
ok 'the person has an address' eventually test -s "$work/person/entity.url"

for ((i = 0; i < ${LOOPS:-2}; i++)); do
    while :; do :; done &
    pid_of[loop$i]=$!
done

both_have() { has_keys "$work/judge3/form-judge.journal" "$1" && has_keys "$work"/console/*.journal "$1"; }

coproc python3 tests/system/browser_form.py "$work" "$least_ms" "${QUESTIONS:-1}" 2>"$work/python"
# Our own, for bash closes its two when the other side ends, with what is still to be read.
exec {answers}>&"${COPROC[1]}" {questions}<&"${COPROC[0]}"
while read -r what text <&"$questions"; do
    case $what in
    [01]) result "$what" "$text" ;;
    type)
        keys console -l "$text"
        eventually has console "$text"
        ;;
    placed) eventually both_have "$text" ;;
    has) eventually has console "$text" ;;
    lacks) lacks console "$text" ;;
    enter) keys console Enter ;;
    *) echo "$what $text" ;;
    esac
    status=$?
    [[ $what == [01#] ]] || echo "$status" >&"$answers"
done
sed 's/^/# /' "$work/python"
ok 'all of it was asked' test "$tap_count" -ge 33
plan
