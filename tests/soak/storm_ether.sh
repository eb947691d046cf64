#!/bin/bash
# Twenty storms of full size on Ethernet, or COUNT of them. SEED repeats a run's decisions.
. tests/tap.sh
. tests/support/booth.sh
storm_medium=ether
. tests/support/storm.sh

storms
plan
