# shellcheck shell=bash
# A new Debian in a folder: source this.

# tree_mount TREE: in a mount namespace of our own, makes it ready for chroot. Its root is a mount, as
# a machine's is: an Entry's sandbox goes from there.
tree_mount() {
    mount --make-rprivate /
    mount --bind "$1" "$1"
    mount -t proc proc "$1/proc"
    mount --rbind /sys "$1/sys"
    mount --rbind /dev "$1/dev"
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$1/dev/pts"
    mount --bind "$1/dev/pts/ptmx" "$1/dev/ptmx"
}
