#!/bin/bash
# Twenty storms of full size, or COUNT of them. SEED repeats a run's decisions.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/storm.sh

storms
plan
