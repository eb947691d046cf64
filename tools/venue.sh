#!/bin/bash
# Makes the images of the venue's machines, where they are older than the package or what is laid over it.
#
#   tools/venue.sh BUILD ARCH [ROLE...]
set -eu
build=$1 arch=$2
shift 2
cd "$(dirname "$(realpath "$0")")/.."
package=("$build"/deb/boothlink_*_"$arch".deb)
if [[ ! -f ${package[0]} || -n $(find host firmware debian -newer "${package[0]}" -type f -print -quit) ]]; then
    tools/deb.sh "$build" "$arch"
    package=("$build"/deb/boothlink_*_"$arch".deb)
fi
for role in judge entity booth "$@"; do
    image=$build/image/venue-$role.img
    [[ -f $image && ! ${package[0]} -nt $image &&
        -z $(find tests/venue/guest tools/image.sh host/share/image -newer "$image" -type f -print -quit) ]] && continue
    overlay=$(mktemp -d)
    cp -r tests/venue/guest/. "$overlay/"
    chmod 755 "$overlay"
    IMAGE_NAME=venue-$role tools/image.sh "$build" "$arch" "$role" "$overlay"
    rm -r "$overlay"
done
