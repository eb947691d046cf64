#!/bin/bash
# A venue's cluster of three real nats-servers in place of the desk's own: each of them is killed in turn while
# records of booths grow, and nothing is lost or doubled. Who has no key, and who asks for another place's
# subjects, is refused at each.
. tests/tap.sh
. tests/support/journals.sh
. tests/support/booth.sh
. tests/support/post.sh
. tests/support/cluster.sh

postal=$BUILD/tests/system/postal
if [[ ! -x $nats_server ]]; then
    skip "a venue's cluster of servers" 'nats-server is not installed; make deps does that'
    plan
fi
places=(booth-1-judge booth-1-cable-a booth-2-judge)
for place in "${places[@]}"; do "$desk" --keys "$keys" --make-key "$place"; done

begin_member() {
    "$desk" --folder "$inbox" --keys "$keys" --server "$urls" 2>>"$work/desk.err" &
    pid_of[desk]=$!
}
"$desk" --folder "$inbox" --keys "$keys" --server "$urls" --listen "127.0.0.1:$port" 2>"$work/err"
is 'a desk with a cluster listens nowhere itself' "$? $(head -c 22 "$work/err")" '64 usage: boothlink-desk '
begin_member
# misses: how often a desk has told that it has no server. missed N: more than N times.
misses() { grep -c 'no server of the cluster is there for the desk' "$work/desk.err"; }
missed() { (($(misses) > $1)); }
ok 'it waits for the cluster' eventually missed 0
config=$inbox/server/cluster.conf
is 'for which it has written what all servers include' "$(grep -c 'nkey: U' "$config")" $((1 + ${#places[@]}))
before=$(sha256sum "$config")
stop desk
is 'ends well without one' $? 0
begin_member
ok 'and comes again' eventually missed 1
is 'with the same key of its own' "$(sha256sum "$config")" "$before"
is 'which is for this user alone' "$(stat -c %a "$inbox/server/desk.key")" 600
for n in "${nodes[@]}"; do begin_node "$n"; done
ok 'the cluster lets it in' eventually opens_after 0

texts=()
for i in {1..300}; do texts+=("the note $i of a day"); done
journal judge r1-j1 "${texts[@]}" finished >"$work/whole"
length=0
# grow BYTES: the records of all places get so much longer.
grow() {
    local place
    for place in "${places[@]}"; do tail -c +$((length + 1)) "$work/whole" | head -c "$1" >>"$work/$place/$(name "$place")"; done
    ((length += $1))
}
name() { [[ $1 == *-judge ]] && echo r1-j1-judge.journal || echo r1-j1-entity.journal; }
all_there() {
    local place
    for place in "${places[@]}"; do is_there "$place" "$(name "$place")" || return; done
}
url=$urls
for place in "${places[@]}"; do
    mkdir "$work/$place"
    begin_courier "$place"
done
grow 1000
ok 'the records of all places come to the desk' eventually all_there

for n in "${nodes[@]}"; do
    at=nats://127.0.0.1:${client[$n]}
    is "server $n lets nobody in without a key" "$("$postal" "$at" '')" 'Authentication Violation'
    is 'nor to what is another place'"'"'s' "$("$postal" "$at" "$keys/booth-2-judge.key" hear post.up.booth-1-judge |
        grep -oi 'permissions violation')" 'Permissions Violation'
done

# Two remain each time, and the records grow while it dies and while it is away.
for n in "${nodes[@]}"; do
    grow 700
    slay "node-$n"
    grow 700
    ok "server $n is killed, and all comes" eventually all_there
    begin_node "$n"
    grow 700
    ok 'also when it is back' eventually all_there
done

# One that hears connections and does not answer.
kill -STOP "${pid_of[node-1]}"
grow 700
ok 'a server is stopped, and all comes' eventually all_there
kill -CONT "${pid_of[node-1]}"

# The whole cluster is away: the desk tells, and goes on with the one that is back first.
told=$(misses) before=$(opened)
for n in "${nodes[@]}"; do slay "node-$n"; done
grow 700
ok 'a desk without any tells' eventually missed "$told"
begin_node 2
ok 'and is open again with one' eventually opens_after "$before"
ok 'to which all comes' eventually all_there
for place in "${places[@]}"; do
    stop "$place"
    is "$place: the courier ends well" $? 0
done

# One that is alive, and has no way to the desk.
lone=$(free_port)
printf 'listen: "127.0.0.1:%s"\ninclude "contest.db.inbox/server/cluster.conf"\n' "$lone" >"$work/node-lone.conf"
begin_node lone
slay node-2
url=nats://127.0.0.1:$lone,nats://127.0.0.1:${client[2]}
: >"$work/booth-2-judge.err"
begin_courier booth-2-judge
ok 'a courier is at a server without the desk' eventually grep -q 'is open' "$work/booth-2-judge.err"
begin_node 2
grow 700
ok 'and goes to the other one' eventually is_there booth-2-judge r1-j1-judge.journal
stop booth-2-judge
stop node-lone
stop desk
is 'and the desk' $? 0

# Servers that take connections and say nothing: while the desk waits for them, its page answers.
silent=$(free_port)
"$desk" --folder "$work/silent" --keys "$keys" --server "nats://127.0.0.1:$silent" --contest "$work/none.db" \
    --boothlink "$bl" 2>"$work/silent.err" &
pid_of[desk]=$!
ok 'a desk that cannot read its contest says so' eventually grep -q 'the contest cannot be read, and referees get no' \
    "$work/silent.err"
ok 'and has its page' eventually test -s "$work/silent/server/page.url"
is 'which answers while the desk waits for a server' "$(python3 - "$silent" "$(<"$work/silent/server/page.url")" <<'END'
import socket, sys, urllib.request
server = socket.create_server(('127.0.0.1', int(sys.argv[1])))
for _ in range(10):
    held, _ = server.accept()
    urllib.request.urlopen(sys.argv[2]).read()
    held.setblocking(False)
    try:
        held.recv(1)  # the desk has given it up
    except BlockingIOError:
        print('answered')
        break
END
)" answered
stop desk
is 'nothing is doubled' "$(ls "$inbox")" $'booth-1-cable-a\nbooth-1-judge\nbooth-2-judge\nserver'
stop node-2
plan
