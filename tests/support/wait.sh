# shellcheck shell=bash
# Waiting without processes: source this where $work is set, and remove "$work".* at the end.
# shellcheck disable=SC2154

patience=${patience:-${PATIENCE:-120}} # seconds for what must happen on a machine that has more to do

# Nobody writes here. It is beside $work, whose files some tests list.
mkfifo "$work.never" || exit 1

# is_main: asked by what a script does at its end. A process that is ended by a signal between its fork and its
# program's begin runs the EXIT trap of its parent, bash, too.
is_main() { ((BASHPID == $$)); }

declare -A wait_for=() # of commands that `watch` waits for itself, by its word for them

# pause SECONDS
pause() {
    local _
    read -rt "$1" _ <>"$work.never"
    return 0
}

# eventually COMMAND...: waits until it succeeds; fails when the pauses between come to $patience. The
# time that the command takes is not counted, so a slow machine has more. A script that has waited in vain
# once is broken: its later waits are short.
eventually() {
    # The command sees these too.
    local waiting_ms=$((patience * 1000)) waiting_step=25 waiting_pause
    if [[ -v wait_for[$1] ]]; then
        "$BUILD/tests/runner/watch" "$patience" "${wait_for[$1]}" "${@:2}" && return
        waiting_ms=0
    fi
    while ! "$@" >/dev/null 2>&1; do
        if ((waiting_ms <= 0)); then
            echo "# waited in vain for $patience s: ${*//$'\n'/ }"
            ((patience <= 20)) || ((patience /= 12))
            return 1
        fi
        ((waiting_step >= 200)) || ((waiting_step *= 2))
        ((waiting_ms -= waiting_step))
        printf -v waiting_pause '0.%03d' $waiting_step
        pause "$waiting_pause"
    done
}
