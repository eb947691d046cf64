#!/bin/bash
# Twenty storms of full size on Ethernet, or COUNT of them. SEED repeats a run's decisions.
. tests/tap.sh
. tests/support/booth.sh
storm_medium=ether
. tests/support/storm.sh

SEED=${SEED:-$RANDOM}
for ((i = 0; i < ${COUNT:-20}; i++)); do
    storm $((SEED + i)) 10000 10 5
done
plan
