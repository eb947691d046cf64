#!/bin/bash
# Choosing the folder in the terminal: the rules' "browse function".
. tests/tap.sh
. tests/support/booth.sh

export LC_ALL=C.UTF-8 TMUX_TMPDIR=$work
mkdir -p "$work/home/entries/elbot" "$work/home/entries/eliza" "$work/home/zoo" "$work/home/.hidden"
mkdir "$work/home/$(printf 'a\033[31mb')"
cable line
window() { tmux -L browse -f /dev/null "$@"; }
trap '! is_main || { window kill-server 2>/dev/null; cleanup; }' EXIT
shown() { window capture-pane -p -t browse; }
shows() { shown | grep -qF -- "$1"; }
keys() { window send-keys -t browse "$@"; }

# A session that stays, for with its last one tmux goes too, and a new one may meet it going.
window new-session -d -s keeper 'exec sleep 3600'
window new-session -d -s browse -x 80 -y 24 -c "$work/home" \
    "BOOTHLINK_SIM=$cables LD_PRELOAD=$sim/shim.so '$bl' entity --line 'serial:$work/line.b' \
        --journal '$work/entity' --lpp; echo \"over \$?\"; sleep 600"
ok 'the folders are there' eventually shows 'zoo'
ok 'it says what to choose' shows 'Which folder does the Entry use?'
is 'hidden ones are not' "$(shown | grep -c hidden)" 0
ok 'a name gives the terminal no orders' shows 'a?[31mb'
keys Down Down
keys Enter
ok 'one is opened' eventually shows "$work/home/entries"
ok 'with what is in it' eventually shows elbot
keys Down Enter
ok 'and another' eventually shows "entries/elbot"
keys Left
ok 'the way back' eventually shows eliza
keys Down Enter
ok 'to the other' eventually shows "entries/eliza"
keys Space
ok 'the folder is chosen and the screen is there' eventually shows 'F12 steward'
start judge judge --left "serial:$work/line.a" --starts either --session browse --headless --json \
    --journal judge
# A directory from before the watch is no key, and removed.
said() {
    mkdir "$work/home/entries/eliza/1.a.other" 2>/dev/null
    [[ $(typed_in "$work/judge/browse-judge.journal" entity) == a* ]]
}
ok 'its keys are read' eventually said
ok 'the screen says how' eventually shows 'the folder is watched'
stop judge
is 'the end is well' $? 0

window kill-session -t browse
window new-session -d -s browse -x 80 -y 24 -c "$work/home/entries" \
    "'$bl' lpp-judge --starts either --journal '$work/practice'; sleep 600"
ok 'without a line it is asked, too' eventually shows 'Which folder does the Entry use?'
keys Space
ok 'the screen says that it is practice' eventually shows 'Practice, not blind'
mkdir "$work/home/entries/1.q.other"
ok 'a key is on the page' eventually shows q
plan
