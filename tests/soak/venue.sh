#!/bin/bash
# Virtual machines with the kernel's own drivers, from power-on through what goes wrong at contests.
. tests/tap.sh

BUILD=${BUILD:-build}
for tool in qemu-system-aarch64 mmdebstrap; do
    if ((UID)) || ! command -v $tool >/dev/null; then
        skip 'machines in QEMU here' "root and $tool are needed; make deps VENUE=1 installs them"
        plan
    fi
done
tools/venue.sh "$BUILD" arm64 >&2 || exit
exec tests/venue/venue.py --build "$BUILD" check
