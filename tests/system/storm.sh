#!/bin/bash
# A short storm on an encrypted line; tests/soak/storm.sh has the long ones, tests/world what befalls a
# line in thousands of sessions. SEED repeats a run's decisions.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/storm.sh

"$bl" key new "$work/line.key" >"$work/words" 2>&1
storm_options=(--key "$work/line.key")
storm "${SEED:-$RANDOM}" 400 2 2
plan
