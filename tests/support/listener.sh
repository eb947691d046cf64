# shellcheck shell=bash
# What a referee's listener tells, in $work/tap.out. Source after tests/support/booth.sh.
heard() { grep -qF -- "$1" "$work/tap.out"; }
# hears DESCRIPTION TEXT: waits until the listener has told it.
hears() {
    local status
    eventually heard "$2"
    status=$?
    result $status "$1"
    ((status == 0)) || tail -20 "$work/tap.out" | sed 's/^/# /'
}
