# shellcheck shell=bash
# Screens in tmux for golden tests: source this after tests/tap.sh. A case is begun with `begin`,
# driven by `say` (a command to screendemo) and `keys` (what a person types), and compared by
# `shows NAME` with tests/golden/NAME.screen. GOLDEN_UPDATE=1 writes these files instead: look at
# them before you commit them.

golden=$PWD/tests/golden
demo=$(realpath "${BUILD:-build}/tests/golden/screendemo")
work=$(mktemp -d "${TMPDIR:-/tmp}/golden.XXXXXX") || exit 1
socket=$work/tmux
patience=60 # seconds for what must happen on a machine that has more to do
# The screen is ended by signals here: the leak check at such an end has hung for ever.
export ASAN_OPTIONS=detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}

tm() {
    env -u TMUX LC_ALL=C.UTF-8 TZ=UTC TERM=screen tmux -u -S "$socket" -f /dev/null "$@"
}

cleanup() {
    tm kill-server 2>/dev/null
    rm -rf "$work"
}
trap cleanup EXIT

# A session that stays, for with its last one tmux goes too, and a new one may meet it going.
if ! tm new-session -d -s keeper 'exec sleep 3600'; then
    echo 'Bail out! tmux does not start'
    exit 1
fi

# until_true COMMAND...: waits for it; fails when patience ends.
until_true() {
    local until=$((SECONDS + patience))
    while ! "$@"; do
        ((SECONDS < until)) || return 1
        sleep 0.03
    done
}

logged() { grep -qE "^$1\$" "$work/log" 2>/dev/null; }
told() { until_true logged "$1"; }

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
    until_true shell_waits
}

shell_waits() { [[ $(tm capture-pane -p -t golden) == *'$ '* || $(tm capture-pane -p -t golden) == '$'* ]]; }

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

# screen: what is seen, and where the cursor stands.
screen() {
    tm capture-pane -p -t golden
    tm display-message -p -t golden \
        '#{?cursor_flag,cursor in row #{cursor_y} column #{cursor_x},no cursor}'
}

same() {
    got=$(screen)
    [[ $got == "$wanted" ]]
}

# still: the screen is what it was a moment ago.
still() {
    local before
    before=$(screen)
    sleep 0.5
    [[ $(screen) == "$before" ]]
}

# shows NAME DESCRIPTION
shows() {
    local file=$golden/$1.screen wanted got
    if [[ ${GOLDEN_UPDATE-} ]]; then
        until_true still
        screen >"$file"
    fi
    wanted=$(cat "$file")
    until_true same
    is "$2" "$got" "$wanted"
}

# has TEXT...: each is seen somewhere.
has() {
    local seen text
    seen=$(screen)
    for text; do
        [[ $seen == *"$text"* ]] || return 1
    done
}
lacks() { ! has "$@"; }
