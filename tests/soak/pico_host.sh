#!/bin/bash
# The host's side with a Raspberry Pi Pico for a controller, in real time: the scripts that have an Uno in
# the check, and a contest of 2009 with an Uno and a Pico.
. tests/tap.sh
. tests/support/npm.sh

needs_npm 'a simulated Pico' rp2040js
export CONTROLLER=pico
for script in controller_sim controller controlled; do
    ok "$script with a Pico" "tests/system/$script.sh"
done
ok 'a contest' tests/rehearsal/rehearsal.py --build "$BUILD" --booths 2 --picos 1
plan
