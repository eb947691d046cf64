#!/bin/bash
# Setup and the other verbs that write several files, killed before each of their system calls that
# change one.
. tests/tap.sh
export EVERY=1
# Each with a folder of its own: what one leaves is not for the next.
alone() {
    mkdir "$TMPDIR/$1" &&
        TMPDIR=$TMPDIR/$1 bash "tests/system/$1.sh" >"$TMPDIR/$1.out" || ! sed 's/^/# /' "$TMPDIR/$1.out"
}
for test in setup collect mend; do
    ok "each call of $test" alone "$test"
done
plan
