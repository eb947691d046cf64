#!/bin/bash
# A second session in one run of an entity's terminal: it begins as the first one did. Its Entry is
# another one, which has to be ready first, and its messages wait for as long.
. tests/tap.sh
. tests/support/booth.sh

# Ready when there is a file, and then answers at once.
cat >"$work/entry.sh" <<'SH'
until [ -e "$1" ]; do sleep 0.05; done
while read -r line; do echo "You say: $line"; done
SH
printf 'type "Hello\\n"\nwait 100000\n' >"$work/judge.script"

# session NAME: a judge begins it.
session() {
    start judge judge --left "serial:$work/line.a" --session "$1" --headless --journal "$1" \
        --script "$work/judge.script"
    judge=$work/$1/$1-judge.journal
    entity=$work/entity/$1-entity.journal
}
is_open() { [[ $(entries "$judge" 'select(.kind == "segment") | .state') == *open* ]]; }
has_answer() { [[ $(typed_in "$judge" entity | paste -sd '') == Youspacesay:spaceHelloReturn ]]; }

# In ms, from the judge's Return to the first key of the answer.
after() {
    entries "$judge" 'select(.kind == "keys") | "\(.party) \(.time_us)"' | awk '
        $1 == "judge" { asked = $2 }
        $1 == "entity" && !told++ { print int(($2 - asked) / 1000) }'
}

cable line
: >"$work/go"
session first
start entity entity --line "serial:$work/line.b" --headless --journal entity \
    --pace 'message 20+-5 after 2500' --no-sandbox --program "sh $work/entry.sh $work/go"
ok 'in the first session the Entry answers' eventually has_answer
ok 'when it may' test "$(after)" -ge 2500
slay judge

rm "$work/go"
session second
ok 'in the second one it is started again' eventually says "$entity" entry 'started, process'
ok 'the line is open' eventually is_open
pause 1 # what comes too early comes at once
is 'a judge that is a program waits until the Entry is ready' "$(keys_in "$judge")" 0
: >"$work/go"
ok 'then it answers' eventually has_answer
ok 'and not sooner than in the first' test "$(after)" -ge 2500
slay judge
stop entity
plan
