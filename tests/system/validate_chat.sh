#!/bin/bash
# A language model is tried at home: `validate` takes it as any other Entry, in the day's sandbox, with
# its persona and the server's key, by TCP and by a socket without any network.
. tests/tap.sh
work=$TMPDIR/work
mkdir "$work"
. tests/support/wait.sh

program=$(realpath "$BUILD/boothlink")
if ! unshare -Urnm true 2>/dev/null; then
    skip 'a language model at home' 'namespaces are not allowed'
    plan
fi
trap 'jobs -p | xargs -r kill -KILL 2>/dev/null' EXIT
# server NAME ADDRESS: its log is $work/NAME.log.
server() {
    : >"$work/$1.log"
    : >"$work/$1.faults"
    python3 tests/entrants/chat_server.py "$2" "$work/$1.log" "$work/$1.faults" >"$work/$1.port" &
    eventually test -s "$work/$1.port"
}
server tcp 0
server local "$work/model.socket"
printf -- '---\ngap: 30\n---\nYou are Ann.\n' >"$work/ann.txt"
echo the-key >"$work/server.key"

# validate ADDRESS CHECKS: a line for each, its verdict and its name.
validate() {
    (cd "$work" && exec "$program" validate entry --ruleset loebner-2004 --chat "$1" --persona ann.txt \
        --chat-key server.key --answer 60 --quiet 0.5 --silence 0.5 --only "$2" --json 2>"$work/errors") |
        jq -r '.checks[] | "\(.verdict) \(.id)"'
}
for name in tcp local; do
    [[ $name == tcp ]] && address=http://127.0.0.1:$(<"$work/tcp.port") || address=unix:$work/model.socket
    said=$(validate "$address" talk.first,keys.single)
    if is_stalled && [[ $said == 'PASS talk.first'*'FAIL keys.single' ]]; then
        skip "$name: it answers, as people type" 'its program was stopped, and a verdict is about time'
    else
        is "$name: it answers, as people type" "$said" $'PASS talk.first\nPASS keys.single'
    fi
    is "$name: with its persona" "$(head -n 1 "$work/$name.log" | jq -r '.messages[0].content')" 'You are Ann.'
    is "$name: and the server's key" "$(head -n 1 "$work/$name.log" | jq -r .authorization)" 'Bearer the-key'
done
(cd "$work" && "$program" validate entry --ruleset loebner-2004 --chat "$address" --persona ann.txt \
    --chat-key server.key --answer 60 --quiet 0.5 --only opening.words 2>"$work/errors") >"$work/opening"
ok 'a model without opening words is told where they stand' \
    grep -q 'its persona may begin with them: a line opening: between two lines ---' "$work/opening"
plan
