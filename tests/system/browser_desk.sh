#!/bin/bash
# The manager's page in Chromium: booths as their records come through couriers and a desk, what is wrong
# first and with what to do; acts by the keyboard, each the same as its command; the tree of a screen
# reader; light and dark, a wall's screen and a telephone. KEPT_PICTURES=DIR keeps its pictures.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/browser.sh
. tests/support/venue.sh
. tests/support/post.sh

needs_browser "the manager's page"
if [[ ! -x $nats_server ]]; then
    skip "the manager's page" 'nats-server is not installed; make deps does that'
    plan
fi
file=$work/contest.db
template loebner-2009 2
venue_setup >/dev/null || exit
begin() {
    (cd "$work" && exec "$bl" desk "$file" --listen "127.0.0.1:$port" >"$work/said" 2>>"$work/desk.err") &
    pid_of[desk]=$!
}
said_page() { grep -q "the manager's page: http://127.0.0.1:" "$work/desk.err"; }
begin
ok 'the desk says the address of its page' eventually said_page
ok 'and keeps it for this user alone' test "$(stat -c %a "$inbox/server/page.url")" = 600
for place in booth-1-judge booth-2-judge booth-1-cable-a booth-1-cable-b; do
    mkdir "$work/$place"
    "$courier" --key "$file.keys/places/$place.key" --server "$url" --records "$work/$place" 2>>"$work/$place.err" &
    pid_of[$place]=$!
done

log() { "$bl" contest log "$file" | sed -n "$1"; }
asked_logged() { "$bl" contest log "$file" | tail -n 1 | grep -q "$1"; }
asked_there() { [[ -s $work/$1 ]]; }
asked_kill() { slay desk; }
asked_again() { begin; }
serve tests/system/browser_desk.py "$work" "$inbox/server/page.url"
ok 'all of it was asked' test "$tap_count" -ge 40
is 'and sealed' "$(log '/ seal /p' | cut -d ' ' -f 4-)" 'seal {"why":"a rehearsal"}'
is 'the acts of the page are those of the commands' "$(log '/ repeat /p;/ exclude /p;/ begin /p' | cut -d ' ' -f 4-)" \
    "$(printf '%s\n' 'begin {"present":true,"round":1}' 'repeat {"judge":1,"round":1,"why":"the cable was broken"}')"
plan
