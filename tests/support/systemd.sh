# shellcheck shell=bash
# A system manager of a test's own, with the units as they are installed: source this after
# tests/support/booth.sh. It runs in namespaces (processes, mounts, control groups), with the machine's network.
# It has no unit of the machine's: a machine that starts clears /tmp and sets up devices and the kernel. What is
# written goes with it, but for $work.
# shellcheck disable=SC2154

# groups: the control groups of this process, one for each hierarchy.
groups() {
    local controllers path at
    while IFS=: read -r _ controllers path; do
        at=$(awk -v wanted="$controllers" '
            { split($0, half, " - "); split(half[2], type, " ") }
            wanted == "" && type[1] == "cgroup2" { print $5; exit }
            wanted != "" && type[1] == "cgroup" && index("," type[3] ",", "," wanted ",") { print $5; exit }
        ' /proc/self/mountinfo)
        [[ ! $at ]] || echo "${at%/}${path%/}/boothlink-test.$$"
    done </proc/self/cgroup
}

# system_boot UNIT...: installs the build, starts the manager with these units, and what lies in
# $work/units beside its own. Its words are in $work/system.log.
system_boot() {
    local group
    mkdir -p "$work/units" "$work/tree"
    chmod 755 "$work"
    tools/install.sh install "$work/tree" /usr "$BUILD" >"$work/system.log" 2>&1 || return
    printf '[Unit]\nRequires=%s\nAfter=%s\n' "$*" "$*" >"$work/units/boothlink-test.target"
    for group in $(groups); do
        mkdir -p "$group" 2>>"$work/system.log" || return
    done
    (
        for group in $(groups); do echo "$BASHPID" >"$group/cgroup.procs" || :; done 2>/dev/null # a new cpuset takes nobody
        exec unshare -fpmuiC --kill-child bash -c "$system_enter" enter "$work" "$BUILD"
    ) </dev/null >>"$work/system.log" 2>&1 &
    pid_of[system]=$!
}

# shellcheck disable=SC2016 # for the shell that it is
system_enter='
set -e
work=$1
build=$2
exec 13<"$work" 14<"$build"
mount --make-rprivate /
mount -t proc proc /proc
stage=/run
mount -t tmpfs -o mode=755 tmpfs $stage
cover() { # PLACE [TREE]
    local name=${1//\//}
    mkdir "$stage/$name" "$stage/$name.work"
    mount -t overlay -o "lowerdir=${2:+$2:}$1,upperdir=$stage/$name,workdir=$stage/$name.work" overlay "$1"
}
cover /usr "$work/tree/usr"
cover /etc
cover /var
rm -rf /etc/systemd/system /usr/lib/systemd/system /usr/lib/systemd/system-generators /usr/lib/tmpfiles.d \
    /usr/lib/systemd/system-environment-generators
mkdir /etc/systemd/system /usr/lib/systemd/system
cp "$work"/tree/usr/lib/systemd/system/* /usr/lib/systemd/system
cp -r "$work/units/." /etc/systemd/system
for name in sysinit basic sockets shutdown umount local-fs network slices paths timers; do
    printf "[Unit]\nDescription=%s\nDefaultDependencies=no\n" $name >/usr/lib/systemd/system/$name.target
done
mount -t tmpfs -o mode=755 tmpfs /run
for at in /tmp /var/tmp; do mount -t tmpfs -o mode=1777 tmpfs $at; done
mkdir -p "$work" "$build"
mount --no-canonicalize --bind /proc/self/fd/13 "$work"
mount --no-canonicalize --bind /proc/self/fd/14 "$build"
mount -o remount,bind,ro "$build"
exec 13<&- 14<&-
systemd-sysusers
if mountpoint -q /sys/fs/cgroup; then umount -R /sys/fs/cgroup; fi
if grep -qE "^[0-9]+:[a-z=]" /proc/self/cgroup; then
    mount -t tmpfs -o mode=755 tmpfs /sys/fs/cgroup
    mkdir /sys/fs/cgroup/unified /sys/fs/cgroup/systemd
    mount -t cgroup2 cgroup2 /sys/fs/cgroup/unified
    mount -t cgroup -o none,name=systemd cgroup /sys/fs/cgroup/systemd
else
    mount -t cgroup2 cgroup2 /sys/fs/cgroup
fi
export container=test
exec /lib/systemd/systemd --system --unit=boothlink-test.target --log-target=console --log-color=no --show-status=no
'

# system_may_be: looked at before any unit of ours is started. A manager with one unit of the test starts here;
# where it does, a unit of ours that does not start is a fault, and no reason to skip.
system_may_be() {
    ((!UID)) && [[ -x /lib/systemd/systemd ]] && unshare -fpmuiC true 2>/dev/null || return
    mkdir -p "$work/units"
    printf '[Service]\nType=oneshot\nExecStart=/usr/bin/touch %s/alone\n' "$work" >"$work/units/alone.service"
    system_boot alone.service || return
    eventually system_alone
    system_end
    rm "$work/units/alone.service"
    [[ -e $work/alone ]]
}
system_alone() { [[ -e $work/alone ]] || ! runs system; }

# system_end: before the other files go.
system_end() {
    local group
    is_main || return 0
    kill -9 "${pid_of[system]}" 2>/dev/null
    wait "${pid_of[system]}" 2>/dev/null
    unset 'pid_of[system]'
    for group in $(groups); do
        eventually group_gone "$group"
    done
}
group_gone() {
    [[ ! -d $1 ]] || find "$1" -depth -type d -exec rmdir {} + 2>/dev/null
    [[ ! -d $1 ]]
}
