#!/bin/bash
# A hub full of strangers, and two honest ends of two versions: what comes of it between real
# terminals. FLOOD_SECONDS is how long. tests/unit/test_flood.c reckons with the most that a wire of
# 100 Mb/s carries, in simulated time.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/flood.sh

growth=1024 # bytes a second
flood_seconds=${FLOOD_SECONDS:-3}
version_seconds=12

if ! hub hub --port judge --port entity --port evil; then
    skip 'floods at a hub' "$(why_no_hub hub)"
    plan
fi
"$bl" key new "$work/line.key" >"$work/words" 2>/dev/null

# Two versions, meanwhile, on a cable.
cable serial
start v-judge judge --left "serial:$work/serial.a" --session versions --headless --json \
    --journal "$work/v-judge"
BOOTHLINK_SIM=$cables LD_PRELOAD=$sim/shim.so "$BUILD/tests/system/linkend" \
    "serial:$work/serial.b" entity version 9 >"$work/v.out" 2>&1 </dev/null &
pid_of[v]=$!
version_from=$EPOCHREALTIME
ups() { grep -c '^up: ' "$work/v.out"; }
have_met() { (($(ups) > 0)); }
ok 'two ends of two versions meet' eventually have_met

ok 'two terminals talk on a line with a key' flooded left "$flood_seconds" --key "$work/line.key"
ok 'the flood came' test "$came" -gt 1000
ok "the judge's record grows by at most $growth bytes a second" test "$grew_judge" -le $growth
ok "and the entity's" test "$grew_entity" -le $growth
ok 'keys of both find their places meanwhile' test "$keys" -ge "$flood_seconds"
stop judge
is "the judge's end ends well" $? 0
is 'the line was up all the time' "$(report judge .sides.left.connections)" 1
stop entity

ok 'two terminals talk on a line without a key' flooded right "$flood_seconds" --insecure
ok 'the flood came' test "$came" -gt 1000
ok "the judge's record is bounded" test "$grew_judge" -le $((2 * growth))
ok "and the entity's" test "$grew_entity" -le $((2 * growth))
stop judge
stop entity

for ((;;)); do
    version_us=$((${EPOCHREALTIME/./} - ${version_from/./}))
    ((version_us < version_seconds * 1000000)) || break
    pause 0.2
done
count=$(ups)
echo "# two versions: $count connections in $((version_us / 1000)) ms"
ok 'two versions connect once a second at most' test "$count" -le $((1 + version_us / 1000000))
ok 'and more than once' test "$count" -ge 2
same='another version of boothlink: install the same on both'
ok 'the other end is told the reason' grep -qF "$same" "$work/v.out"
stop v-judge
stop v
ok "so is the judge's record" says "$work/v-judge/versions-judge.journal" line "$same"
plan
