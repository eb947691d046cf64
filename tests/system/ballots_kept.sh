#!/bin/bash
# A thousand ballots by three programs at once, two of them for the same judges, which are killed
# (kill -9) again and again, at moments that the seed gives: none is lost, none is counted twice.
# SEED repeats the moments; JUDGES, CANDIDATES and KILLS make it longer.
. tests/tap.sh

SEED=${SEED:-$RANDOM}
JUDGES=${JUDGES:-20}
CANDIDATES=${CANDIDATES:-50}
KILLS=${KILLS:-12}
balloter=$BUILD/tests/system/balloter
work=$(mktemp -d)
. tests/support/wait.sh
pids=()

finish() {
    is_main || return 0
    ((${#pids[@]} == 0)) || kill -9 "${pids[@]}" 2>/dev/null
    rm -rf "$work" "$work".*
}
trap finish EXIT
trap 'exit 1' INT TERM HUP
RANDOM=$SEED
echo "# SEED=$SEED"

# cast SLOT FIRST STEP: a program, whose process goes into pids[SLOT].
cast() {
    "$balloter" "$work/contest.db" cast "$2" "$3" >>"$work/cast.$1" 2>>"$work/said" &
    pids[$1]=$!
}
start() {
    case $1 in
    0 | 1) cast "$1" 0 2 ;; # two of them for the same judges
    2) cast "$1" 1 2 ;;
    esac
}
count_cast() { cat "$work"/cast.* | wc -l; }

ok 'a contest is made' "$balloter" "$work/contest.db" new "$JUDGES" "$CANDIDATES"
touch "$work"/cast.{0,1,2} "$work/said"
for slot in 0 1 2; do start "$slot"; done
all=$((JUDGES * CANDIDATES))
for ((kill = 1; kill <= KILLS; kill++)); do
    # When so many ballots are stored, whichever program has just been at it.
    until=$((all * kill / (KILLS + 1) + RANDOM % 20))
    slot=$((RANDOM % 3))
    while (($(count_cast) < until)) && kill -0 "${pids[0]}" "${pids[1]}" "${pids[2]}" 2>/dev/null; do
        pause 0.01
    done
    kill -9 "${pids[slot]}" 2>/dev/null
    wait "${pids[slot]}" 2>/dev/null
    start "$slot"
done
good=0
for slot in 0 1 2; do
    wait "${pids[slot]}" || good=1
done
pids=()
result $good 'all programs end, each in its last life'
is 'and said nothing' "$(cat "$work/said")" ''
"$balloter" "$work/contest.db" list | sort >"$work/list"
is 'every ballot is there' "$(cut -d' ' -f1,2 "$work/list" | sort -u | wc -l)" "$all"
is 'each once' "$(wc -l <"$work/list")" "$all"
# shellcheck disable=SC2016
ok 'with its rating' awk '{ wanted = ($1 + $2 - 2) % 10 * 1000 + ($2 - 1) % 10 * 100
    if ($3 != wanted) exit 1 }' "$work/list"
# Killed between the store and the line, a program casts it no second time: at most one line each.
is 'none was said to be stored twice' \
    "$(sort "$work"/cast.* | uniq -d | head -3)" ''
is 'none that was said to be stored is missing' \
    "$(comm -23 <(sed 's/cast //' "$work"/cast.* | sort) <(cut -d' ' -f1,2 "$work/list" | sort))" ''

# A disk that is full: what does not fit is refused in words, what was stored stays.
full() {
    # shellcheck disable=SC2016
    unshare -Urm bash -c '
        mount -t tmpfs -o size=200k none "$2" || exit 77
        "$1" "$2/contest.db" new 20 50 || exit 1
        "$1" "$2/contest.db" cast 0 1 >"$3/full" 2>"$3/why"
        "$1" "$2/contest.db" list >"$3/full.list"
        wc -l <"$3/full.list"' - "$balloter" "$work/disk" "$work"
}
mkdir "$work/disk"
stored=$(full 2>/dev/null)
if (($? == 77)) || ! unshare -Urm true 2>/dev/null; then
    skip 'a full disk' 'a file system in memory cannot be mounted'
else
    ok 'a full disk takes some ballots and not all' test 0 -lt "$stored" -a "$stored" -lt 1000
    is 'all that it took are there' "$(wc -l <"$work/full")" "$stored"
    ok 'and says why it takes no more' grep -q 'full' "$work/why"
fi
plan
