#!/bin/bash
# The manager's desk by its command: a key for each place, made once, which goes with the tickets on each
# stick and is as long for all; and a new one for a key that was taken back. A courier waits for its key,
# and takes the new one up.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/venue.sh
. tests/support/post.sh
. tests/support/windows.sh

file=$work/contest.db
sticks=$work/sticks
places=$file.keys/places
printf '#!/bin/sh\nexit 0\n' >"$work/parrot"
chmod +x "$work/parrot"
template loebner-2009 2
venue_setup >/dev/null || exit
is 'each place has a key from the first setup' "$(find "$places" -name 'booth-*.key' | wc -l)" 6
is 'for this user alone' "$(stat -c %a "$places" "$places"/*.key | sort -u)" $'600\n700'
sum() { cat "$places"/*.key | sha256sum; }
before=$(sum)
# Its nats-server is away, so it says all and ends.
say() { "$bl" desk "$file" --listen 127.0.0.1:4222 --nats-server "$work/none" 2>"$work/err"; }
next="Next: boothlink contest collect $file $file.inbox  # at any time, and again
69"
is 'so setup and desk are all: the address is said, and what comes next' "$(say; echo $?)" \
    "Booths reach it at nats://127.0.0.1:4222
$next"
is 'the desk was begun' "$(grep -c "$work/none: No such file" "$work/err")" 1
is 'with the same keys' "$(sum)" "$before"
# same: whether each place has its own key on its room's stick, and no other is there.
same() {
    local at place
    (($(find "$sticks" -name place.key | wc -l) == 6)) || return
    for at in "$sticks"/*/boothlink/*/place.key; do
        place=${at%/*} place=${place##*/}
        cmp "$at" "$places/$place.key" && grep -q " ${place}/place.key$" "${at%/*/*}/stick.list" || return
    done
}
ok 'the sticks bring each place its own' same
is "the judges' go to the judges' room" "$(find "$sticks/judges-room" -name place.key | grep -c -- -judge/)" 2
is 'all are of one length' "$(find "$sticks" -name place.key -size +0 -exec stat -c %s {} + | sort -u | wc -l)" 1
ok 'setup once more' quiet venue_setup
ok 'brings the same keys' same
is 'which are as before' "$(sum)" "$before"
rm -r "$places"
is 'a contest of before there were any gets them at the desk' "$(say; echo $?)" \
    "Booths reach it at nats://127.0.0.1:4222
Next: boothlink contest tickets $file  # the sticks bring 6 new keys
$next"
is 'once' "$(say | grep -c 'new keys')" 0
ok 'the tickets' quiet "$bl" contest tickets "$file"
ok 'bring them' same
rm "$places/booth-2-cable-a.key"
is 'one that is removed is made anew' "$(say | grep -c 'bring 1 new key$')" 1
is 'as another' "$(grep -Fxf "$places/booth-2-cable-a.key" \
    "$sticks/back-room/boothlink/booth-2-cable-a/place.key" | grep -c '^[0-9a-f]*$')" 0
ok 'and the next stick brings it' quiet "$bl" contest tickets "$file"
ok 'in its place' same
"$bl" desk "$work/people.ini" 2>"$work/err"
is 'what is no contest has no desk' $? 65
is 'nor keys' "$(find "$work" -name 'people.ini.*')" ''
"$bl" desk "$file" --listen here 2>"$work/err" >"$work/said"
is 'an address that is none' "$? $(grep -c 'expected ADDRESS:PORT' "$work/err")" '64 1'

"$bl" desk "$file" --server nats://127.0.0.1:1 --listen 127.0.0.1:4222 2>"$work/err" >"$work/said"
is 'nor has a cluster one of this machine' "$? $(cat "$work/err")" "64 boothlink desk: --server: a cluster has its own \
addresses and programs; expected neither --listen nor --nats-server"
"$bl" desk "$file" --server nats://127.0.0.1:1,nats://127.0.0.1:2 >"$work/said" 2>"$work/err" &
pid_of[cluster]=$!
ok "a cluster's addresses are said, and what its servers include" eventually grep -qx \
    "Booths reach it at nats://127.0.0.1:1,nats://127.0.0.1:2; each includes $file.inbox/server/cluster.conf" "$work/said"
ok 'which is there' eventually grep -q 'no server of the cluster is there for the desk' "$work/err"
is 'with all places and the desk' "$(grep -c 'nkey: U' "$file.inbox/server/cluster.conf")" 7
stop cluster

# A venue without a network in the back room, and one without any.
cp "$work/venue.ini" "$work/venue.all"
sed -i 's/^format = 1$/&\ndesk-network = judges/' "$work/venue.ini"
ok "with desk-network = judges" quiet "$bl" contest tickets "$file"
is "the judges' sticks have keys, and no other" "$(find "$sticks" -name place.key | sed 's,.*/\([a-z]*-room\)/.*,\1,')" \
    $'judges-room\njudges-room'
sed -i 's/^desk-network = .*/desk-network = none/' "$work/venue.ini"
is 'with none there is no desk' "$(say; echo "$? $(cat "$work/err")")" \
    '65 boothlink desk: there is no desk, for desk-network is none (the venue): sticks bring the records'
mv "$work/venue.all" "$work/venue.ini"
ok 'and with all of them again' quiet "$bl" contest tickets "$file"
ok 'all have theirs' same
work=$work/1996
mkdir "$work"
template loebner-1996 3
sed -i 's/^format = 1$/&\ndesk-network = all/' "$work/venue.ini"
ok 'rules that forbid it are cited' grep -q \
    'venue.ini:[0-9]*: \[venue\] desk-network = all: these rules allow no network (1996 r9): expected none' \
    <(venue_setup 2>&1)
"$bl" contest new "$work/bare.db" --ruleset loebner-1996 --name bare >/dev/null
"$bl" desk "$work/bare.db" 2>"$work/err" >/dev/null
is 'and at the desk, too' "$? $(cat "$work/err")" \
    '65 boothlink desk: there is no desk, for desk-network is none (1996 r9): sticks bring the records'
is 'which makes no key' "$(find "$work" -name '*.keys')" ''
work=${work%/1996}

if [[ ! -x $nats_server ]]; then
    skip 'a desk, and a courier whose key comes by stick' 'nats-server is not installed; make deps does that'
    plan
fi
begin() {
    "$bl" desk "$file" --listen "127.0.0.1:$port" >"$work/said" 2>>"$work/desk.err" &
    pid_of[desk]=$!
}
# A judge's machine, with its board. put_in: the stick that the manager has written last.
printf '[place]\nformat = 1\nbooth = 1\nmachine = judge\n' >"$work/place.ini"
mkdir "$work/machine" "$work/told"
record=r9-j9-judge.journal # of no ticket
echo 'a line' >"$work/machine/$record"
window judge 80 24 booth --place place.ini --tickets stick --journal machine --courier told/judge
arrived() { cmp -s "$work/machine/$record" "$file.inbox/booth-1-judge/$record"; }
put_in() {
    cp -r "$sticks/judges-room" "$work/next"
    [[ ! -e $work/stick ]] || mv "$work/stick" "$work/last"
    mv "$work/next" "$work/stick"
}
reads 'the board speaks of the stick' judge 'Put in the stick'
begin
ok 'the desk opens' eventually opens_after 0
"$courier" --server "$url" --records "$work/machine" --tell "$work/told/judge" 2>>"$work/courier.err" &
pid_of[courier]=$!
ok 'a courier waits' eventually grep -q 'waits for a stick' "$work/courier.err"
lacks judge "manager's desk" # its signing words may have a desk
is 'the board says nothing of a desk' $? 0
put_in
ok 'for its key, and the record comes' eventually arrived
ok 'the board has kept it for this user alone' test "$(stat -c %a "$work/machine/place.key")" = 600
before=$(opened)
stop desk
is 'the desk ends well' $? 0
rm "$places/booth-1-judge.key"
echo another >>"$work/machine/$record"
reads 'the board says what is not at the desk' judge "not at the manager's desk yet: 1."
begin
ok 'the next one opens' eventually opens_after "$before"
is 'and knows the old key no more' "$("$BUILD/tests/system/postal" "$url" "$work/machine/place.key")" \
    'Authentication Violation'
quiet "$bl" contest tickets "$file"
put_in
ok 'a stick brings the new one, and the rest comes' eventually arrived
ok 'and the board says no more' eventually lacks judge "manager's desk"
is 'for the courier has begun again' "$(grep -c 'it begins again' "$work/courier.err")" 1

# Tickets by the network: those of the sticks' folder, of the place alone.
laid=$work/told/judge.stick
# The draw says in which rounds somebody is there.
ticket=$(sed -n 's,.* \(booth-1-judge/[0-9-]*\.ticket\)$,\1,p' "$sticks/judges-room/boothlink/stick.list" | head -n 1)
here() { cmp -s "$sticks/judges-room/boothlink/$ticket" "$work/machine/$ticket"; }
ok "the courier lays out the place's tickets like a stick's" eventually test -e "$laid/boothlink/stick.list"
is 'and nothing of another place, nor a key of its own' "$(cd "$laid/boothlink" && ls -d -- * */*.key 2>/dev/null)" \
    $'booth-1-judge\nstick.list'
ok 'they are those of the stick' cmp -s "$laid/boothlink/$ticket" "$work/machine/$ticket"
lacks judge 'different tickets'
is 'so nothing changes' "$? $(find "$work/machine" -name desk.seen)" '0 '
sed -i 's,^booth1.judge-a = serial:/dev/ttyUSB0,&7,' "$work/venue.ini"
quiet "$bl" contest tickets "$file"
reads 'different ones of the same contest are a dispute' judge "different tickets (${ticket#*/})"
watch_page "$work"
ok 'and on the page' eventually names "1: Stick and desk have brought the judge's machine different tickets (${ticket#*/}). \
The stick's count. Write the sticks anew, and put in that room's stick."
lacks_new() { ! grep -q ttyUSB07 "$work/machine/$ticket"; }
ok "in which the stick's count" lacks_new
put_in
ok 'until a stick brings the same' eventually here
ok 'and the board says no more' eventually lacks judge 'different tickets'
ok 'nor does the page' eventually nothing_named
mv "$work/stick" "$work/old"
reads 'the stick is out' judge 'comes next'
sed -i 's,^booth1.judge-a = serial:/dev/ttyUSB07,&7,; s/^format = 1$/&\ndesk-network = judges/' "$work/venue.ini"
"$courier" --key "$places/booth-1-cable-a.key" --server "$url" --records "$work/cable" --tell "$work/told/cable" \
    2>>"$work/cable.err" &
pid_of[cable]=$!
quiet "$bl" contest begin "$file" 1
quiet "$bl" contest tickets "$file"
ok 'newer ones come by the network alone' eventually here
ok 'and the machine knows from where' test -e "$work/machine/desk.seen"
ok 'another machine reaches the desk' eventually grep -q 'the way to the desk is open' "$work/cable.err"
is 'but has no tickets where desk-network is judges' "$(find "$work/told" -name 'cable.*')" ''
mv "$work/old" "$work/stick"
reads 'a stick that is older than they are takes records' judge 'The stick may be taken out.'
ok 'and brings nothing' here
sed -i '/^desk-network = judges/d' "$work/venue.ini"
quiet "$bl" contest tickets "$file"
ok 'with all of them the other one has its tickets' eventually cmp -s \
    "$sticks/back-room/boothlink/${ticket/judge/cable-a}" "$work/told/cable.stick/boothlink/${ticket/judge/cable-a}"
stop cable
stop courier
is 'it ends well' $? 0
ok 'and says nothing any more' test ! -e "$work/told/judge"
stop desk
plan
