#!/bin/bash
# The referees' pages in Chromium: both sides of sessions as they are typed, by boothlink-referee; in the
# judges' room without anybody's kind, in the back room with it and with the wish to limit a confederate,
# which becomes the command's act and a ticket. KEPT_PICTURES=DIR keeps its pictures.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/browser.sh
. tests/support/venue.sh
. tests/support/post.sh

referee=$BUILD/boothlink-referee
file=$work/contest.db
keys=$file.keys/places
refused() {
    "$referee" --server "$url" "$@" 2>"$work/said"
    echo "$? $(tail -n 1 "$work/said" | sed 's/.*boothlink-referee: //')"
}
is 'its usage' "$("$referee" 2>&1; echo "$?")" \
    'usage: boothlink-referee --server nats://ADDRESS:PORT --key FILE [--page PORT]'$'\n'64
"$desk" --keys "$keys" --make-key booth-1-judge
is 'the key is a referee'"'"'s' "$(refused --key "$keys/booth-1-judge.key")" \
    "65 $keys/booth-1-judge.key: it is the key of booth-1-judge; expected a referee's"
needs_browser "the referees' pages"
if [[ ! -x $nats_server ]]; then
    skip "the referees' pages" 'nats-server is not installed; make deps does that'
    plan
fi
template loebner-2003 3
venue_setup >/dev/null || exit
begin() {
    (cd "$work" && exec "$bl" desk "$file" --listen "127.0.0.1:$port" >"$work/said" 2>>"$work/desk.err") &
    pid_of[desk]=$!
}
begin
ok 'the desk opens' eventually opens_after 0
for room in judges-room back-room; do
    ok "and says which file is the key of the $room's referee" grep -qxF \
        "boothlink-desk: $room-referee: take its key to the referee's own machine: $keys/$room-referee.key" <(sed 's/.*boothlink-desk/boothlink-desk/' "$work/desk.err")
done
is 'no stick brings a referee its key' "$(grep -rl referee "$work/sticks")" ''
mkdir "$work/booth-1-judge"
"$courier" --key "$keys/booth-1-judge.key" --server "$url" --records "$work/booth-1-judge" 2>>"$work/courier.err" &
pid_of[courier]=$!
for room in judges-room back-room; do
    "$referee" --key "$keys/$room-referee.key" --server "$url" 2>>"$work/$room.err" &
    pid_of[$room]=$!
    there() { [[ -s $keys/$room-referee.key.url ]]; }
    ok "the page of the $room has an address" eventually there
done
is 'for this user alone' "$(stat -c %a "$keys/judges-room-referee.key.url")" 600

asked_kill() { slay desk; }
asked_again() { begin; }
# The tickets' folder gone, and back.
asked_hide() { mv "$work/sticks" "$work/hidden" && : >"$work/sticks"; }
asked_unhide() { rm "$work/sticks" && mv "$work/hidden" "$work/sticks"; }
asked_restart() {
    stop back-room
    "$referee" --key "$keys/back-room-referee.key" --server "$url" 2>>"$work/back-room.err" &
    pid_of[back-room]=$!
}
limits() { "$bl" contest log "$file" | sed -n '/ limit /p' | cut -d ' ' -f 4-; }
asked_pageless() {
    stop desk
    "$desk" --folder "$inbox" --keys "$keys" --listen "127.0.0.1:$port" --desk-network all 2>>"$work/desk.err" &
    pid_of[desk]=$!
}
# meets WHO N: the Nth session whose entity that is, as r1-j2.
meets() { "$bl" contest show "$file" | sed -nE "s/^ *round ([0-9]+):.*J([0-9]+)$1( .*|$)/r\1-j\2/p" | sed -n "$2p"; }
serve tests/system/browser_referee.py "$work" "$keys" "$(meets C1 1)" "$(meets E2 1)" "$(meets C1 2)"
ok 'all of it was asked' test "$tap_count" -ge 32
is "each wish is the command's act, once" "$(limits)" \
    "$(printf 'limit {"number":1,"role":"confederate","text":"Do not name your employer.","why":"%s"}\n' 'a judge was told' x)"
# A holder of the key, or of the network's messages, without a number that the desk has drawn.
refusals() { grep -c 'back-room-referee: a wish to limit a confederate was refused' "$work/desk.err"; }
is 'until now no wish was refused' "$(refusals)" 0
is 'a wish of old times is sent' "$("$BUILD/tests/system/postal" "$url" "$keys/back-room-referee.key" \
    wish 00000000000000000000000000000000 '{"who":"C1","text":"again","why":"x"}' | xargs)" 'connected may'
was_refused() { (($(refusals) == 1)); }
ok 'the desk refuses it, and says so' eventually was_refused
ok 'it is in the tickets of the back room' grep -rqx 'limit = Do not name your employer.' "$work/sticks/back-room"
is "and in no judge's" "$(grep -rl 'employer' "$work/sticks/judges-room")" ''
# Where the back room has no network its referee has nothing.
stop desk
"$desk" --folder "$inbox" --keys "$keys" --listen "127.0.0.1:$port" --desk-network judges 2>>"$work/desk.err" &
pid_of[desk]=$!
told_back() { grep -q "back-room-referee: the venue's desk-network has no referee in the back room" "$work/desk.err"; }
ok 'under desk-network = judges the back room has none' eventually told_back
plan
