# shellcheck shell=bash
# TAP for tests that are scripts: source this, call ok or is, and plan at the end.

tap_count=0
tap_bad=0

# ok DESCRIPTION COMMAND...: passes if the command does.
ok() {
    local description=$1
    shift
    ((tap_count++))
    if "$@"; then
        echo "ok $tap_count - $description"
    else
        echo "not ok $tap_count - $description"
        echo "# failed: $*"
        ((tap_bad++))
    fi
}

# is DESCRIPTION GOT WANTED: passes if both are the same text; shows the difference if not.
is() {
    ok "$1" test "$2" = "$3"
    [[ $2 == "$3" ]] || diff <(echo "$3") <(echo "$2") | sed 's/^/# /'
}

# skip DESCRIPTION REASON
skip() {
    ((tap_count++))
    echo "ok $tap_count - $1 # SKIP $2"
}

# plan: the last line of a test.
plan() {
    echo "1..$tap_count"
    exit $((tap_bad > 0))
}
