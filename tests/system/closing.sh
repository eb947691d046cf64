#!/bin/bash
# What is before the person who has left a screen: his shell, and one line with where the record is and what
# can be done with it. And a locale without UTF-8: our own lines and marks are ASCII, what is typed stays.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh

cable c
start entity entity --line "serial:$work/c.b" --keyboard --headless --journal entity
# by_hand NAME [NAME=VALUE...] -- OPTION...: from the shell in that window.
by_hand() {
    local name=$1 settings=()
    shift
    while [[ $1 != -- ]]; do
        settings+=("$1")
        shift
    done
    shift
    keys "$name" "${settings[*]} LD_PRELOAD=$sim/shim.so $bl ${*@Q}" Enter
}
judge=(judge --left "serial:$work/c.a" --starts either --style 'split columns=40')
window hand 100 24
eventually has hand '$'
by_hand hand LC_ALL=C -- "${judge[@]}" --session plain --journal "$work/plain"
reads 'a judge without UTF-8 has a screen' hand 'here connected'
keys hand -l 'Grüß Gott'
reads 'what is typed stays as it is' hand 'Grüß Gott'
foreign() { screen hand | sed 's/Grüß//' | LC_ALL=C grep -c '[^ -~]'; }
is 'all else is ASCII' "$(foreign)" 0
ok 'with lines' has hand -----
keys hand F10
reads 'F10 asks' hand 'To leave'
keys hand leave Enter
record=$work/plain/plain-judge.journal
# A line that is longer than the window is broken wherever it ends, also in a blank.
line() {
    screen hand | tr -d ' \n' |
        grep -qF "Therecordis$record;'boothlinkreplay'playsit,'boothlinktranscriptconvert'writesitout."
}
ok 'the shell is back, with where the record is and what can be done with it' eventually line
ok 'there it is' test -s "$record"
is 'and it can be written out' "$("$bl" transcript convert "$record" | grep -c 'Judge: Grüß Gott')" 1

tm kill-session -t hand
window hand 100 24
eventually has hand '$'
by_hand hand -- "${judge[@]}" --session lines --journal "$work/lines"
reads 'with UTF-8' hand 'F1 help'
ok 'the lines are drawn' has hand ─────
kill "$(pgrep -P "$(window_pid hand)")"
ok 'it is said after a signal, too' eventually has hand "'boothlink replay' plays it"

start quiet judge --left "serial:$work/c.a" --starts either --session quiet --journal quiet --headless
ok 'a terminal without a screen' eventually test -s "$work/quiet/quiet-judge.journal"
kill "${pid_of[quiet]}"
ended quiet
is 'has nobody to say it to' "$(cat "$work/quiet.out")" ''
plan
