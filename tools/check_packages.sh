#!/bin/bash
# Builds the packages twice, in folders, at users' masks and time zones that differ, and holds that the
# bytes are the same; then lintian.
#
#   tools/check_packages.sh BUILD
cd "$(dirname "$(realpath "$0")")/.." || exit
. tests/tap.sh
build=$1
shopt -s extglob
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

tools/deb.sh "$build"
is 'the packages can be built' $? 0
mkdir -p "$work/elsewhere/with a longer name"
(umask 077 && export TZ=Pacific/Auckland LC_ALL=C && tools/deb.sh "$work/elsewhere/with a longer name" >/dev/null)
is 'and built again, elsewhere' $? 0
for package in boothlink boothlink-sim boothlink-network boothlink-firmware; do
    files=("$build"/deb/"$package"_*_@("$(dpkg --print-architecture)"|all).deb)
    again="$work/elsewhere/with a longer name/deb/${files[0]##*/}"
    is "$package is the same bytes" "$(sha256sum <"${files[0]}")" "$(sha256sum <"$again")"
done
changes=("$build"/deb/boothlink_*_"$(dpkg --print-architecture)".changes)
is 'lintian has no error and no warning' \
    "$(cd "$build/deb" && lintian --allow-root --tag-display-limit 0 -L '>=warning' "${changes[0]##*/}" 2>&1)" ''
plan
