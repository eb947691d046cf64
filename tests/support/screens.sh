# shellcheck shell=bash
# Screens in tmux, read by one client that stays: source this behind tests/support/wait.sh. What ends
# here has `tm kill-server` in it.
# shellcheck disable=SC2154

screens=(env -u TMUX LC_ALL=C.UTF-8 TZ=UTC TERM=screen tmux -u -S "$work/tmux" -f /dev/null)
screens_pid=

tm() { "${screens[@]}" "$@"; }

# A session that stays, for with its last one tmux goes too, and a new one may meet it going.
if ! tm new-session -d -s keeper 'exec sleep 3600'; then
    echo 'Bail out! tmux does not start'
    exit 1
fi

# screens_open: starts the client, if it does not run.
screens_open() {
    local asks answers status
    [[ ! $screens_pid ]] || ! kill -0 "$screens_pid" 2>/dev/null || return 0
    rm -f "$work.ask" "$work.answer"
    mkfifo "$work.ask" "$work.answer"
    exec {asks}<>"$work.ask" {answers}<>"$work.answer" # what is asked before it opens them stays
    "${screens[@]}" -C attach -t keeper <&$asks >&$answers 2>/dev/null {asks}<&- {answers}<&- &
    screens_pid=$!
    disown $!
    # A session made while such a client is on its way is the end of tmux 3.3: its null pointer.
    client_ask display-message -p ready
    status=$?
    exec {asks}<&- {answers}<&-
    ((status)) || return 0
    echo 'Bail out! tmux has ended'
    exit 1
}

# ask COMMAND...: has tmux do it; into $asked, what it prints. Not from two processes at once.
ask() { screens_open && client_ask "$@"; }

# client_ask COMMAND...: the same of the client that is open.
client_ask() {
    local line held='' words looks=0
    printf -v words " '%s'" "${@//\'/\'\\\'\'}"
    echo "${words# }" 1<>"$work.ask"
    # The answer stands between two guards, whose last field is 1 where this client has asked. A client
    # that has ended closes no pipe of these.
    while ((looks < 60)); do
        if ! IFS= read -rt 1 line; then
            held+=$line
            kill -0 "$screens_pid" 2>/dev/null || break
            ((++looks))
            continue
        fi
        line=$held$line held=
        case $line in
        %begin*' 1') asked= ;;
        %end*' 1')
            asked=${asked%$'\n'}
            return 0
            ;;
        %error*' 1') return 1 ;;
        *) asked+=$line$'\n' ;;
        esac
    done <>"$work.answer"
    kill "$screens_pid" 2>/dev/null # it would answer the next one with this
    asked=
    return 1
}
screens_open
