#!/bin/bash
# The screens in a browser at length: KEYS keys (2,000), CABLES cables out (20); the form of 2003 with
# QUESTIONS questions (10) beside LOOPS busy loops (4).
. tests/tap.sh
. tests/support/browser.sh

needs_browser 'screens in a browser, at length'
export KEYS=${KEYS:-2000} CABLES=${CABLES:-20} QUESTIONS=${QUESTIONS:-10} LOOPS=${LOOPS:-4}
export PATIENCE=${PATIENCE:-120}
alone() {
    bash "tests/system/$1.sh" >"$TMPDIR/$1"
    local status=$?
    sed 's/^/# /' "$TMPDIR/$1"
    return "$status"
}
for test in browser browser_form; do
    ok "all of $test" alone "$test"
done
plan
