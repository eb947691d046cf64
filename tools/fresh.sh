#!/bin/bash
# Proves that a machine with nothing but make can build, show and test boothlink: makes a new
# Debian 12 in a folder, copies the last commit into it, and runs the commands there as root, the
# last of them once more without a network.
#
#   tools/fresh.sh [COMMAND...]      default: 'make demo HEADLESS=1' 'make check'
#   tools/fresh.sh --package         another new Debian: installs the packages of build/deb there, as the
#                                    README says, and runs their demo; no compiler, no sources
#
# Without COMMANDs it does the second after the first, with packages made of the sources as they lie here.
#
# Needs root, mmdebstrap and a mirror; the sources, proxy and certificates of this machine are used.
set -eu

# shellcheck source=tools/tree.sh
. "$(dirname "$(realpath "$0")")/tree.sh"

if [[ ${1-} == --inside ]]; then
    # In a mount and process namespace of its own, which ends with this.
    tree=$2
    tree_mount "$tree"
    cp -L /etc/resolv.conf /etc/hosts "$tree/etc/"
    for command in "${@:3}"; do
        echo "== $command"
        chroot "$tree" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
            TERM=dumb ${http_proxy:+http_proxy="$http_proxy"} \
            ${https_proxy:+https_proxy="$https_proxy"} \
            sh -c "cd /boothlink && $command" </dev/null
    done
    exit
fi

self=$(realpath "$0")
cd "${self%/*}/.."
if ((EUID != 0)) || ! command -v mmdebstrap >/dev/null; then
    echo "fresh: needs root and the package mmdebstrap" >&2
    exit 77
fi
packaged=
if [[ ${1-} == --package ]]; then
    packaged=1
    set -- "apt-get -qq update" \
        "apt-get -qq -y install --no-install-recommends ./boothlink_*.deb ./boothlink-sim_*.deb" \
        'boothlink demo --headless'
elif ! (($#)); then
    set -- 'make demo HEADLESS=1' 'make check'
    both=1
fi

work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
tree=$work/debian
apt-config dump Acquire >"$work/apt.conf"
shopt -s nullglob
sources=(/etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources)
for i in "${!sources[@]}"; do
    [[ -s ${sources[i]} ]] || unset "sources[i]"
done

include=make,ca-certificates
[[ ! $packaged ]] || include=ca-certificates
echo "== a new Debian in $tree"
mmdebstrap --quiet --variant=minbase --include="$include" --aptopt="$work/apt.conf" \
    bookworm "$tree" "${sources[@]}"
cp -r /usr/local/share/ca-certificates/. "$tree/usr/local/share/ca-certificates/"
chroot "$tree" update-ca-certificates >/dev/null
mkdir "$tree/boothlink"
if [[ $packaged ]]; then
    cp "${BUILD:-build}"/deb/boothlink{,-sim}_*_"$(dpkg --print-architecture)".deb "$tree/boothlink/"
else
    git archive HEAD | tar -x -C "$tree/boothlink"
fi

namespace=(unshare --mount --pid --fork --kill-child)
"${namespace[@]}" "$self" --inside "$tree" "$@"
echo "== and without a network"
"${namespace[@]}" --net "$self" --inside "$tree" "${@: -1}"
if [[ $packaged ]]; then
    if chroot "$tree" sh -c 'command -v gcc || command -v cc || command -v make'; then
        echo 'fresh: there is a compiler in it, so this shows nothing' >&2
        exit 1
    fi
    echo "== a fresh Debian needs no more than the packages"
    exit
fi
echo "== a fresh Debian needs no more than make"
if [[ ${both-} ]]; then
    make deb
    "$self" --package
fi
