#!/bin/bash
# Two short storms; tests/soak/storm.sh has the long ones. SEED repeats a run's decisions.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/storm.sh

SEED=${SEED:-$RANDOM}
storm "$SEED" 600 2 2
storm $((SEED + 1)) 600 2 2
plan
