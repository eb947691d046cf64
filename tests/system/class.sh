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
    "64 boothlink class: --ruleset loebner-2003: expected pairs, and 'human: left right'"
"$bl" class --chat "$url" --ruleset three-party-2025 >"$work/said" 2>&1 &
pid_of[rules]=$!
ended rules
is 'rules that seal the vote with the session' "$? $(<"$work/said")" \
    "64 boothlink class: --ruleset three-party-2025: expected 'sealed = session' and 'reveal = session', for the class votes, then it is told"

# A lesson that cannot begin says so at once.
export TMPDIR=$work
begin() {
    (
        cd "$work" || exit
        exec "$bl" class --chat "$url" "$@" >"$work/lesson.out" 2>"$work/said"
    ) &
    pid_of[lesson]=$!
}
children() { ps -o pid= --ppid "${pid_of[lesson]}"; }
begin --session 'round 2'
ended lesson
is 'a name that no record can have' "$? $(<"$work/said")" \
    "64 boothlink class: session 'round 2': expected 1 to 40 letters, digits, '-', '_' or '.'"
: >"$work/notes.txt"
begin --journal notes.txt
ended lesson
is 'a file for a folder' "$? $(<"$work/said")" '64 boothlink class: --journal notes.txt: expected a folder'
mkdir "$work/taken"
: >"$work/taken/model"
begin --journal taken
ended lesson
is "the model's terminal cannot start: its code and its words, and no round" \
    "$? $(sed -E 's/\([^)]*model\.err\)/(FILE)/' "$work/said") $(grep -c 'first key' "$work/lesson.out")" \
    "66 boothlink class: model ended with code 66 (FILE): boothlink entity: $work/taken/model: Not a directory; expected a directory for the Entry's socket 0"
mkdir -p "$work/again/judge" "$work/again/human"
echo http://127.0.0.1:1/#old | tee "$work/again/judge/judge.url" >"$work/again/human/entity.url"
begin --journal again
ok 'a round begins' eventually grep -qs 'when the page is left (F10)' "$work/lesson.out"
is 'with no address of an earlier round' "$(grep -c '#old' "$work/lesson.out")" 0
is 'and the addresses alone in sight, not the model'\''s' "$(grep -c 'in a browser' "$work/said")" 0
mapfile -t ours < <(children)
is 'it has cables and terminals' "${#ours[@]}" 5
stop lesson
is 'a signal ends it and them' "$? $(ps -o pid= -p "${ours[*]}" | wc -l)" '143 0'

needs_browser 'a lesson in browsers'
rm -rf "$work"/boothlink-demo-*
# lesson SESSION: begins it.
lesson() {
    (
        cd "$work" || exit
        "$bl" class --chat "$url" --persona ann.txt --journal lesson --session "$1" >"$1.said" 2>"$1.why"
        code=$?
        ls -d "$work"/boothlink-demo-* >"$1.left" 2>/dev/null
        echo "$code" >"$1.code"
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
The page that shows it to the class: file://$work/lesson/one.html
The records are in $work/lesson"
is 'the folder of the cables is gone after it' "$(cat "$work/one.left")" ''
ok 'the page has what was said' grep -q 'I am here' "$work/lesson/one.html"
is 'the vote is on record' "$(grep -oE 'given human (left|right) sure 5' "$work/lesson/judge/one-judge.ballot" | cut -d' ' -f1,2,4,5)" \
    'given human sure 5'
is 'without a vote nothing is told' "$(<"$work/two.code") $(told two) $(grep -c 'the class has not voted' "$work/two.why")" '65 0 1'
(cd "$work" && "$bl" class --chat "$url" --journal lesson --session one) >"$work/said" 2>&1
is 'a round is held once' "$? $(<"$work/said")" \
    "64 boothlink class: $work/lesson/judge/one-judge.journal is there already: expected another --session"
plan
