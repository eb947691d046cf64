#!/bin/bash
# Records on their way over a network: couriers of two places, a desk and a real nats-server. What is killed
# on the way loses nothing; who has no key of a place is refused, and who has one speaks for that place
# alone. Then the desk's folder is collected as a stick is.
. tests/tap.sh
. tests/support/ballots.sh
. tests/support/journals.sh
. tests/support/booth.sh
. tests/support/venue.sh
. tests/support/post.sh

postal=$BUILD/tests/system/postal
file=$work/contest.db

# The library of NATS is linked with three programs, and no other that is installed.
linked=
for program in "$BUILD"/boothlink* "$sim"/*; do
    [[ ! -f $program || ! -x $program ]] || ! LC_ALL=C readelf -d "$program" 2>/dev/null | grep -q 'NEEDED.*\[libnats' ||
        linked+=" ${program##*/}"
done
is 'courier, desk and referee alone are linked with the library of NATS' "$linked" \
    ' boothlink-courier boothlink-desk boothlink-referee'
is 'and no library that is loaded late brings it' "$(grep -c nats "$BUILD/gen/late.h")" 0

if [[ ! -x $nats_server ]]; then
    skip 'records over a network' 'nats-server is not installed; make deps does that'
    plan
fi

"$desk" 2>"$work/said"
is 'a usage' "$? $(head -c 22 "$work/said")" '64 usage: boothlink-desk '
"$courier" --key "$keys/none" --server nats://127.0.0.1:1 --records "$work" 2>"$work/said"
is 'no key' "$? $(cat "$work/said")" \
    "66 boothlink-courier: there is no key file $keys/none: 'boothlink key' makes one"
for place in booth-1-judge booth-1-cable-a; do
    ok "a key for $place" "$desk" --keys "$keys" --make-key $place
done
"$desk" --keys "$keys" --make-key booth-1-judge 2>"$work/said"
is 'which is made once' "$?" 64
is 'and is for this user alone' "$(stat -c %a "$keys/booth-1-judge.key")" 600

template loebner-2009 2
venue_setup >/dev/null || exit
contest() { "$bl" contest "$1" "$file" "${@:2}"; }
session=r1-j1
mkdir "$work/booth-1-judge" "$work/booth-1-cable-a"
texts=()
for i in {1..300}; do texts+=("the note $i of a day"); done
journal judge $session "${texts[@]}" finished >"$work/judge.whole"
journal entity $session "${texts[@]}" finished >"$work/entity.whole"
judge=$work/booth-1-judge/$session-judge.journal entity=$work/booth-1-cable-a/$session-entity.journal
# grow_one RECORD WHOLE BYTES, grow BYTES: both records are that long.
grow_one() {
    local length=0
    [[ ! -e $1 ]] || length=$(stat -c %s "$1")
    head -c "$3" "$2" | tail -c +$((1 + length)) >>"$1"
}
grow() { grow_one "$judge" "$work/judge.whole" "$1" && grow_one "$entity" "$work/entity.whole" "$1"; }
both_there() {
    is_there booth-1-judge "$session-judge.journal" && is_there booth-1-cable-a "$session-entity.journal"
}

# A desk whose server hears connections and never answers; what becomes of it is asked at the end.
deaf_port=$(free_port)
cat >"$work/deaf" <<END
#!/usr/bin/perl
use IO::Socket::INET;
my \$socket = IO::Socket::INET->new(LocalAddr => '127.0.0.1:$deaf_port', Listen => 64, ReuseAddr => 1) or die;
sleep;
END
chmod +x "$work/deaf"
"$desk" --folder "$work/deaf.inbox" --keys "$keys" --listen "127.0.0.1:$deaf_port" --nats-server "$work/deaf" \
    2>"$work/deaf.err" &
pid_of[deaf]=$!

# Couriers come first, and wait for their desk.
grow 1000
begin_courier booth-1-judge
begin_courier booth-1-cable-a
begin_desk
ok 'the desk opens' eventually opens_after 0
ok "the records of both places come to it" eventually both_there
ok 'it keeps that its server has answered' test -e "$inbox/server/heard"

# Strangers.
is 'who has no key is refused' "$("$postal" "$url" '')" 'Authentication Violation'
exec 3<>"/dev/tcp/127.0.0.1/$port"
read -r _ <&3
printf 'CONNECT {"verbose":false,"pedantic":false}\r\nPING\r\n' >&3
read -r answer <&3
exec 3>&-
is 'also by hand' "${answer%$'\r'}" "-ERR 'Authorization Violation'"
"$desk" --keys "$work/others" --make-key booth-1-judge
is 'and so is a key of another desk' "$("$postal" "$url" "$work/others/booth-1-judge.key")" 'Authentication Violation'
own=$keys/booth-1-cable-a.key
is 'a place may hear and say what is its own, and nothing else' "$("$postal" "$url" "$own" \
    hear post.down.booth-1-cable-a say post.up.booth-1-cable-a garbage post.down.booth-1-judge)" $'connected\nmay\nmay'
for what in 'hear post.up.>' 'hear post.down.booth-1-judge' 'hear >' 'hear post.echo' "hear \$SYS.>" \
    'say post.up.booth-1-judge x y' 'say post.down.booth-1-judge x y' 'say post.echo x y'; do
    # shellcheck disable=SC2086 # words
    said=$("$postal" "$url" "$own" $what | tail -n 1)
    is "not: $what" "${said%% for *}" 'Permissions Violation'
done
ok 'what its key has not sealed is not believed' eventually grep -q \
    'booth-1-cable-a: a sealed message of 7 bytes' "$work/desk.err"

# The server is killed, and then the desk, while the records grow.
server=$(nats) before=$(opened)
kill -9 "$server"
grow 4000
ok 'the nats-server is started again' eventually opens_after "$before"
ok 'and the rest comes' eventually both_there
server=$(nats)
slay desk
ok 'a desk that is killed takes its server with it' eventually gone "$server"
grow 7000
before=$(opened)
begin_desk
ok 'the next one opens' eventually opens_after "$before"
ok 'and the rest comes there' eventually both_there
server=$(nats)
kill -STOP "${pid_of[desk]}"
pause 7
kill -CONT "${pid_of[desk]}"
grow 8000
ok 'a desk that has not listened goes on' eventually both_there
is 'with its server' "$(nats)" "$server"
head -c 2000000 /dev/zero >>"$inbox/server/nats.log"
is_short() { (($(stat -c %s "$inbox/server/nats.log") < 1000000)); }
ok "and bounds that one's words" eventually is_short
before=$(opened)
kill -STOP "$server"
grow 9000
ok 'a server that does not answer is killed' eventually grep -q 'does not answer any more' "$work/desk.err"
ok 'another one serves' eventually opens_after "$before"
ok 'and has the rest' eventually both_there
server=$(nats)

# The courier is killed; its machine's journal has lost its tail, and goes on otherwise.
slay booth-1-judge
cp "$judge" "$work/longer"
truncate -s 5000 "$judge"
journal judge $session another >>"$judge"
begin_courier booth-1-judge
second() { cmp -s "$judge" "$inbox/booth-1-judge-2/$session-judge.journal"; }
ok 'other bytes become a second copy' eventually second
ok 'beside the first' cmp -s "$work/longer" "$inbox/booth-1-judge/$session-judge.journal"

# While an entity's terminal has its journal, its machine says nothing.
exec 4>>"$entity"
flock 4
grow 12000
ballot $session left >"$work/booth-1-judge/$session-judge.ballot"
ok "a ballot comes from the judge's machine" eventually is_there booth-1-judge $session-judge.ballot
is "nothing from an entity's in its session" "$(stat -c %s "$inbox/booth-1-cable-a/$session-entity.journal")" 9000
exec 4>&-
ok 'and afterwards all' eventually is_there booth-1-cable-a $session-entity.journal

stop booth-1-judge
is 'a courier ends well' $? 0
stop booth-1-cable-a
stop desk
is 'a desk ends well' $? 0
ok 'its server, too' gone "$server"
ok 'a server that has never answered is killed' eventually grep -q 'does not answer any more' "$work/deaf.err"
ok 'and is not kept as one that has' test ! -e "$work/deaf.inbox/server/heard"
stop deaf
is 'nobody says more than he has to' "$(cat "$work"/booth-1-*.err "$work/desk.err" | wc -l | awk '{ print ($1 < 40) }')" 1

# Collected like a stick.
ok 'the folder is collected' contest collect "$inbox"
ok "the judge's journal is there" cmp -s "$work/longer" "$file.records/1/$session-judge.journal"
ok 'and the other one' cmp -s "$judge" "$file.records/2/$session-judge.journal"
ok "the entity's" cmp -s "$entity" "$file.records/1/$session-entity.journal"
is 'the ballot counts' "$(contest export --json | jq '[.acts[] | select(.kind == "ballot")] | length')" 1
plan
