#!/bin/bash
# A stick at a machine, as a file system of its own: full, read-only, pulled, FAT. It needs root, for
# its mounts, which nobody else sees.
. tests/tap.sh
if [[ ! ${STICK_MOUNTS:-} ]]; then
    if unshare -m mount -t tmpfs none /mnt 2>"$TMPDIR/why"; then
        STICK_MOUNTS=1 exec unshare -m "$0"
    fi
    skip 'a stick of its own' "no mounts here: $(head -n 1 "$TMPDIR/why")"
    plan
    exit
fi
. tests/support/booth.sh
. tests/support/venue.sh
. tests/support/windows.sh

template loebner-2009 1
venue_setup >/dev/null || exit
mkdir "$work/stick" "$work/records"
printf '[place]\nformat = 1\nbooth = 1\nmachine = judge\n' >"$work/place.ini"
head -c 100000 /dev/urandom >"$work/records/r0-j1-judge.journal"
given=$work/stick/boothlink/records/booth-1-judge/r0-j1-judge.journal
put_in() { mount "$@" "$work/stick" && cp -r "$work/sticks/judges-room/boothlink" "$work/stick"; }
look() { touch "$work/stick/boothlink/looked"; }
pulled() { mountpoint -q "$work/stick" && umount -l "$work/stick"; }

window judge 80 24 booth --place place.ini --tickets stick --journal records
reads 'no stick, and records' judge 'They are on no stick yet.'
ok 'a small stick is put in' put_in -t tmpfs -o size=64k none
reads 'it is full, and the screen says what to do' judge 'The stick is full; make room on it'
ok 'no half of a record has its name' test ! -e "$given"
reads 'its tickets were taken all the same' judge 'Round 1 comes next.'
mount -o remount,size=1m "$work/stick" && look
reads 'with room it is written' judge 'The stick may be taken out.'
ok 'whole' cmp "$work/records/r0-j1-judge.journal" "$given"

echo more >>"$work/records/r0-j1-judge.journal"
look && mount -o remount,ro "$work/stick"
pulled
put_in -t tmpfs -o size=1m none && mount -o remount,ro "$work/stick"
reads 'one that is locked is said so' judge 'The stick cannot be read or written'
pulled
reads 'pulled, it says that records are on none' judge 'on no stick yet'
# Pulled while it was written: what came last is there in part, under another name.
mkdir "$work/half" && cp -r "$work/sticks/judges-room/boothlink" "$work/half"
mkdir -p "$work/half/boothlink/records/booth-1-judge"
head -c 5000 "$work/records/r0-j1-judge.journal" >"$work/half/boothlink/records/booth-1-judge/r0-j1-judge.journal.part"
mount --bind "$work/half" "$work/stick"
reads 'the next time it is written whole' judge 'The stick may be taken out.'
ok 'and nothing of the half is left' test ! -e "$given.part"
ok 'whole again' cmp "$work/records/r0-j1-judge.journal" "$given"
pulled
# The manager's machine was, when it wrote the list.
sed -i '1s/complete/writing/' "$work/half/boothlink/stick.list"
mount --bind "$work/half" "$work/stick"
reads 'one that the manager did not finish goes back to him' judge 'Take the stick back to the manager'
pulled
# The other room's is exchanged, and nobody goes to the manager with it.
mount --bind "$work/sticks/back-room" "$work/stick"
reads 'the other room'"'"'s stick is told apart' judge 'Wrong stick: this is the stick of the back room'
ok 'and not sent to the manager' lacks judge 'back to the manager'
pulled

truncate -s 4M "$work/fat.img"
if mkfs.vfat "$work/fat.img" >"$work/why" 2>&1 && put_in -o loop "$work/fat.img" 2>"$work/why"; then
    reads 'FAT: it is taken and written' judge 'The stick may be taken out.'
    ok 'FAT: whole' cmp "$work/records/r0-j1-judge.journal" "$given"
    pulled
else
    skip 'FAT: it is taken and written' "no FAT here: $(head -n 1 "$work/why")"
fi
# FAT's answers where a folder is to be synced: for the list twice, and for a place's folder.
if strace -o "$work/trace" true 2>"$work/why"; then
    export ASAN_OPTIONS=detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS} # cannot look under strace
    folder=$work/fat/judges-room/boothlink
    mkdir -p "$folder"
    strace -f -o "$work/trace" -P "$folder" -e trace=fsync -e inject=fsync:error=EINVAL \
        "$bl" contest tickets "$work/contest.db" --out "$work/fat" >"$work/said" 2>&1
    is 'a folder that cannot be synced is no fault' "$? $(grep -c INJECTED "$work/trace")" '0 3'
else
    skip 'a folder that cannot be synced is no fault' "strace may not trace here: $(head -n 1 "$work/why")"
fi
plan
