#!/bin/bash
# 64 booths in three halls, each hall with a nats-server of the venue's cluster, at one desk: the records of
# all come and are equal, and each has its tile. The limit of a contest is said in one line.
. tests/tap.sh
. tests/support/journals.sh
. tests/support/booth.sh
. tests/support/venue.sh
. tests/support/post.sh
. tests/support/cluster.sh

"$bl" contest template --ruleset two-party-2023 --booths 65 "$work/more" 2>"$work/err"
is '65 booths are too many' "$? $(cat "$work/err")" \
    '64 boothlink contest template: --booths 65: expected a whole number from 1 to 64'
if [[ ! -x $nats_server ]]; then
    skip '64 booths in three halls' 'nats-server is not installed; make deps does that'
    plan
fi
file=$work/contest.db keys=$file.keys/places
template two-party-2023 64
sed 's/booth64/booth65/' "$work/venue.ini" >"$work/more.ini"
is 'so are they in a file of the venue' "$("$bl" contest setup --unsigned --file "$work/more.db" "$work/people.ini" \
    "$work/more.ini" 2>&1 | grep -c 'booth65.judge-a: expected booth1. to booth64. or entry1. to entry64.$')" 1
ok '64 booths are set up' quiet venue_setup
places=()
for n in {1..64}; do places+=("booth-$n-judge"); done
"$bl" desk "$file" --server "$urls" >"$work/said" 2>>"$work/desk.err" &
pid_of[desk]=$!
ok 'the desk waits for the cluster' eventually grep -q 'no server of the cluster' "$work/desk.err"
for n in "${nodes[@]}"; do begin_node "$n"; done
ok 'which lets it in' eventually opens_after 0
watch_page "$work"

# A session is open in each booth, and the next hall's server is the second choice.
journal judge r1-j1 open >"$work/whole"
for n in "${!places[@]}"; do
    place=${places[n]}
    mkdir "$work/$place"
    cp "$work/whole" "$work/$place/r1-j$((n + 1))-judge.journal"
    url=nats://127.0.0.1:${client[$((n % 3 + 1))]},nats://127.0.0.1:${client[$(((n + 1) % 3 + 1))]}
    begin_courier "$place"
done
all_there() {
    local n
    for n in "${!places[@]}"; do is_there "${places[n]}" "r1-j$((n + 1))-judge.journal" || return; done
}
ok 'the records of all 64 come' eventually all_there
heard() { [[ $(<"$work/booths") == "$1" ]]; }
ok 'and the page hears 64 judges' eventually heard '64 of 64'
slay node-2
for n in "${!places[@]}"; do echo more >>"$work/${places[n]}/r1-j$((n + 1))-judge.journal"; done
ok "a hall's server is killed, and all comes by the others" eventually all_there
for place in "${places[@]}"; do
    kill "${pid_of[$place]}"
done
bad=0
for place in "${places[@]}"; do ended "$place" || bad=$((bad + 1)); done
is 'every courier ends well' $bad 0
stop desk
is 'and the desk' $? 0
is 'nothing is doubled' "$(find "$inbox" -maxdepth 1 -name 'booth-*-judge-*' | wc -l)" 0
for n in 1 3; do stop "node-$n"; done
plan
