#!/bin/bash
# A terminal's unit puts it before all others on the processor; an Entry that it starts has no such place,
# in its sandbox or outside: the Entry types what the kernel says of it.
. tests/tap.sh
. tests/support/booth.sh

if ! chrt --rr -p 10 $$ 2>/dev/null; then
    echo '1..0 # SKIP no real-time scheduling here'
    exit 0
fi
# The 40th and 41st field of proc_pid_stat(5): priority and policy in real time.
says='read line; cut -d " " -f 40,41 /proc/self/stat'
for sandbox in '' --no-sandbox; do
    name=priority$sandbox
    cable "$name"
    start judge judge --left "serial:$work/$name.a" --session "$name" --headless --journal "$name.judge" \
        --script <(printf 'type "so?\\n"\nwait 3600000\n')
    # shellcheck disable=SC2086 # none or one
    start entity entity --line "serial:$work/$name.b" --headless --journal "$name.entity" \
        $sandbox --program "$says"
    typed_here() { "$bl" transcript convert "$work/$name.judge"/*.journal --to keys | awk '$3 == "entity" { printf "%s", $NF }'; }
    has_typed() { [[ $(typed_here) == *Return ]]; }
    ok "${sandbox:-in the sandbox}: the Entry types" eventually has_typed
    is "${sandbox:-in the sandbox}: it is scheduled as anybody" "$(typed_here)" 0space0Return
    is "${sandbox:-in the sandbox}: its terminal keeps its place" \
        "$(cut -d ' ' -f 40,41 "/proc/${pid_of[entity]}/stat")" '10 2'
    stop entity
    stop judge
done
plan
