#!/bin/bash
# Two hundred whole sessions cut by the controller, or COUNT of them, AT_ONCE at once: bit errors,
# the line full of keys. Each is agreed, and the journals say when and why. SEED repeats a run.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/controlled.sh
. tests/support/controlled_storm.sh

SEED=${SEED:-$RANDOM}
echo "# SEED=$SEED"
storms "${COUNT:-200}" "$SEED" "${AT_ONCE:-3}"
plan
