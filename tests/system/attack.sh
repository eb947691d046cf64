#!/bin/bash
# Attacks on an encrypted line at a hub, in short; tests/soak/attack.sh sends a million frames.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/attack.sh

SEED=${SEED:-$RANDOM}
if ! hub hub --port judge --port entity --port evil --port ear; then
    skip 'attacks on a line at a hub' "$(why_no_hub hub)"
    plan
fi
attack 300 20000 1

# What the length of a frame tells: nothing.
"$bl" key new "$work/keys.key" >"$work/words" 2>/dev/null
for party in judge entity; do
    perl -e 'srand 1; print "pace 2\n"; for (1 .. 20) { print "type \"";
        print chr(0x61 + int rand 26), (" ", "\\b", "\\t", "\\n", "\xC3\xA9")[int rand 5] for 1 .. 25;
        print "\"\n" }' >"$work/keys.$party"
done
"$sim/hub" --control "$work/hub.control" --enter ear "$attacker" eth0 lengths keys \
    >"$work/lengths" </dev/null &
pid_of[ear]=$!
start judge judge --left ether:eth0/keys --key "$work/keys.key" --starts either --session keys \
    --script "$work/keys.judge" --headless --json --journal "$work/judge"
start entity entity --line ether:eth0/keys --key "$work/keys.key" --session keys \
    --script "$work/keys.entity" --headless --json --journal "$work/entity"
in_talk() { has_keys "$work/judge/keys-judge.journal" 10; }
eventually in_talk
# From here on nothing but keys, their places and acknowledgements goes over the line.
talk_from=$(wc -l <"$work/lengths")
most() { has_keys "$work/judge/keys-judge.journal" 900; }
eventually most
talk_to=$(wc -l <"$work/lengths")
ended judge
is "the judge's end ends well" $? 0
ended entity
stop ear
sed -n "$talk_from,${talk_to}p" "$work/lengths" | sort -n | uniq -c | sed 's/^/# frames, length: /'
ok 'a thousand frames were recorded' test $((talk_to - talk_from)) -ge 1000
is 'they have one length' "$(sed -n "$talk_from,${talk_to}p" "$work/lengths" | sort -u | wc -l)" 1
plan
