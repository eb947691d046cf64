#!/bin/bash
# Machines in QEMU with the kernel's own drivers, from power-on through all that goes wrong: an hour.
. tests/tap.sh

if ((EUID != 0)) || ! command -v qemu-system-aarch64 >/dev/null || ! command -v mmdebstrap >/dev/null; then
    skip 'machines in QEMU' 'root, qemu-system-arm and mmdebstrap are needed: make deps VENUE=1'
    plan
fi
tools/venue.sh "$BUILD" arm64 || {
    echo 'Bail out! no images for the machines'
    exit 1
}
exec tests/venue/venue.py --build "$BUILD" check
