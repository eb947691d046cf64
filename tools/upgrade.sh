#!/bin/bash
# Installs the package of the commit before in a new Debian, begins a contest and a session there,
# installs the new package over it, and holds that both go on; purges it, and holds that the records stay.
#
#   tools/upgrade.sh [COMMIT]      COMMIT: the old one (default: the commit before)
#
# Needs root and mmdebstrap, as tools/fresh.sh.
set -eu

# shellcheck source=tools/tree.sh
. "$(dirname "$(realpath "$0")")/tree.sh"

if [[ ${1-} == --inside ]]; then
    tree=$2
    tree_mount "$tree"
    chroot "$tree" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=xterm LC_ALL=C.UTF-8 \
        bash /upgrade/session.sh </dev/null
    exit
fi

self=$(realpath "$0")
cd "${self%/*}/.."
commit=${1:-HEAD~1}
arch=$(dpkg --print-architecture)
if ((EUID != 0)) || ! command -v mmdebstrap >/dev/null; then
    echo 'upgrade: needs root and the package mmdebstrap' >&2
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
mkdir -p "$work/old" "$work/packages/old" "$work/packages/new"
echo "== the packages of $(git log -1 --format='%h %s' "$commit"), and of now"
git archive "$commit" | tar -x -C "$work/old"
[[ -f $work/old/debian/control ]] || {
    echo "upgrade: $commit has no package" >&2
    exit 66
}
(cd "$work/old" && tools/deb.sh build) >/dev/null
cp "$work"/old/build/deb/boothlink{,-sim}_*_"$arch".deb "$work/packages/old/"
tools/deb.sh "$work/new" >/dev/null
cp "$work"/new/deb/boothlink{,-sim}_*_"$arch".deb "$work/packages/new/"

tree=$work/debian
shopt -s nullglob
sources=(/etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources)
for i in "${!sources[@]}"; do
    [[ -s ${sources[i]} ]] || unset "sources[i]"
done
needed=$(for package in "$work"/packages/new/*.deb; do dpkg-deb -f "$package" Depends; done |
    tr , '\n' | sed 's/(.*//; s/|.*//; s/ //g' | grep -v '^boothlink' | sort -u | paste -sd,)
mmdebstrap --quiet --variant=minbase --include="$needed,procps,jq" bookworm "$tree" "${sources[@]}"
mkdir "$tree/upgrade"
cp -r "$work/packages/." tests/upgrade/session.sh tests/tap.sh "$tree/upgrade/"
unshare --mount --pid --fork --kill-child "$self" --inside "$tree"
