# shellcheck shell=bash
# Couriers and a desk, for the system tests: source this behind tests/support/booth.sh. The records of a
# place are in $work/PLACE.
# shellcheck disable=SC2154

desk=$BUILD/boothlink-desk
courier=$BUILD/boothlink-courier
nats_server=/usr/sbin/nats-server
keys=$work/keys
inbox=$work/contest.db.inbox
port=$(free_port)
url=nats://127.0.0.1:$port
# begin_desk: a desk, and its nats-server.
begin_desk() {
    "$desk" --folder "$inbox" --keys "$keys" --listen "127.0.0.1:$port" 2>>"$work/desk.err" &
    pid_of[desk]=$!
}
# begin_courier PLACE
begin_courier() {
    "$courier" --key "$keys/$1.key" --server "$url" --records "$work/$1" 2>>"$work/$1.err" &
    pid_of[$1]=$!
}
# nats: the process of the desk's nats-server.
nats() {
    local child
    while read -rd ' ' child; do
        [[ $(readlink "/proc/$child/exe") != "$nats_server" ]] || echo "$child"
    done < <(cat "/proc/${pid_of[desk]}/task/"*/children)
}
# opened: how often the desk has said so. opens_after N: once more than N times. is_there PLACE NAME: the
# copy is the record.
opened() { grep -c 'open for the places' "$work/desk.err"; }
opens_after() { (($(opened) > $1)); }
is_there() { cmp -s "$work/$1/$2" "$inbox/$1/$2"; }
gone() { [[ ! -e /proc/$1 ]]; }
# watch_page FOLDER: FOLDER/page has what the manager's page names, from now on; the desk is that of
# FOLDER/contest.db. names TEXT; nothing_named.
watch_page() {
    page=$1/page
    tests/support/page_watch.py "$1" 2>>"$work/page.err" &
    pid_of[page]=$!
}
names() { grep -qF -e "$1" "$page"; }
nothing_named() { [[ -e $page && ! -s $page ]]; }
