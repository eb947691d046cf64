# shellcheck shell=bash
# Terminals with a screen, in tmux: source this after tests/support/booth.sh.

windows_end() {
    is_main || return 0
    tm kill-server
    cleanup
} 2>/dev/null
trap windows_end EXIT

. tests/support/screens.sh

window_gone() { ! tm has-session -t "=$1" 2>/dev/null; }

# window NAME COLUMNS ROWS COMMAND...: a terminal with a command of boothlink in it, or with a
# plain shell if there is none, from which `by_hand` starts one. The window of this name whose
# command was killed may still be going: a big process takes its time to die.
window() {
    local name=$1 columns=$2 rows=$3 command
    shift 3
    eventually window_gone "$name"
    command="cd '$work' && export BOOTHLINK_SIM=$cables && "
    if (($#)); then
        command+="LD_PRELOAD=$sim/shim.so exec $bl ${*@Q}"
    else
        command+="exec env -u TMUX -u NO_COLOR PS1='$ ' HISTFILE= bash --norc --noprofile"
    fi
    tm new-session -d -s "$name" -x "$columns" -y "$rows" "$command"
}

window_pid() { tm display-message -p -t "$1" '#{pane_pid}'; }
# window_close NAME: and waits for its command's end: its line and its record are free then.
window_close() {
    local pid
    pid=$(window_pid "$1")
    tm kill-session -t "$1" && [[ $pid ]] && eventually is_dead "$pid"
}
is_dead() { ! kill -0 "$1"; }
keys() { tm send-keys -t "$@"; }
resize() { tm resize-window -t "$1" -x "$2" -y "$3"; }

# screen_read NAME: into $screen_text, its screen; into $screen_words, the same as one line however it was
# broken into lines.
screen_read() {
    local parts
    ask capture-pane -p -t "=$1:" || return # "left" alone is a pane of the client's own
    screen_text=$asked
    read -rd '' -a parts <<<"$screen_text"
    screen_words=" ${parts[*]} "
}
screen() { screen_read "$1" && echo "$screen_text"; }
words() { screen_read "$1" && echo "$screen_words"; }

# has NAME TEXT, lacks NAME TEXT: is this to be read there?
has() { screen_read "$1" && [[ $screen_words == *"$2"* ]]; }
lacks() { ! has "$@"; }

# on_screen TEST DESCRIPTION NAME TEXT: waits until TEST NAME TEXT holds, or shows what is there.
on_screen() {
    local status
    eventually "$1" "$3" "$4"
    status=$?
    result $status "$2"
    ((status == 0)) || screen "$3" | sed 's/^/# /'
}

# reads DESCRIPTION NAME TEXT: waits until this is to be read there.
reads() { on_screen has "$@"; }
