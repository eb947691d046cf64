#!/bin/bash
# Tells the kernel to run programs of another processor by their emulator, as the package's own unit
# would where there is systemd. Asks for nothing when they run already.
#
#   tools/emulate.sh ARCH
set -eu
arch=$1
format=/proc/sys/fs/binfmt_misc
case $arch in
"$(dpkg --print-architecture)") exit ;;
arm64) processor=aarch64 ;;
armhf) processor=arm ;;
*) processor=$arch ;;
esac
[[ -e $format/register ]] || mount -t binfmt_misc binfmt_misc $format
[[ -e $format/qemu-$processor ]] ||
    grep -h '^:' "/usr/lib/binfmt.d/qemu-$processor.conf" >$format/register
