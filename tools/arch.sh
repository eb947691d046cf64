#!/bin/bash
# Builds everything for another processor with gcc and clang, warnings taken for errors, and runs the
# unit tests there under user-mode emulation.
#
#   tools/arch.sh BUILD ARCH [TEST...]      default: all unit tests
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
# What was built the last time is of use, a source that is gone since then is not.
find "$folder/boothlink" -mindepth 1 -maxdepth 1 ! -name 'build-*' -exec rm -rf {} +
git ls-files -z --cached --others --exclude-standard | tar -c --null -T - | tar -x -C "$folder/boothlink"

jobs=${JOBS:-$(nproc)}
inside() { tools/cross.sh "$build" "$arch" "$folder" sh -c "cd /src/boothlink && $1"; }
common="-k -j$jobs CI=1 AR=$machine-ar PKG_CONFIG=$machine-pkg-config"
# clang finds the other processor's headers and libraries by its name; its warnings are its own.
tests=("${@:3}")
if ((!${#tests[@]})); then
    mapfile -t tests < <(basename -s .c -a tests/unit/test_*.c)
fi
mapfile -t left_out < <(sed -n 's/^\([^ #]*\) .*/\1/p' tests/arch-skips.txt)
for name in "${left_out[@]}"; do
    for i in "${!tests[@]}"; do
        [[ ${tests[i]} != "$name" ]] || unset "tests[i]"
    done
done
for compiler in clang gcc; do
    case $compiler in
    # As for the fuzzers: what takes a va_list is a literal where it is called, which gcc looks at.
    clang) cc="clang --target=$machine" flags=" CFLAGS='-O2 -g -Wno-format-nonliteral'" ;;
    gcc) cc=$machine-gcc flags= ;;
    esac
    programs=$(printf "build-$compiler/tests/unit/%s " "${tests[@]}")
    echo "== $arch: $compiler, all and ${#tests[@]} unit tests, no warning"
    inside "make $common BUILD=build-$compiler CC='$cc'$flags all build-$compiler/tests/runner/meter $programs"
done
echo "== $arch: unit tests under emulation, without ${left_out[*]}"
inside "EMULATED=1 BUDGET=0 BUILD=build-gcc JOBS=$jobs TIMEOUT=3600 tests/run $programs"
