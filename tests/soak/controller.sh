#!/bin/bash
# The firmware for long: every session with an 8 h one, a thousand random schedules and a million
# sentences on its ELF and on its core. SEED repeats a run. A Raspberry Pi Pico's: tests/system/pico.sh.
. tests/tap.sh

export SOAK=1
for test in controller controller_cut controller_power controller_storm watchdog watchdog_storm; do
    ok "$test" "$BUILD/tests/unit/test_$test"
done
plan
