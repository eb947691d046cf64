#!/bin/bash
# From nothing to "would accept it": the commands of boothlink-entrant(7), as they stand there, of a person with
# ten lines of Python and of one with a model's server, for which one of the tests stands.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/demo.sh

page=host/share/man/boothlink-entrant.7
if ! unshare -Urnm true 2>/dev/null; then
    skip "an entrant's commands" 'namespaces are not allowed'
    plan
fi
plain() { sed 's/\\-/-/g; s/\\(aq/'"'"'/g; s/\\e/\\/g; s/^    //' "$page"; }
# block TEXT: the example of the page with this in it.
block() {
    plain | awk -v text="$1" '
        /^\.nf/ { inside = 1; block = ""; next }
        /^\.fi/ { if (inside && index(block, text)) { printf "%s", block; exit } inside = 0 }
        inside { block = block $0 "\n" }' | sed -e ':more' -e '/\\$/{N;s/\\\n *//;b more' -e '}'
}
# verdict FOLDER COMMAND: what the page's command ends in; short silences, for the rest as it stands.
verdict() {
    (cd "$1" && eval "${2/boothlink/\"$bl\"} --quiet 1 --silence 1" >said 2>&1 </dev/null
    tail -n 1 said)
}
mkdir "$work/python" "$work/model"
block 'import random' >"$work/python/entry.py"
block 'validate entry --ruleset loebner-2004 --program '"'python3" >"$work/python/commands"
ok 'a program has ten lines' test "$(wc -l <"$work/python/entry.py")" -le 10
ok 'and at most three commands' test "$(wc -l <"$work/python/commands")" -le 3
block 'opening: ' >"$work/model/ann.txt"
block 'llama-server' >"$work/model/commands"
ok 'a persona is there' test -s "$work/model/ann.txt"
ok 'and at most three commands for a model' test "$(wc -l <"$work/model/commands")" -le 3

: >"$work/model.log"
: >"$work/faults"
python3 tests/entrants/chat_server.py 0 "$work/model.log" "$work/faults" >"$work/port" &
pid_of[model]=$!
ok 'a server stands for that of the model' eventually test -s "$work/port"
sed -i "s/127.0.0.1:8080/127.0.0.1:$(<"$work/port")/" "$work/model/commands"
verdict "$work/python" "$(grep validate "$work/python/commands")" >"$work/python.verdict" &
verdict "$work/model" "$(grep validate "$work/model/commands")" >"$work/model.verdict"
wait $!
for who in python model; do
    if is_stalled && grep -q 'would not accept it' "$work/$who.verdict" && are_timed <"$work/$who/said"; then
        skip "$who: the rules would accept it" 'its program was stopped, and a verdict is about time'
    else
        ok "$who: the rules would accept it" grep -q 'would accept it, by [0-9]* checks' "$work/$who.verdict"
    fi
    sed 's/^/# /' "$work/$who.verdict"
    grep -E '^(FAIL|WARN)' "$work/$who/said" | sed 's/^/# /'
    # To talk to it, without a screen; $BUILD/sim/controller cuts the line.
    (cd "$work/$who" && eval "$(grep ' demo ' commands | sed "s,boothlink,'$bl',") --headless" >demo 2>&1 </dev/null)
    if is_stalled && demo_waited "$work/$who/demo"; then
        skip "$who: the demo ends with nothing lost" 'one end was stopped as the line was cut'
    else
        ok "$who: the demo ends with nothing lost" grep -q 'nothing was lost' "$work/$who/demo"
    fi
done
# A server of a model as there is one, if there is one.
if command -v llama-server ollama >/dev/null && [[ ${BOOTHLINK_MODEL-} ]]; then
    commands=$(block llama-server | sed "s,http://127.0.0.1:8080,$BOOTHLINK_MODEL,")
    ok 'a real server: the rules would accept the model' \
        test "$(verdict "$work/model" "$(grep validate <<<"$commands")" | grep -c 'would accept it')" = 1
else
    skip 'a real llama-server or Ollama' 'none is installed, or BOOTHLINK_MODEL does not say where it listens'
fi
plan
