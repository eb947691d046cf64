#!/bin/bash
# Builds everything for another processor with gcc and clang, warnings taken for errors, and runs the
# unit tests there under user-mode emulation.
#
#   tools/arch.sh BUILD ARCH
#
# What an emulator of one program cannot do is left out, by name: tests/arch-skips.txt.
set -eu
self=$(realpath "$0")
cd "${self%/*}/.."
build=$1 arch=$2

case $arch in
arm64) machine=aarch64-linux-gnu ;;
armhf) machine=arm-linux-gnueabihf ;;
*)
    echo "check-arch: ARCH=$arch: expected arm64 or armhf" >&2
    exit 64
    ;;
esac
tools/emulate.sh "$arch"
folder=$build/trees/src-$arch
mkdir -p "$folder/boothlink"
git ls-files -z --cached --others --exclude-standard | tar -c --null -T - | tar -x -C "$folder/boothlink"

jobs=${JOBS:-$(nproc)}
inside() { tools/cross.sh "$build" "$arch" "$folder" sh -c "cd /src/boothlink && $1"; }
common="-j$jobs CI=1 AR=$machine-ar PKG_CONFIG=$machine-pkg-config"
# clang finds the other processor's headers and libraries by its name; its warnings are its own.
for compiler in clang gcc; do
    case $compiler in
    clang) cc="clang --target=$machine" ;;
    gcc) cc=$machine-gcc ;;
    esac
    echo "== $arch: $compiler, all and the unit tests, no warning"
    inside "make $common BUILD=build-$compiler CC='$cc' all \$(make -pn 2>/dev/null | sed -n 's,^UNIT := ,,p' | sed 's,build/,build-$compiler/,g')"
done
mapfile -t left_out < <(sed -n 's/^\([^ #]*\) .*/\1/p' tests/arch-skips.txt)
echo "== $arch: unit tests under emulation, without: ${left_out[*]}"
pattern=$(IFS='|' && echo "${left_out[*]}")
inside "BUILD=build-gcc JOBS=$jobs TIMEOUT=900 tests/run \$(ls build-gcc/tests/unit/test_* | grep -vE '\.|/($pattern)\$')"
