#!/bin/bash
# Attacks on an encrypted line at a hub: a million random frames, and a flood of half a minute.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/attack.sh

SEED=${SEED:-$RANDOM}
patience=300
if ! hub hub --port judge --port entity --port evil --port listener; then
    skip 'attacks on a line at a hub' "$(why_no_hub hub)"
    plan
fi
attack 1000000 30
plan
