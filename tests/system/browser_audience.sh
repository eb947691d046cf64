#!/bin/bash
# The audience's page in Chromium. Its process is given nothing that is younger than the delay: its whole
# input is recorded with times, and compared with the times of the keys. No name is in it, and the process
# has no file; it may not listen on the booths' network. KEPT_PICTURES=DIR keeps its pictures.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/browser.sh
. tests/support/venue.sh
. tests/support/post.sh

needs_browser "the audience's page"
if [[ ! -x $nats_server ]]; then
    skip "the audience's page" 'nats-server is not installed; make deps does that'
    plan
fi
file=$work/contest.db
keys=$file.keys/places
template loebner-2009 2
venue_setup >/dev/null || exit
open_to=127.0.0.1:$(free_port)
# The process, with a record of its input.
cat >"$work/recorder" <<END
#!/usr/bin/perl
use Time::HiRes 'time';
use IO::Handle;
use POSIX '_exit';
\$SIG{CHLD} = sub { _exit(1) };
open my \$process, '|-', '$BUILD/boothlink-audience', @ARGV or die;
open my \$record, '>>', '$work/input' or die;
\$_->autoflush for \$process, \$record;
while (<STDIN>) { printf \$record '%d %s', time * 1e6, \$_; print \$process \$_ }
END
chmod +x "$work/recorder"
begin() {
    "$desk" --folder "$inbox" --keys "$keys" --listen "127.0.0.1:$port" --contest "$file" --boothlink "$bl" \
        --audience "$open_to" "$@" 2>>"$work/desk.err" &
    pid_of[desk]=$!
}
refused() {
    "$desk" --folder "$inbox" --keys "$keys" --contest "$file" --boothlink "$bl" "$@" 2>"$work/said"
    echo "$? $(tail -n 1 "$work/said" | sed 's/.*boothlink-desk: //')"
}
is 'not on every network' "$(refused --audience 0.0.0.0:80)" \
    '64 --audience 0.0.0.0:80: expected ADDRESS:PORT of one network'
is 'nor on another than this machine while booths may be on any' "$(refused --audience 192.0.2.7:80)" \
    "64 --audience 192.0.2.7:80: booths reach the desk by every network; --listen with an address says which is theirs"
is "nor on the booths'" "$(refused --listen 192.0.2.7:4222 --audience 192.0.2.7:80)" \
    "64 --audience 192.0.2.7:80: that is the booths' network"
is 'a delay is seconds' "$(refused --audience 127.0.0.1:80 --delay soon)" '64 --delay soon: expected seconds, from 1 to 86400'
begin --delay 5 --audience-program "$work/recorder"
mkdir "$work/booth-1-judge"
ok 'the desk opens' eventually opens_after 0
"$courier" --key "$keys/booth-1-judge.key" --server "$url" --records "$work/booth-1-judge" 2>>"$work/courier.err" &
pid_of[courier]=$!

# process: that of the audience.
process() {
    local id
    for id in /proc/[0-9]*; do
        [[ $(readlink "$id/exe") != "$BUILD/boothlink-audience" ]] || echo "${id##*/}"
    done 2>/dev/null | head -n 1
}
asked_files() { [[ ! $(find "/proc/$(process)/fd" -lname "$work/*") ]]; }
asked_kill() { kill -9 "$(process)"; }
asked_sealed() {
    stop desk
    : >"$work/input"
    begin --audience-program "$work/recorder"
}
serve tests/system/browser_audience.py "$work" "http://$open_to"
ok 'all of it was asked' test "$tap_count" -ge 20
is 'no word of it where no round is sealed' "$(cat "$work/input")" ''
plan
