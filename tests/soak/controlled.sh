#!/bin/bash
# Two hundred whole sessions cut by the controller, or COUNT of them, AT_ONCE at once: bit errors,
# the line full of keys. Each is agreed, and the journals say when and why. SEED repeats a run.
#
# A cut comes half a second after its notice. A machine that has more to do keeps programs waiting
# for longer, so this asks for real-time scheduling; without it a session in which the simulator stood
# still is repeated.
if [[ ! ${SCHEDULED-} ]] && chrt --rr 5 true 2>/dev/null; then
    SCHEDULED=1 exec chrt --rr 5 "$0"
fi
. tests/tap.sh
. tests/support/booth.sh
. tests/support/controlled.sh
. tests/support/controlled_storm.sh

SEED=${SEED:-$RANDOM}
echo "# SEED=$SEED"
storms "${COUNT:-200}" "$SEED" "${AT_ONCE:-3}"
plan
