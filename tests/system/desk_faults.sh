#!/bin/bash
# A fault between booths and desk stands on the manager's page with what to do, and goes away when it
# is mended: a full disk at the desk and at a booth, a key that was taken back, a second machine in a place.
. tests/tap.sh
. tests/support/journals.sh
. tests/support/booth.sh
. tests/support/venue.sh
. tests/support/post.sh

if [[ ! -x $nats_server ]]; then
    skip "faults on the manager's page" 'nats-server is not installed; make deps does that'
    plan
fi
if ! unshare -rm mount -t tmpfs none /mnt 2>/dev/null; then
    skip "faults on the manager's page" 'a file system in memory cannot be mounted'
    plan
fi
file=$work/contest.db keys=$file.keys/places
template loebner-2009 2
venue_setup >/dev/null || exit
mkdir "$inbox" "$work/booth-1-judge" "$work/booth-2-judge" "$work/spare"
texts=()
for i in {1..300}; do texts+=("the note $i of a day"); done
journal judge r1-j1 "${texts[@]}" finished >"$work/whole"

# A shell of its own below which FOLDER is a disk of 2 MiB; it does what it is told. It says "ready".
# on_disk NAME FOLDER, tell NAME COMMAND
on_disk() {
    mkfifo "$work/$1.fifo"
    # shellcheck disable=SC2016 # of that shell
    unshare -rm bash -c 'trap "kill \$(jobs -p)" EXIT
        mount -t tmpfs -o size=2m none "$1" && echo ready
        while read -r line; do eval "$line"; done <"$2"' - "$2" "$work/$1.fifo" >"$work/$1.said" 2>"$work/$1.err" &
    pid_of[$1]=$!
    exec {door}<>"$work/$1.fifo"
    doors[$1]=$door
    ok "$1: a small disk" eventually grep -q ready "$work/$1.said"
}
tell() { printf '%s\n' "$2" >&"${doors[$1]}"; }
declare -A doors=()
fill="head -c 4m /dev/zero >FOLDER/filler"

on_disk manager "$inbox"
begin() {
    tell manager "'$bl' desk '$file' --listen 127.0.0.1:$port >>'$work/said' 2>>'$work/desk.err' & echo \$! >'$work/desk.pid'"
}
end() { tell manager "kill \$(cat '$work/desk.pid'); wait; echo ended >>'$work/manager.said'"; }
begin
ok 'the desk opens' eventually opens_after 0
# The page's address lies on that disk.
mkdir -p "$work/view/contest.db.inbox/server"
copy_url() { tell manager "cp '$inbox/server/page.url' '$work/view/contest.db.inbox/server/'"; }
copy_url
ok 'and says where its page is' eventually test -s "$work/view/contest.db.inbox/server/page.url"
watch_page "$work/view"
length=0
grow() {
    tail -c +$((length + 1)) "$work/whole" | head -c "$1" >>"$work/$record"
    ((length += $1))
}
record=booth-1-judge/r1-j1-judge.journal
is_same() {
    [[ ! -e $work/same ]] || return 0
    tell manager "cmp -s '$work/$record' '$inbox/$record' && touch '$work/same'"
    return 1
}
begin_courier booth-1-judge
begin_booth() {
    tell booth "'$courier' --key '$keys/booth-2-judge.key' --server '$url' --records '$work/booth-2-judge' \
        2>>'$work/booth-2.err' & echo \$! >'$work/booth-2.pid'"
}
grow 1000
ok 'a record comes' eventually is_same
ok 'and the page names nothing' eventually nothing_named

# The desk's disk.
tell manager "${fill/FOLDER/$inbox}"
rm "$work/same"
grow 6000
ok "a full disk at the desk is named" eventually names "The desk's disk takes no records ($inbox/$record: No space left on device). Make room on it."
is 'and no booth is blamed' "$(grep -c 'nothing is taken' "$page")" 0
tell manager "rm '$inbox/filler'"
ok 'until there is room' eventually nothing_named
ok 'and all is there' eventually is_same
is 'both was said once' "$(grep -c 'No space left\|takes records again' "$work/desk.err")" 2

# A booth's disk.
on_disk booth "$work/booth-2-judge"
tell booth "${fill/FOLDER/$work/booth-2-judge}"
begin_booth
ok 'a full disk at a booth is named' eventually names \
    "2: The disk of the judge's machine is full. Make room on the disk of that machine."
tell booth "rm '$work/booth-2-judge/filler'"
ok 'and a nearly full one' eventually names "2: The disk of the judge's machine is nearly full: 2 MiB left."
tell booth "kill \$(cat '$work/booth-2.pid'); wait; umount '$work/booth-2-judge'"
begin_booth
ok 'until there is room' eventually nothing_named
stop_booth() { tell booth "kill \$(cat '$work/booth-2.pid'); wait; exit"; }

# A spare machine, while the other one is still at work; then another record under a name that is there. It has
# the key that its stick has brought, and none that the desk makes meanwhile.
begin_spare() {
    cp "$keys/booth-1-judge.key" "$work/spare.key"
    "$courier" --key "$work/spare.key" --server "$url" --records "$work/spare" 2>>"$work/spare.err" &
    pid_of[spare]=$!
}
begin_spare
ok 'two machines in one place are named' eventually names \
    "1: Two machines are at work in the place of the judge's machine. Switch off the one that does not belong there."
stop booth-1-judge
ok 'until one is switched off' eventually nothing_named
journal judge r1-j1 another finished >"$work/spare/r1-j1-judge.journal"
ok 'a second record of that name is named' eventually names \
    "1: From the judge's machine came two different records of one name. Take the records in"
tell manager "'$bl' contest collect '$file' '$inbox' >>'$work/said' 2>&1; echo collected >>'$work/manager.said'"
ok 'until they are taken in' eventually nothing_named
is 'both are kept' "$(cmp "$work/spare/r1-j1-judge.journal" "$file.records/2/r1-j1-judge.journal" && echo same)" same

# A key that was stolen is taken back.
before=$(opened)
rm "$keys/booth-1-judge.key"
end
ok 'the desk ends' eventually grep -q ended "$work/manager.said"
begin
ok 'and opens anew' eventually opens_after "$before"
copy_url
ok 'a place whose key was taken back is named' eventually names \
    "1: The desk has a new key for the judge's machine, with which nothing has come yet. Write the sticks anew, and put in that room's stick"
is 'the old key is worth nothing' "$("$BUILD/tests/system/postal" "$url" "$work/spare.key")" 'Authentication Violation'
stop spare
begin_spare
ok 'until it comes with the new one' eventually nothing_named
stop spare
end
has_ended() { (($(grep -c ended "$work/manager.said") > 1)); }
ok 'the desk ends again' eventually has_ended
tell manager exit
stop_booth
plan
