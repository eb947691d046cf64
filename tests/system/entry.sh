#!/bin/bash
# Entries, the real one of libchatbot-eliza-perl and bad ones: the terminal killed in
# mid-conversation costs them nothing, and what they do wrong is an outcome on the record.
. tests/tap.sh
. tests/support/booth.sh

cat >"$work/judge.script" <<'SCRIPT'
pace 20
type Hello.\n
await-turn 700 20000
type I feel sad about my computer.\n
await-turn 700 20000
type Because it never answers me.\n
await-turn 700 20000
type Do you?\n
wait 3600000
SCRIPT
cable line

# The Eliza of Debian prompts both speakers and, on a pty, writes as fast as it can.
eliza='exec perl -MChatbot::Eliza -e "$|=1; Chatbot::Eliza->new->command_interface"'
talk() {
    start entity entity --line "serial:$work/line.b" --journal entity --headless --json \
        --program "$eliza" --strip-prompt '(Eliza|you):\t' --pace 15
}
judge=$work/judge/eliza-judge.journal
entity=$work/entity/eliza-entity.journal
start judge judge --left "serial:$work/line.a" --starts either --session eliza --headless --json \
    --script "$work/judge.script" --journal judge
talk

# process JOURNAL: the first process of the sandbox of the Entry that was started last.
process() { notes "$1" entry | sed -n 's/^started, process \([0-9]*\):.*/\1/p' | tail -n 1; }
# alive JOURNAL: whether it is there.
alive() { kill -0 "$(process "$1")"; }
gone() { ! alive "$1"; } 2>/dev/null

said() { typed_in "$judge" entity | grep -cx Return; }
turns() { (($(said) >= $1)); }
ok 'Eliza greets' eventually turns 1
ok 'it is a program' alive "$entity"
first=$(process "$entity")
for key in 40 55 70 85 100 115; do # what she says is never so short that there are fewer
    ok "the conversation goes on to key $key" eventually has_keys "$judge" $key
    slay entity
    ok 'the terminal is killed: she lives on' alive "$entity"
    talk
done
ok 'she answers all' eventually turns 5
ok 'and both ends have it' eventually level "$judge" "$entity"
stop judge
is 'the conversation ends well' $? 0
stop entity
is 'at both ends' $? 0
ok 'and she with it' eventually gone "$entity"
is 'who was one all the time' "$(process "$entity")" "$first"

events "$judge" >"$work/events.judge"
events "$entity" >"$work/events.entity"
equal 'the ordered events are the same' "$work/events.judge" "$work/events.entity"
is 'she has said a greeting and four answers' "$(said)" 5
"$bl" transcript convert "$judge" >"$work/text"
is "each of the judge's lines is there once" \
    "$(typed_in "$judge" judge | sed 's/^space$/ /; s/^Return$/\n/' | tr -d '\n' | wc -m)" \
    "$(sed -n 's/^type //p' "$work/judge.script" | tr -d '\n' | sed 's/\\n//g' | wc -m)"
is 'no prompt of hers is left' "$(grep -cE '(Eliza|you):' "$work/text")" 0
is 'the record says that she was started once' "$(notes "$entity" entry | grep -c '^started')" 1
ok 'and taken over' says "$entity" entry 'still there after a restart of the terminal'

# Two sessions in one process of the entity's terminal: the second begins with a fresh Entry.
printf 'pace 5\ntype Hello.\\n\nwait 3600000\n' >"$work/judge.script"
cat >"$work/count.pl" <<'PERL'
$| = 1;
while (<STDIN>) { print ++$lines, "\n" }
PERL
judge_in() {
    start judge judge --left "serial:$work/line.a" --session "$1" --headless --json \
        --script "$work/judge.script" --journal judge
}
answered() { (($(typed_in "$work/judge/$1-judge.journal" entity | grep -cx Return) >= 1)); }
start entity entity --line "serial:$work/line.b" --journal two --headless --json \
    --program 'exec perl count.pl'
judge_in first
ok 'a session' eventually answered first
first=$(process "$work/two/first-entity.journal")
eventually level "$work/judge/first-judge.journal" "$work/two/first-entity.journal"
slay judge
judge_in second
ok 'and a second one' eventually answered second
ok 'has an Entry' alive "$work/two/second-entity.journal"
ok 'which is another' test "$(process "$work/two/second-entity.journal")" != "$first"
ok 'and alone' eventually test ! -d "/proc/$first"
is 'which was started for it' \
    "$(notes "$work/two/second-entity.journal" entry | grep -c '^started')" 1
is 'and had heard nothing before' \
    "$(typed_in "$work/judge/second-judge.journal" entity | xargs)" '1 Return'
events "$work/judge/first-judge.journal" >"$work/events.judge"
events "$work/two/first-entity.journal" >"$work/events.entity"
equal 'the first is on record at both ends' "$work/events.judge" "$work/events.entity"
stop judge
stop entity

# Bad Entries, each in a session of its own, in which the judge says a line.
printf 'pace 5\ntype Hello.\\n\nwait 3600000\n' >"$work/judge.script"

# has_said KEY...: whether the entity's keys in the judge's record are these.
has_said() { [[ $(typed_in "$judge" entity | xargs) == "$*" ]]; }

# outcome NAME CODE TEXT KEYS PROGRAM [OPTION...]: TEXT is on the entity's record, and on the
# entity's alone; the judge has got KEYS, if there are any; then both ends end well.
outcome() {
    local name=$1 code=$2 text=$3 keys=$4 program=$5
    shift 5
    judge=$work/judge/$name-judge.journal
    entity=$work/$name/$name-entity.journal
    start judge judge --left "serial:$work/line.a" --starts either --session "$name" --headless \
        --json --script "$work/judge.script" --journal judge
    start entity entity --line "serial:$work/line.b" --journal "$name" --headless --json \
        --program "$program" "$@"
    if ! eventually says "$entity" "$code" "$text"; then
        notes "$entity" entry | sed 's/^/# /'
        result 1 "$name: it is on the record"
    else
        result 0 "$name: it is on the record"
    fi
    if [[ $keys ]]; then
        eventually has_said "$keys"
        is "$name: what it had said is there" "$(typed_in "$judge" entity | xargs)" "$keys"
    fi
    stop judge
    is "$name: the judge's end ends well" $? 0
    stop entity
    is "$name: the entity's end ends well" $? 0
    is "$name: nothing of it is in the judge's record" "$(notes "$judge" "$code")" ''
}

outcome exit entry 'exited with code 3' 'G o o d b y e Return' 'echo Goodbye; exit 3'
outcome crash entry 'ended by signal 11' 'H m Return' \
    "exec perl -e '\$|=1; print qq(Hm\\n); kill SEGV => \$\$; sleep 9'"
outcome error entry 'its last error line: no model here' '' 'echo no model here >&2; exit 1'
# What is no UTF-8 is no key, as at a keyboard.
outcome utf8 entry 'bytes that are no UTF-8' 'a ( z Return' \
    "printf 'a\\377\\303(z\\n'; exec sleep 60"
# The text between escape sequences is there.
outcome controls ignored 'controls or escape sequences' 'b o l d Return' \
    "printf '\\033[1mbold\\033[0m\\n'; exec sleep 60"
outcome mute entry 'has closed its output and runs on' '' 'exec >&-; exec sleep 60' --program-io pipe
outcome deaf entry 'has closed its input' '' 'echo Yes; exec <&-; exec sleep 60' \
    --program-io pipe
outcome flood entry 'writes more than the line carries' '' 'yes flooding'
flooded=$(typed_in "$judge" entity | head -n 900 | paste -sd '')
is 'what it said is there in order' "$flooded" \
    "$(yes floodingReturn | head -n 900 | paste -sd '' | head -c ${#flooded})"
ok 'and there is some of it' test ${#flooded} -gt 4
plan
