#!/bin/bash
# Installs the Debian packages that are missing for a purpose.
#
#   tools/deps.sh PURPOSE...      PURPOSE: build demo chip test browser npm lint flash pico deb
#                               cross image venue, as in tools/packages.txt
#
# Asks dpkg only, and so works offline, when nothing is missing. Where they cannot be installed it
# prints the command that an administrator would give.
set -eu

list=${0%/*}/packages.txt
wanted=()
while read -r purpose package _; do
    [[ " $* " == *" $purpose "* ]] && wanted+=("$package")
done <"$list"
if ((${#wanted[@]} == 0)); then
    echo "deps: no packages for \"$*\": use build, demo, chip, test, browser, npm, lint, flash, pico, deb, cross, image or venue" >&2
    exit 64
fi

if ! command -v dpkg-query >/dev/null; then
    echo "deps: this is not Debian; these packages or their like are needed: ${wanted[*]}" >&2
    exit 0
fi

# missing: the wanted packages that are not installed, each once.
missing() {
    local installed
    installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null ||
        true)
    printf 'installed %s\n' "${wanted[@]}" | sort -u |
        { grep -vxF -f <(printf '%s\n' "$installed") || true; } | cut -d' ' -f2
}

mapfile -t lacking < <(missing)
((${#lacking[@]})) || exit 0

install=(apt-get install -y --no-install-recommends "${lacking[@]}")
root=()
if ((EUID != 0)); then
    root=(sudo)
    if ! command -v sudo >/dev/null || { [[ ! -t 0 ]] && ! sudo -n true 2>/dev/null; }; then
        echo "deps: packages are missing; ask an administrator to run: ${install[*]}" >&2
        exit 77
    fi
fi
echo "deps: installing ${lacking[*]}"

# apt DO...: quiet unless it fails; waits for another apt to end.
apt() {
    local log
    log=$("${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o Dpkg::Use-Pty=0 \
        -o DPkg::Lock::Timeout=300 "$@" 2>&1) && return
    failure=$log
    return 1
}

failure=
if ! apt install --no-install-recommends --dry-run "${lacking[@]}"; then
    apt update || true
fi
if ! apt install --no-install-recommends "${lacking[@]}"; then
    # Old lists name files that the mirrors no longer have.
    if ! { apt update && apt install --no-install-recommends "${lacking[@]}"; }; then
        printf '%s\n' "$failure" >&2
        echo "deps: could not install; with a network, run: sudo ${install[*]}" >&2
        exit 69
    fi
fi
mapfile -t lacking < <(missing)
if ((${#lacking[@]})); then
    echo "deps: still missing after the installation: ${lacking[*]}" >&2
    exit 69
fi
