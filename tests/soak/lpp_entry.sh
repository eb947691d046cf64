#!/bin/bash
# Our Entry under an organiser's judge program: KEYS keys (5,000) each way, RESTARTS restarts (20).
. tests/tap.sh
. tests/support/booth.sh
. tests/support/lpp_entry.sh

patience=900 lpp_entry "${KEYS:-5000}" "${RESTARTS:-20}"
plan
