#!/bin/bash
# In a Debian of its own, by tools/upgrade.sh: a contest and a session begun with the old packages go on
# when the new ones are installed over them, and the records stay when all is purged.
cd /upgrade || exit 1
# shellcheck source=tests/tap.sh
. ./tap.sh
export SHELL=/bin/sh
here=/srv/session
patience=60

eventually() {
    local until=$((SECONDS + patience))
    while ! "$@" >/dev/null 2>&1; do
        ((SECONDS < until)) || return 1
        sleep 0.1
    done
}
screen() { tmux capture-pane -p -t "$1"; }
words() { screen "$1" | tr -s ' \n' ' '; }
has() { [[ $(words "$1") == *"$2"* ]]; }
connected() { screen "$1" | grep -q '  connected$'; }
reads() {
    ok "$1" eventually has "$2" "$3"
    has "$2" "$3" || screen "$2" | sed 's/^/# /'
}
# quietly COMMAND...: what it says is shown if it fails.
quietly() { "$@" >/tmp/log 2>&1 || { sed 's/^/# /' /tmp/log && return 1; }; }
# terminal NAME COMMAND...: one end, on its end of the simulated cable.
terminal() {
    tmux new-session -d -s keeper 'exec sleep 3600' 2>/dev/null
    tmux set-option -g remain-on-exit on
    tmux new-session -d -s "$1" -x 80 -y 24 \
        "export BOOTHLINK_SIM=$here/cable.shm; LD_PRELOAD=/usr/libexec/boothlink/shim.so exec boothlink ${*:2}"
}
process() { tmux display-message -p -t "$1" '#{pane_pid}'; }
dead() { [[ $(tmux display-message -p -t "$1" '#{pane_dead}') == 1 ]]; }
end() {
    tmux kill-server
    [[ ! ${cable-} ]] || kill "$cable"
} 2>/dev/null
trap end EXIT

ok 'the old packages are installed' quietly dpkg --install old/*.deb
mkdir -p $here
cd $here || exit 1
mkfifo ready
/usr/libexec/boothlink/nullmodem --a a --b b --shm cable.shm --control control >ready &
cable=$!
read -r _ <ready
terminal judge judge --left serial:$here/a --journal $here/judge
terminal entity entity --line serial:$here/b --keyboard --journal $here/entity
ok 'a session is begun' eventually connected judge
ok 'at both ends' eventually connected entity
if ! connected entity; then
    screen judge | sed 's/^/# /'
    echo 'Bail out! no session, so nothing to upgrade'
    exit 1
fi
tmux send-keys -t judge -l 'Before it'
reads 'and goes on' entity 'Before it'
boothlink contest template --ruleset loebner-2009 --booths 4 contest
sed -i -E 's/^name =$/name = A contest/; s/\.(rights|receipt) =$/.\1 = yes/; s/\.age =$/.age = adult/; s/^(entry[0-9]+)\.(submitter|comms) =$/\1.\2 = S \1/
    s/^(judge|entry|confederate)([0-9]+) =$/\1\2 = The \1 \2/' contest/people.ini
ok 'a contest is begun' quietly boothlink contest setup contest/people.ini contest/venue.ini
acts=$(boothlink contest export contest/contest.db --json | jq '.acts | length')
is 'its acts are on record' "$((acts > 10))" 1
before=$(process judge) entity=$(process entity)
binary=$(stat -Lc %i /usr/bin/boothlink)

ok 'the new packages are installed over them' quietly dpkg --install /upgrade/new/*.deb
ok 'and are other files' test "$(stat -Lc %i /usr/bin/boothlink)" != "$binary"
is 'the judge'"'"'s terminal is the same process' "$(process judge)" "$before"
is 'and the entity'"'"'s' "$(process entity)" "$entity"
ok 'whose program is not there any more' grep -q deleted <(readlink "/proc/$entity/exe")
tmux send-keys -t judge -l ', and after.'
reads 'the session goes on' entity 'Before it, and after.'
kill -9 "$before"
ok 'the judge'"'"'s terminal is killed' eventually dead judge
tmux kill-session -t =judge
terminal judge judge --left serial:$here/a --journal $here/judge
reads 'the new one shows the same page' judge 'Before it, and after.'
ok 'and is connected with the old one' eventually connected judge
tmux send-keys -t judge -l ' New.'
reads 'they go on together' entity 'after. New.'
is 'the contest has the acts it had' "$(boothlink contest export contest/contest.db --json | jq '.acts | length')" "$acts"
ok 'and goes on' quietly boothlink contest begin contest/contest.db 1

tmux kill-server
kill "$cable"
cable=
cp -r judge entity contest /var/lib/boothlink/
cd /var/lib/boothlink || exit 1
records=$(find judge entity contest -type f -exec sha256sum {} + | sort)
ok 'all is purged' quietly dpkg --purge boothlink-sim boothlink
ok 'the program is gone' test ! -e /usr/bin/boothlink
is 'the records stay' "$(find judge entity contest -type f -exec sha256sum {} + | sort)" "$records"
plan
