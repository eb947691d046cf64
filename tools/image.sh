#!/bin/bash
# Makes the disk of a machine of a booth: Debian 12 and the package, nothing to type at it but what the
# terminal asks. See boothlink-image(7).
#
#   tools/image.sh BUILD ARCH ROLE [OVERLAY]
#
# ROLE: booth (asks for its place, takes tickets from the stick), kiosk (the same as a page in a browser,
# alone on the screen), judge or entity (the ticket is in OVERLAY). The files in OVERLAY are copied over the root. Makes BUILD/image/ARCH-ROLE.img, and beside it
# kernel and initramfs for machines that are given theirs, as QEMU's -kernel.
# Needs root, mmdebstrap and, for another processor, qemu-user-static; BUILD/deb has the package of ARCH.
set -eu

self=$(realpath "$0")
cd "${self%/*}/.."
build=$1 arch=$2 role=$3 overlay=${4-}
root_mib=${ROOT_MIB:-1200} records_mib=${RECORDS_MIB:-256}
[[ $role != kiosk ]] || root_mib=${ROOT_MIB:-2600}
name=${IMAGE_NAME:-$arch-$role}
out=$build/image
if ((EUID != 0)) || ! command -v mmdebstrap >/dev/null; then
    echo 'image: needs root and the package mmdebstrap' >&2
    exit 77
fi
[[ $role == @(booth|kiosk|judge|entity) ]] || {
    echo "image: ROLE=$role: expected booth, kiosk, judge or entity" >&2
    exit 64
}
package=("$build"/deb/boothlink_*_"$arch".deb)
[[ -f ${package[0]} ]] || {
    echo "image: no package for $arch in $build/deb; 'make deb ARCH=$arch' builds it" >&2
    exit 66
}
mkdir -p "$out" "$build/trees"
umask 022

tools/emulate.sh "$arch"

# What every image has; made once. The initramfs is our own, below: Debian's takes an hour under emulation.
case $arch in
armhf) kernel=linux-image-armmp ;;
*) kernel=linux-image-$arch ;;
esac
include=$kernel,systemd-sysv,udev,kmod,dbus,e2fsprogs,dosfstools,kbd,console-setup,busybox-static,iproute2
include+=",util-linux-extra,$(dpkg-deb -f "${package[0]}" Depends |
    sed 's/([^)]*)//g; s/|[^,]*//g; s/ //g')"
base=$build/trees/base-$arch.tar
if [[ $role == kiosk ]]; then
    # What its metapackage brings: that one is not built for another processor.
    include+=,libgl1-mesa-dri,fonts-noto-cjk,$(perl -00 -ne 'next unless /^Package: boothlink-kiosk$/m && /^Depends: (.*?)\n\w/ms;
        print join ",", grep { !/boothlink|\$/ } split /[\s,]+(?![^(]*\))/, $1' debian/control)
    base=$build/trees/base-$arch-kiosk.tar
fi
if [[ ! -f $base || $(cat "$base.included" 2>/dev/null) != "$include" ]]; then
    echo "image: making a Debian for $arch, once" >&2
    sources=()
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
        [[ ! -s $file ]] || sources+=("$file")
    done
    make_base() {
        INITRD=No mmdebstrap --quiet --format=tar --architectures="$arch" --variant=minbase \
            --include="$include" --dpkgopt='path-exclude=/usr/share/man/*' \
            --dpkgopt='path-exclude=/usr/share/doc/*' \
            --dpkgopt='path-exclude=/usr/share/locale/*' \
            --dpkgopt='path-include=/usr/share/doc/*/copyright' bookworm "$base.new" "$@"
    }
    make_base "${sources[@]}" 2>"$base.log" ||
        make_base "deb http://deb.debian.org/debian bookworm main" 2>>"$base.log" || {
        tail -n 20 "$base.log" >&2
        exit 69
    }
    mv "$base.new" "$base"
    echo "$include" >"$base.included"
fi

work=$(mktemp -d "$out/work.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT
tree=$work/root
mkdir "$tree"
tar -xf "$base" -C "$tree" --numeric-owner
cp "${package[0]}" "$tree/boothlink.deb"
chroot "$tree" env DEBIAN_FRONTEND=noninteractive dpkg --install /boothlink.deb >"$work/dpkg.log" 2>&1 || {
    cat "$work/dpkg.log" >&2
    exit 69
}
rm "$tree/boothlink.deb"

# -- what makes a machine of a booth of it
cp -r host/share/image/root/. "$tree/"
echo boothlink >"$tree/etc/hostname"
: >"$tree/etc/machine-id"
rm -rf "${tree:?}"/var/lib/apt/lists/* "$tree"/var/cache/apt/*.bin "$tree"/boot/initrd*
mkdir -p "$tree/etc/boothlink" "$tree/opt/entries" "$tree"/var/lib/boothlink{,-entries}
# What it would lay there at the first boot.
chroot "$tree" setupcon --save-only
chroot "$tree" systemctl --quiet enable "boothlink-$role@tty1.service" boothlink-console.service
if [[ $role == @(booth|kiosk) ]]; then
    mkdir "$tree/etc/boothlink/keyboards"
    while read -r layout _; do
        chroot "$tree" ckbcomp -layout "$layout" | gzip -9n >"$tree/etc/boothlink/keyboards/$layout.map.gz"
    done <"$tree/etc/boothlink/layouts"
    touch "$tree/etc/boothlink/made"
    chroot "$tree" systemctl --quiet enable boothlink-first.service
fi
# The unit lays the browser's rules there, and the root is only read.
[[ $role != kiosk ]] || mkdir -p "$tree/etc/chromium/policies/managed"
chroot "$tree" systemctl --quiet disable getty@tty1.service
chroot "$tree" systemctl --quiet mask ctrl-alt-del.target systemd-firstboot.service \
    apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service \
    fstrim.timer getty-static.service serial-getty@.service 2>/dev/null
chroot "$tree" systemctl --quiet enable tmp.mount 2>/dev/null ||
    cp "$tree/usr/share/systemd/tmp.mount" "$tree/etc/systemd/system/"
[[ -z $overlay ]] || cp -r "$overlay/." "$tree/"

# -- the first moments of the kernel: find the root and go there
modules=$(cd "$tree/lib/modules" && echo *)
mkdir -p "$work/first"/{bin,dev,proc,sys,system,modules}
cp "$tree/bin/busybox" "$work/first/bin/"
chroot "$tree" modprobe --show-depends --set-version "$modules" -a \
    virtio_pci virtio_mmio virtio_blk ext4 crc32c_generic nvme ahci sd_mod usb_storage uas xhci_pci mmc_block \
    2>/dev/null | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' >"$work/list"
while read -r file; do
    cp "$tree$file" "$work/first/modules/"
    echo "${file##*/}" >>"$work/first/modules/order"
done <"$work/list"
install -m 755 host/share/image/init "$work/first/init"
(cd "$work/first" && find . -print0 | sort -z | cpio --null --quiet --create --format=newc \
    --reproducible --owner=0:0) | gzip -9n >"$out/$name.initramfs"
cp "$tree"/boot/vmlinuz-* "$out/$name.vmlinuz"

# -- the disk: what starts it, the root, the records
size_kib() { echo $(($1 * 1024)); }
chmod 755 "$tree"
mke2fs -q -t ext4 -L boothlink-root -m 0 -O '^has_journal' -d "$tree" "$work/root.img" \
    "$(size_kib "$root_mib")k"
mkdir -p "$work/records/entries"
chmod 700 "$work/records"
chown -R "$(awk -F: '$1 == "boothlink" { print $3 ":" $4 }' "$tree/etc/passwd")" "$work/records"
mke2fs -q -t ext4 -L boothlink-record -m 0 -d "$work/records" "$work/records.img" \
    "$(size_kib "$records_mib")k"
image=$out/$name.img
rm -f "$image"
truncate -s $((1 + root_mib + records_mib + 1))M "$image"
sfdisk --quiet "$image" <<TABLE
label: gpt
start=1MiB, size=${root_mib}MiB, name=boothlink-root
start=$((1 + root_mib))MiB, size=${records_mib}MiB, name=boothlink-records
TABLE
dd if="$work/root.img" of="$image" bs=1M seek=1 conv=notrunc,sparse status=none
dd if="$work/records.img" of="$image" bs=1M seek=$((1 + root_mib)) conv=notrunc,sparse status=none
echo "$image: $role, $((root_mib + records_mib)) MiB, $(du -m "$image" | cut -f1) of them used"
