#!/bin/bash
# Builds the Debian packages, out of a copy of the sources, and says what is in them.
#
#   tools/deb.sh BUILD            for this machine, into BUILD/deb
#   tools/deb.sh BUILD ARCH       for arm64, armhf ...: by the cross-compiler, in a Debian of its own
#                                 (tools/cross.sh), into BUILD/deb, without what fits all machines
set -eu
self=$(realpath "$0")
cd "${self%/*}/.."
build=$1 arch=${2:-$(dpkg --print-architecture)}
native=$(dpkg --print-architecture)
out=$build/deb
work=$build/deb/work-$arch

# The same bytes whatever this machine's time, names and folder.
SOURCE_DATE_EPOCH=$(dpkg-parsechangelog -S Timestamp)
export SOURCE_DATE_EPOCH LC_ALL=C.UTF-8 TZ=UTC
umask 022

rm -rf "$work"
mkdir -p "$work/boothlink"
# What git knows of, as it lies here; without git all but what was built.
if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files -z --cached --others --exclude-standard | tar -c --null -T - --ignore-failed-read
else
    tar -c --exclude './build*' .
fi | tar -x -C "$work/boothlink"

jobs=$(nproc)
options="noautodbgsym parallel=$jobs"
log=$build/deb/$arch.log
if [[ $arch == "$native" ]]; then
    run=(env -C "$work/boothlink" DEB_BUILD_OPTIONS="$options" dpkg-buildpackage -us -uc -b)
    unset MAKEFLAGS MAKELEVEL MFLAGS
else
    run=(tools/cross.sh "$build" "$arch" "$work" env DEB_BUILD_OPTIONS="$options nocheck"
        DEB_BUILD_PROFILES='cross nocheck' SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH"
        sh -c "cd /src/boothlink && dpkg-buildpackage -us -uc -B -a$arch -Pcross,nocheck")
fi
if ! "${run[@]}" >"$log" 2>&1; then
    tail -n 30 "$log" >&2
    echo "deb: the build has failed; all of it is in $log" >&2
    exit 1
fi
for package in "$work"/*.deb; do
    cp "$package" "$out/"
    name=${package##*/}
    printf '%s\n  packed %d KiB, installed %d KiB\n  depends on %s\n' "$out/$name" \
        $(($(stat -c %s "$package") / 1024)) "$(dpkg-deb -f "$package" Installed-Size)" \
        "$(dpkg-deb -f "$package" Depends)"
done
rm -f "$out/boothlink_$arch".{changes,buildinfo}
cp "$work"/*.changes "$work"/*.buildinfo "$out/"
rm -rf "$work/boothlink"
