#!/bin/bash
# Setup and the other verbs that write several files, killed before each of their system calls that
# change one.
. tests/tap.sh
export EVERY=1
alone() { bash "tests/system/$1.sh" >"$TMPDIR/$1" || ! sed 's/^/# /' "$TMPDIR/$1"; }
for test in setup collect mend; do
    ok "each call of $test" alone "$test"
done
plan
