# shellcheck shell=bash
# Chromium and its driver: source this after tests/tap.sh and tests/support/booth.sh.

# no_browser: prints what is missing; fails where nothing is.
no_browser() {
    python3 -c 'import sys; sys.path.insert(0, "tests/support"); import browser
why = browser.missing()
print(why or "")
sys.exit(not why)'
}

# needs_browser DESCRIPTION: without one a script ends here, with that test skipped.
needs_browser() {
    local why
    why=$(no_browser) || return 0
    skip "$1" "$why"
    plan
}

# serve PYTHON ARGUMENT...: runs a browser's test, and does what it prints. "0 TEXT" and "1 TEXT" are
# results; of "WHAT TEXT", where there is a function asked_WHAT, that is called with TEXT and its status
# is the answer; all else is shown.
serve() {
    local what text answers questions driver before=$tap_count ended
    coproc python3 "$@" 2>"$work/python"
    driver=$COPROC_PID
    # Our own, for bash closes its two when the other side ends, with what is still to be read.
    exec {answers}>&"${COPROC[1]}" {questions}<&"${COPROC[0]}"
    while read -r what text <&"$questions" || [[ $what ]]; do
        if [[ $what == [01] ]]; then
            result "$what" "$text"
        elif declare -F "asked_$what" >/dev/null; then
            "asked_$what" "$text"
            echo $? >&"$answers"
        else
            echo "$what $text"
        fi
    done
    exec {answers}>&- {questions}<&-
    wait "$driver"
    ended=$?
    result $((ended || tap_count == before)) "$(basename "$1") ends well, with results"
    sed 's/^/# /' "$work/python"
}
