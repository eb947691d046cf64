#!/bin/bash
# The controller's promises on a second microcontroller, a Raspberry Pi Pico: the same programs as
# for the Uno, and its image as the chip's loader takes it. A part of each; all of it under SOAK (make soak).
. tests/tap.sh
. tests/support/npm.sh

if ! command -v arm-none-eabi-gcc >/dev/null; then
    skip 'a Raspberry Pi Pico' 'gcc-arm-none-eabi is not installed; make deps NPM=1 does that'
    plan
fi

image=$BUILD/firmware/pico/boothlink
echo "# pico: flash $(stat -c %s "$image.bin"), memory $(arm-none-eabi-size "$image.elf" | awk 'NR == 2 { print $1 + $2 + $3 }')"
is 'the image is of blocks of 512 bytes for an RP2040' \
    "$(od -An -tx4 -j28 -N4 "$image.uf2") $(($(stat -c %s "$image.uf2") % 512))" ' e48bff56 0'
ok 'the firmware is small' test "$(stat -c %s "$image.bin")" -le 16384
needs_npm 'a simulated Pico' rp2040js
# Each promise, on the image.
ok 'closed, time, silence, resets, wear' "$BUILD/tests/pico/pico_controller"
ok 'power cuts at every write' "$BUILD/tests/pico/pico_controller_power"
ok 'cut on time' "$BUILD/tests/pico/pico_controller_cut"
ok 'storms' "$BUILD/tests/pico/pico_controller_storm"
plan
