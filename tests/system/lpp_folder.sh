#!/bin/bash
# What an Entry's folder can do to us: more changes than the system keeps for us, and a directory
# that nobody can remove. The folder is the line, so that nothing else takes time; and it is in
# memory where that can be had, since making and removing wait for a disk that others keep busy.
if [[ ${TMPDIR-} && ! ${IN_MEMORY-} ]] &&
    unshare -rm mount -t tmpfs none "$TMPDIR" 2>/dev/null; then
    # shellcheck disable=SC2016 # for the other shell
    exec unshare -rm sh -c 'mount -t tmpfs none "$TMPDIR" && IN_MEMORY=1 exec "$0"' "$0"
fi
. tests/tap.sh
. tests/support/booth.sh

client() { "$BUILD/tests/system/lppclient" "$folder" "$@"; }
folder=$work/folder
printf 'wait 3600000\n' >"$work/judge.script"

# begin SESSION [COMMAND...]: the judge's terminal on an empty folder, run by the command.
begin() {
    journal=$work/judge/$1-judge.journal
    mkdir -p "$folder"
    "${@:2}" "$bl" lpp-judge "$folder" --starts either --session "$1" --headless --json \
        --script "$work/judge.script" --journal "$work/judge" \
        </dev/null >"$work/judge.out" 2>"$work/judge.err" &
    pid_of[judge]=$!
    ok "$1: the folder is watched" eventually says "$journal" entry 'is watched'
}
keys_of() { typed_in "$journal" entity; }
has() { (($(keys_of | wc -l) >= $1)); }
is_empty() { [[ ! $(find "$folder" -mindepth 1 -print -quit) ]]; }

# More changes than the queue of inotify holds, while the terminal cannot look.
queue=$(</proc/sys/fs/inotify/max_queued_events)
if ((queue > 100000)); then
    skip 'overflow: more changes than are kept' "fs.inotify.max_queued_events is $queue"
else
    begin overflow
    client sent="$work/sent" digits=10 number=1 type=before
    ok 'overflow: what came before is there' eventually has 6
    kill -STOP "${pid_of[judge]}"
    client sent="$work/sent" digits=10 number=7 random=$((queue + 1000)),11
    kill -CONT "${pid_of[judge]}"
    client sent="$work/sent" digits=10 number=$((queue + 1007)) type=after
    ok 'overflow: all keys come' eventually has $((queue + 1011))
    keys_of >"$work/typed"
    equal 'overflow: each once and in order' "$work/typed" "$work/sent"
    ok 'overflow: the folder is empty' eventually is_empty
    stop judge
    is 'overflow: it ends well' $? 0
    rm -rf "$folder"
fi

# A directory that something is mounted on can neither be removed nor get another name.
ticks() { awk '{ print $14 + $15 }' "/proc/${pid_of[judge]}/stat"; }
if ! unshare -rm true 2>/dev/null; then
    skip 'stuck: a directory that cannot be removed' 'mount namespaces need root or user namespaces'
else
    mkdir -p "$folder/1.s.other"
    # shellcheck disable=SC2016 # for the other shell
    mounted=(unshare -rm sh -c 'mount --bind "$0" "$0" && exec "$@"' "$folder/1.s.other")
    begin stuck "${mounted[@]}"
    ok 'stuck: it is told' eventually says "$journal" entry "'1.s.other' cannot be removed"
    client digits=0 number=2 type=abc
    ok 'stuck: what comes after it is there' eventually has 4
    before=$(ticks)
    pause 1
    ok 'stuck: nobody tries again and again' test $(($(ticks) - before)) -lt 20
    slay judge
    begin stuck "${mounted[@]}"
    client digits=0 number=5 type=d
    ok 'stuck: after a kill it goes on' eventually has 5
    is 'stuck: it was a key once' "$(keys_of | xargs)" 's a b c d'
    is 'stuck: it is told once' "$(notes "$journal" entry | grep -c 'cannot be removed')" 1
    stop judge
    is 'stuck: it ends well' $? 0
fi
plan
