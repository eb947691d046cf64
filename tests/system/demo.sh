#!/bin/bash
# An entrant tries his own Entry at home, with one command: as a scripted judge's partner, and in the two
# screens at which he is the judge himself.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/demo.sh
. tests/support/windows.sh

mkdir "$work/entry"
printf 'import sys\nfor line in sys.stdin:\n    print("You say", line, end="", flush=True)\n' >"$work/entry/entry.py"
# talks DESCRIPTION FOLDER ARGUMENT...: a demo ends with nothing lost; its report is $report.
talks() {
    report=$(cd "$2" && "$bl" demo --headless --json "${@:3}" 2>"$work/why")
    if is_stalled && demo_waited "$work/why"; then
        skip "$1" 'one end was stopped as the line was cut'
    else
        is "$1" "$(jq -r .ok <<<"$report")" true
    fi
}
talks 'his program talks with a scripted judge' "$work/entry" --program 'python3 entry.py'
[[ ! $report ]] || ok 'and was the Entry' test "$(jq .keys_entity <<<"$report")" -gt 10
"$bl" demo --program x --chat http://127.0.0.1:1 >"$work/said" 2>&1
is 'one Entry, not two' $? 64
is 'not in a home, which is no folder of its own, and says so before anything starts' \
    "$(cd "$work/entry" && HOME=$PWD "$bl" demo --headless --program 'python3 entry.py' 2>&1)" \
    "boothlink demo: $work/entry is not a program's own folder: start in that, or --folder DIR"
printf 'x\n' >"$work/bot.py"
is 'nor with a file that it will not see' \
    "$(cd "$work/entry" && "$bl" demo --headless --program "python3 $work/bot.py" 2>&1)" \
    "boothlink demo: $work/bot.py is not in its folder, which alone it sees: --folder $work"
talks 'but of any folder that is named' "$work" --folder entry --program 'python3 entry.py'
cat >"$work/entry/entry.sh" <<'END'
#!/bin/sh
answer="Hm. "
printf 'Content-Type: text/html\n\n<p>%s</p><form method="post" action="x"><input name="judge"></form>\n' "$answer"
END
printf '<p>%%%%ANSWER%%%%</p>\n' >"$work/entry/answer.html"
chmod +x "$work/entry/entry.sh"
talks 'an Entry of another kind as entity takes it' "$work/entry" --cgi ./entry.sh --template answer.html
HOME=$work/entry talks 'and without a program anywhere' "$work/entry"
"$bl" demo --program x --persona ann.txt >"$work/said" 2>&1
is 'no persona without a model' $? 64
# refused NAME TEXT ANSWER: a persona that boothlink-chat would not take is refused before anything starts.
refused() {
    printf '%b' "$2" >"$work/$1"
    is "$1 is refused" "$(cd "$work" && "$bl" demo --headless --chat http://127.0.0.1:1 --persona "$1" 2>&1)" \
        "boothlink demo: $1: $3"
    is 'and by the validator at once' \
        "$(cd "$work" && "$bl" validate entry --ruleset loebner-2004 --chat http://127.0.0.1:1 --persona "$1" 2>&1)" \
        "boothlink validate entry: $1: $3"
}
refused latin1.txt 'You are\nJos\xe9.\n' 'line 2: expected text in UTF-8'
refused setting.txt '---\nmodle: x\n---\nYou are Ann.\n' \
    'line 2: modle: there is no such setting; boothlink-entrant(7) lists them'
nobody_there() {
    is "$1: nobody is at the server" "$("$bl" "$@" --chat http://127.0.0.1:1 2>&1; echo $?)" \
        "boothlink $name: http://127.0.0.1:1: nobody answers there (Connection refused): start the server first
69"
}
name=demo nobody_there demo --headless
name='validate entry' nobody_there validate entry --ruleset loebner-2004
tm new-session -d -s home -x 200 -y 30 "cd '$work/entry' && exec env -u TMUX '$bl' demo --program 'python3 entry.py'"
reads 'he is the judge' home 'first key starts the clock'
keys home -l hello
keys home Enter
reads 'and his program answers' home 'You say hello'
is 'and nothing that he typed in one moment has him wait for the controller' \
    "$(tm capture-pane -p -t home | grep -c 'is not ready yet')" 0
keys home F10
tm kill-session -t home
# An Entry of a folder, at a window of 80 by 24: the answer is seen in both halves; F9 is for the half that offers it.
cp host/share/examples/lpp_entry.py "$work/entry"
printf 'import sys\nprint("Once", sys.stdin.readline(), end="", flush=True)\n' >"$work/entry/once.py"
# home_at NAME COLUMNS ROWS ARGUMENT...: a demo in a window.
home_at() {
    local arguments
    printf -v arguments ' %q' "${@:4}"
    tm new-session -d -s "$1" -x "$2" -y "$3" "cd '$work/entry' && { env -u TMUX '$bl' demo$arguments; cat; } 2>&1"
}
home_at folder 80 24 --lpp lpp --program './lpp_entry.py lpp'
reads 'the judge of an Entry that speaks LPP' folder 'first key starts the clock'
ok 'with nothing that looks like a fault' lacks folder 'being connected'
keys folder -l hello
keys folder Enter
both_say() { [[ $(tm capture-pane -p -t "$1" | grep -c "$2") == 2 ]]; }
ok 'its answer is at both ends' eventually both_say folder '^ Hi! Nice to meet you.'
ok 'and so is the question' eventually both_say folder '^ hello'
tm kill-session -t folder
home_at once 80 24 --program 'python3 once.py'
reads 'a program that ends' once 'first key starts the clock'
keys once -l hello
keys once Enter
reads 'is offered to be started again' once 'F9 start again'
keys once F9
ok 'and is, by F9' eventually lacks once 'F9 start again'
tm kill-session -t once
home_at small 60 18 --program 'python3 entry.py'
reads 'too small a window is told its size' small 'this window is 60x18'
tm kill-session -t small
# An entity's end that cannot start ends the demo, with its reason; and nothing was a session.
tm new-session -d -s fails -x 200 -y 30 "cd '$work/entry' && { env -u TMUX '$bl' demo --program 'python3 entry.py' --strip-prompt '('; \
    echo \"code \$?\"; cat; } 2>&1"
reads 'an end that cannot start is told, and nobody waits for it' fails "boothlink demo: the entity's end has stopped"
reads 'with the reason' fails 'strip-prompt'
ok 'and is no session' lacks fails 'whole session'
tm kill-session -t fails
plan
