#!/bin/bash
# A lesson on one laptop by one command: the class's page, the hidden human's, and a page of the reveal. The
# class votes first; until then nothing tells the two sides apart.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/browser.sh

"$bl" class >"$work/said" 2>&1
is 'a model is asked for' "$? $(<"$work/said")" '64 boothlink class: missing --chat URL'
: >"$work/chat.faults"
python3 tests/entrants/chat_server.py 0 "$work/chat.log" "$work/chat.faults" >"$work/chat.port" &
pid_of[chat]=$!
ok 'the model is there' eventually test -s "$work/chat.port"
url=http://127.0.0.1:$(<"$work/chat.port")
printf -- '---\ngap: 0\n---\nYou are Ann.\n' >"$work/ann.txt"
"$bl" class --chat "$url" --ruleset loebner-2003 >"$work/said" 2>&1
is 'rules of pairs' "$? $(<"$work/said")" \
    "64 boothlink class: --ruleset loebner-2003: expected pairs, and a ballot that asks 'human: left right'"
"$bl" class --chat "$url" --ruleset three-party-2025 >"$work/said" 2>&1 &
pid_of[rules]=$!
ended rules
is 'rules that seal the vote with the session' "$? $(<"$work/said")" \
    "64 boothlink class: --ruleset three-party-2025: expected 'sealed = session' in it, for it is told after the session who was the human"

needs_browser 'a lesson in browsers'
export TMPDIR=$work
# lesson SESSION: begins it.
lesson() {
    (
        cd "$work" || exit
        "$bl" class --chat "$url" --persona ann.txt --journal lesson --session "$1" >"$1.said" 2>"$1.why"
        echo $? >"$1.code"
    ) &
    pid_of[$1]=$!
    eventually grep -qs 'F3 is the ballot' "$work/$1.said"
}
told() { grep -c 'was the human' "$work/$1.said"; }
asked_lesson() { lesson "$1"; }
asked_untold() { [[ $(told "$1") == 0 && ! -e $work/lesson/$1.html ]]; }
asked_over() { eventually test -s "$work/$1.code"; }
serve tests/system/class.py "$work"
ok 'all of it was asked' test "$tap_count" -ge 17

is 'the terminal tells who was the human, after the vote' \
    "$(<"$work/one.code") $(sed -n '/^The class says/,$p' "$work/one.said" | sed -E 's/(left|right) /SIDE /g; s/http:[^ ]*\./URL./')" \
    "0 The class says: human SIDE sure 5 reason \"it said I\"
On the SIDE was the human, on the SIDE URL. The class is right.
The page that shows it to the class: file://$work/lesson/one.html"
ok 'the page has what was said' grep -q 'I am here' "$work/lesson/one.html"
is 'the vote is on record' "$(grep -oE 'given human (left|right) sure 5' "$work/lesson/judge/one-judge.ballot" | cut -d' ' -f1,2,4,5)" \
    'given human sure 5'
is 'without a vote nothing is told' "$(<"$work/two.code") $(told two) $(grep -c 'the class has not voted' "$work/two.why")" '65 0 1'
(cd "$work" && "$bl" class --chat "$url" --journal lesson --session one) >"$work/said" 2>&1
is 'a round is held once' "$? $(<"$work/said")" \
    "64 boothlink class: $work/lesson/judge/one-judge.journal is there already: expected another --session"
plan
