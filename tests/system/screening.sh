#!/bin/bash
# Questions are put before the contest to an Entry of each kind that is no program on a terminal: a client
# of LPP v2, a CGI program, a form on a web server, a language model, each in its sandbox, against the
# servers of the tests. What is answered is on the contest's record.
. tests/tap.sh
work=$TMPDIR/work
mkdir "$work"
. tests/support/contest.sh
. tests/support/wait.sh

if ! unshare -Urnm true 2>/dev/null; then
    skip 'an Entry of each kind is asked' 'namespaces are not allowed'
    plan
fi
trap 'jobs -p | xargs -r kill -KILL 2>/dev/null' EXIT
contest_new loebner-2009 2 4 2 >/dev/null
mkdir "$TMPDIR/entry"
cp tests/support/lpp2_client.py tests/entrants/form.pl "$TMPDIR/entry"
printf 'things: What is a hammer?\nmemory: Who is Harry?\n' >"$TMPDIR/questions"

# answers ENTRY OPTION...: what it says to the two questions, a line each.
answers() {
    contest screen "$1" "$TMPDIR/questions" "${@:2}" 2>"$TMPDIR/$1.told" >"$TMPDIR/$1.said"
    grep '^   ' "$TMPDIR/$1.said" | sed 's/^ *//; s/ *$//'
}
is 'a client of LPP v2' "$(answers E1 --folder "$TMPDIR/entry" --lpp2 8080 \
    --program 'python3 lpp2_client.py http://127.0.0.1:8080 ai0 any websocket')" \
    'Answer 1: you said "What is a hammer?".
Answer 2: you said "Who is Harry?".'
ok 'asked when it has registered' grep -q 'the Entry: ai0 has registered' "$TMPDIR/E1.told"

said=$(answers E2 --folder "$TMPDIR/entry" --cgi ./form.pl)
is 'a CGI program answers both' "$(grep -c . <<<"$said") $(grep -c 'no answer' <<<"$said")" '2 0'
(cd "$TMPDIR/entry" && exec perl "$OLDPWD/tests/entrants/form_server.pl" 0 ./form.pl >"$TMPDIR/port") &
eventually test -s "$TMPDIR/port"
is 'a form on a server answers the same' "$(answers E3 --web "http://127.0.0.1:$(<"$TMPDIR/port")/")" "$said"

: >"$TMPDIR/chat.log"
: >"$TMPDIR/chat.faults"
python3 tests/entrants/chat_server.py 0 "$TMPDIR/chat.log" "$TMPDIR/chat.faults" >"$TMPDIR/chat.port" &
eventually test -s "$TMPDIR/chat.port"
printf -- '---\ngap: 0\n---\nYou are Ann.\n' >"$TMPDIR/ann.txt"
is 'a language model' "$(answers E4 --chat "http://127.0.0.1:$(<"$TMPDIR/chat.port")" --persona "$TMPDIR/ann.txt")" \
    'You say: What is a hammer?
You say: Who is Harry?'
is 'with its persona and the whole conversation' \
    "$(tail -n 1 "$TMPDIR/chat.log" | jq -rc '[.messages[].content]')" \
    '["You are Ann.\n","What is a hammer?","You say: What is a hammer?","Who is Harry?"]'
ok 'how each request went is told' grep -q 'the Entry: request 2: answered' "$TMPDIR/E4.told"
is 'all of it is on record' "$(contest screening --json | jq -c 'map(.asked)')" '[2,2,2,2]'

printf 'time: What day is it?\n' >>"$TMPDIR/questions"
refused 64 'expected one of --program' screen E1 "$TMPDIR/questions" --cgi true --lpp2 8080
refused 64 'persona: expected it beside --chat URL' screen E1 "$TMPDIR/questions" --program true --persona x
refused 64 'reaches us at 127.0.0.1 alone' screen E1 "$TMPDIR/questions" --program true --lpp2 127.0.0.2:8080
refused 64 '--chat ftp://x: expected' screen E1 "$TMPDIR/questions" --chat ftp://x
plan
