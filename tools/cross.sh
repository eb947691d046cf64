#!/bin/bash
# Runs a command in a Debian of its own that has this project's libraries and a compiler for another
# processor, with its emulator for programs; this machine's own packages stay as they are.
#
#   tools/cross.sh BUILD ARCH FOLDER COMMAND...
#
# FOLDER is /src there. The Debian is made when it is missing, in BUILD/trees/ARCH, from this machine's
# sources; where their lists cannot be fetched for ARCH, from bookworm's alone. Needs root and mmdebstrap.
set -eu

if [[ ${1-} == --inside ]]; then
    tree=$2 folder=$3
    mount --make-rprivate /
    mount -t proc proc "$tree/proc"
    mount --rbind /dev "$tree/dev"
    mkdir -p "$tree/src"
    mount --bind "$folder" "$tree/src"
    exec chroot "$tree" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 TZ=UTC \
        TERM=dumb "${@:4}" </dev/null
fi

self=$(realpath "$0")
build=$1 arch=$2 folder=$(realpath "$3")
if ((EUID != 0)); then
    echo 'cross: needs root, for a Debian in a folder' >&2
    exit 77
fi
tree=$build/trees/$arch
list=${self%/*}/packages.txt

# The libraries of the target, and the tools of this machine.
include="build-essential,debhelper,pkgconf,qemu-user-static,clang,gcc-avr,avr-libc"
include+=",crossbuild-essential-$arch"
while read -r purpose package _; do
    [[ $purpose == @(build|deb|test) && $package == lib*-dev && $package != libc6-dev &&
        $package != libclang-rt-dev ]] || continue
    [[ ,$include, == *",$package:$arch,"* ]] || include+=",$package:$arch"
done <"$list"

make_tree() {
    rm -rf --one-file-system "$tree.new"
    mmdebstrap --quiet --variant=apt --architectures="$(dpkg --print-architecture),$arch" \
        --include="$include" --dpkgopt='path-exclude=/usr/share/man/*' \
        --dpkgopt='path-exclude=/usr/share/locale/*' bookworm "$tree.new" "$@"
}
if [[ $(cat "$tree/included" 2>/dev/null) != "$include" ]]; then
    echo "cross: making a Debian for $arch in $tree, once" >&2
    mkdir -p "${tree%/*}"
    sources=()
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
        [[ ! -s $file ]] || sources+=("$file")
    done
    make_tree "${sources[@]}" 2>"$tree.log" ||
        make_tree "deb http://deb.debian.org/debian bookworm main" 2>>"$tree.log" || {
        tail -n 20 "$tree.log" >&2
        echo "cross: no Debian could be made for $arch; see $tree.log" >&2
        exit 69
    }
    echo "$include" >"$tree.new/included"
    rm -rf --one-file-system "$tree"
    mv "$tree.new" "$tree"
fi
exec unshare --mount --pid --fork --kill-child "$self" --inside "$tree" "$folder" "${@:4}"
