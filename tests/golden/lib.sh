# shellcheck shell=bash
# Screens in tmux for golden tests: source this after tests/tap.sh. A case is begun with `begin`,
# driven by `say` (a command to screendemo) and `keys` (what a person types), and compared by
# `shows NAME` with tests/golden/NAME.screen. GOLDEN_UPDATE=1 writes these files instead: look at
# them before you commit them.

BUILD=$(realpath "${BUILD:-build}")
golden=$PWD/tests/golden
demo=$BUILD/tests/golden/screendemo
work=$(mktemp -d "${TMPDIR:-/tmp}/golden.XXXXXX") || exit 1
# The screen is ended by signals here: the leak check at such an end has hung for ever.
export ASAN_OPTIONS=detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}

. tests/support/wait.sh

cleanup() {
    is_main || return 0
    tm kill-server 2>/dev/null
    rm -rf "$work" "$work".*
}
trap cleanup EXIT
. tests/support/screens.sh

# logged PATTERN: does a line of the log match it as a whole?
logged() {
    local line
    while IFS= read -r line; do
        [[ ! $line =~ ^($1)$ ]] || return 0
    done <"$work/log"
    return 1
} 2>/dev/null
told() { eventually logged "$1"; }

# count PATTERN: lines of the log that match as a whole.
count() { grep -cE "^$1\$" "$work/log"; }

# shell COLUMNS ROWS: a fresh terminal with a plain shell in it.
shell() {
    [[ ! ${control-} ]] || exec {control}>&-
    rm -f "$work/log" "$work/control"
    mkfifo "$work/control"
    exec {control}<>"$work/control"
    tm kill-session -t golden 2>/dev/null
    tm new-session -d -s golden -x "$1" -y "$2" \
        "cd '$work' && exec env -u TMUX -u NO_COLOR PS1='$ ' HISTFILE= bash --norc --noprofile"
    eventually shell_waits
}

shell_waits() { ask capture-pane -p -t golden && [[ $asked == *'$ '* || $asked == '$'* ]]; }

# begin COLUMNS ROWS [NAME=VALUE...] [-- OPTION...]: a terminal with the demo in it.
begin() {
    local settings=''
    shell "$1" "$2"
    shift 2
    while (($#)) && [[ $1 != -- ]]; do
        settings+=" $1"
        shift
    done
    shift # --, if it is there
    run_demo "$settings" "$@"
}

# run_demo SETTINGS [OPTION...]: in the shell that is there. Sets pid.
run_demo() {
    local settings=$1
    shift
    # In a subshell, for the shell itself puts right the modes of a terminal after a job.
    tm send-keys -t golden "(ulimit -c 0; stty -g >before; env $settings $demo control log $* 2>err; " \
        "echo status \$?; stty -g >after)" Enter
    # shellcheck disable=SC2034 # for those who source this
    told 'ready [0-9]+' && pid=$(sed -n 's/^ready //p' "$work/log")
}

say() { printf '%s\n' "$@" >&"$control"; }
keys() { tm send-keys -t golden "$@"; }
bytes() { tm send-keys -t golden -H "$@"; }
resize() { tm resize-window -t golden -x "$1" -y "$2"; }

# screen_read: into $screen_text, what is seen, and where the cursor stands.
screen_read() {
    ask capture-pane -p -t golden || return
    screen_text=$asked
    ask display-message -p -t golden \
        '#{?cursor_flag,cursor in row #{cursor_y} column #{cursor_x},no cursor}' || return
    screen_text+=$'\n'$asked
}
screen() { screen_read && echo "$screen_text"; }

same() { screen_read && [[ $screen_text == "$wanted" ]]; }

# still: the screen is what it was a moment ago.
still() {
    local before
    screen_read || return
    before=$screen_text
    pause 0.5
    screen_read && [[ $screen_text == "$before" ]]
}

# shows NAME DESCRIPTION
shows() {
    local file=$golden/$1.screen wanted
    if [[ ${GOLDEN_UPDATE-} ]]; then
        eventually still
        screen >"$file"
    fi
    wanted=$(<"$file")
    eventually same
    is "$2" "$screen_text" "$wanted"
}

# has TEXT...: each is seen somewhere.
has() {
    local text
    screen_read || return
    for text; do
        [[ $screen_text == *"$text"* ]] || return 1
    done
}
lacks() { ! has "$@"; }
