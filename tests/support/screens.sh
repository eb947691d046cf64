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
    [[ ! $screens_pid ]] || ! kill -0 "$screens_pid" 2>/dev/null || return 0
    rm -f "$work.ask" "$work.answer"
    mkfifo "$work.ask" "$work.answer"
    "${screens[@]}" -C attach -t keeper <>"$work.ask" 1<>"$work.answer" 2>/dev/null &
    screens_pid=$!
    disown $!
}
screens_open

# ask COMMAND...: has tmux do it; into $asked, what it prints. Not from two processes at once.
ask() {
    local line words
    screens_open
    printf -v words " '%s'" "${@//\'/\'\\\'\'}"
    echo "${words# }" 1<>"$work.ask"
    # The answer stands between two guards, whose last field is 1 where this client has asked.
    while IFS= read -rt 60 line; do
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
    kill "$screens_pid" # it would answer the next one with this
    asked=
    return 1
}
