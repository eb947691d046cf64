# shellcheck shell=bash
# Tests of the validator: source this after tests/tap.sh. What they start ends with them, and with
# it the programs in its sandboxes; $work is a folder of their own.

# shellcheck disable=SC2034 # the tests use it
bl=$(realpath "${BUILD:-build}/boothlink")
work=$(mktemp -d) || exit 1
. tests/support/wait.sh
finish() {
    is_main || return 0
    jobs -p | xargs -r kill
    wait
    rm -rf "$work" "$work".*
} 2>/dev/null
trap finish EXIT
trap 'exit 130' INT TERM

# marked MARK: how many processes have it in their command line; that of grep has not.
marked() {
    grep -l "${1/m/[m]}" /proc/[0-9]*/cmdline 2>/dev/null | wc -l
}
