#!/bin/bash
# A short storm on Ethernet; tests/soak/storm_ether.sh has the long ones. SEED repeats a run's
# decisions.
. tests/tap.sh
. tests/support/booth.sh
storm_medium=ether
. tests/support/storm.sh

if ! hub probe --port probe; then
    skip 'storms on Ethernet' "$(why_no_hub probe)"
    plan
fi
slay probe
SEED=${SEED:-$RANDOM}
storm "$SEED" 300 1 1
plan
