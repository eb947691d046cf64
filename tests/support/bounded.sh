# shellcheck shell=bash
# Source this before a fork bomb is let loose.

# is_bounded: whether the kernel bounds the processes of a sandbox: a user's always, root's by a
# control group. Without that a fork bomb would starve the other tests.
is_bounded() {
    local root
    ((EUID == 0)) || return 0
    for root in /sys/fs/cgroup/pids /sys/fs/cgroup; do
        if mkdir "$root/boothlink-probe-$$"; then
            [[ -e $root/boothlink-probe-$$/pids.max ]] && rmdir "$root/boothlink-probe-$$" && return 0
            rmdir "$root/boothlink-probe-$$"
        fi
    done
    return 1
} 2>/dev/null
