# shellcheck shell=bash
# TAP for tests that are scripts: source this, call ok or is, and plan at the end.

tap_count=0
tap_bad=0

# result STATUS DESCRIPTION
result() {
    local no=
    (($1 == 0)) || no='not '
    echo "${no}ok $((++tap_count)) - $2"
    [[ ! $no ]] || ((++tap_bad))
}

# results COMMAND...: a result for each line "STATUS DESCRIPTION" that it prints, at least one, and one for
# its end. What else it says is shown.
results() {
    local status text before=$tap_count ended
    while read -r status text || [[ $status ]]; do
        if [[ $status == [01] ]]; then result "$status" "$text"; else echo "# $status $text"; fi
    done < <("$@" 2>&1)
    wait $!
    ended=$?
    result $((ended || tap_count == before)) "$(basename -- "$2") ends well, with results"
}

# matches TEXT PATTERN
matches() {
    # shellcheck disable=SC2053 # it is a pattern
    [[ $1 == $2 ]] && return 0
    echo "# $1"
    return 1
}

# is_stalled: whether processes of this test are stopped at random (STALL): then how long something took is
# no verdict.
is_stalled() { ((${STALLED:-0})); }

# are_timed <LINES: some check of a validator's lines failed, and each that did is about time: of a program
# that is stopped it says rightly that it is slow.
are_timed() {
    local failed
    failed=$(awk '/^FAIL / { print $2 }')
    [[ $failed ]] && ! grep -qvxE "$timed_checks" <<<"$failed"
}
timed_checks='opening[.](each|words)|lpp[.]speed|keys[.](single|rate)|talk[.]unfinished|cut[.](line|quiet)|mimic[.](cursor|gaps|echo)'

# ok DESCRIPTION COMMAND...: passes if the command does.
ok() {
    local description=$1
    shift
    "$@"
    result $? "$description"
}

# is DESCRIPTION GOT WANTED: passes if both are the same text; shows how they differ if not.
is() {
    [[ $2 == "$3" ]]
    result $? "$1"
    [[ $2 == "$3" ]] || diff <(echo "$3") <(echo "$2") | sed 's/^/# /'
}

# quiet COMMAND...: without what it says.
quiet() { "$@" >/dev/null; }

# refusal STATUS TEXT COMMAND...: the command ends with that status and one line on its standard error,
# in which the text stands.
refusal() {
    local said status
    said=$("${@:3}" 2>&1 >/dev/null)
    status=$?
    is "refused: ${*:3}" "$status $(wc -l <<<"$said") $(grep -cF -- "$2" <<<"$said")" "$1 1 1"
}

# skip DESCRIPTION REASON
skip() {
    echo "ok $((++tap_count)) - $1 # SKIP $2"
}

# bail_out REASON: ends the test, as one that failed.
bail_out() {
    echo "Bail out! $1"
    exit 1
}

# plan: the last line of a test.
plan() {
    echo "1..$tap_count"
    exit $((tap_bad > 0))
}
