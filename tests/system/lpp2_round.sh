#!/bin/bash
# A whole round of an Entry of 2016 to 2019 under a judge at a serial line, as in lpp2.sh, where the
# client library of those years is not installed: the Entry is a client of our own.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/lpp2.sh

entry_command=(python3 tests/support/lpp2_client.py)
cable line
for way in ${WAYS:-polling websocket polling,websocket}; do
    a_round "$way"
done
plan
