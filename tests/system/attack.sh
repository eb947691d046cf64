#!/bin/bash
# Attacks on an encrypted line at a hub, in short; tests/soak/attack.sh sends a million frames.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/attack.sh

SEED=${SEED:-$RANDOM}
if ! hub hub --port judge --port entity --port evil --port listener; then
    skip 'attacks on a line at a hub' "$(why_no_hub hub)"
    plan
fi
attack 20000 1

# What the length of a frame tells: nothing. Both type a hundred letters, then as many blanks, and so
# on; if one kind made frames of another length, that would be the most common among the frames of
# its time. (A slow machine puts two keys into a frame now and then, whichever they are.)
"$bl" key new "$work/keys.key" >"$work/words" 2>/dev/null
for party in judge entity; do
    perl -e 'print "pace 8\n"; print "type \"", $_ x 100, "\"\n"
        for "e", " ", "\\b", "\\t", "\\n", "\xC3\xA9", "\xF0\x9F\x99\x82"' >"$work/keys.$party"
done
"$sim/hub" --control "$work/hub.control" --enter listener "$attacker" eth0 lengths keys \
    >"$work/lengths" </dev/null &
pid_of[listener]=$!
start judge judge --left ether:eth0/keys --key "$work/keys.key" --starts either --session keys \
    --script "$work/keys.judge" --headless --json --journal "$work/judge"
start entity entity --line ether:eth0/keys --key "$work/keys.key" --session keys \
    --script "$work/keys.entity" --headless --json --journal "$work/entity"
keys_placed() { has_keys "$work/judge/keys-judge.journal" "$1"; }
eventually keys_placed 10
# From here on nothing but keys, their places and acknowledgements goes over the line.
talk_from=$(wc -l <"$work/lengths")
eventually keys_placed 1350
talk_to=$(wc -l <"$work/lengths")
ended judge
is "the judge's end ends well" $? 0
ended entity
stop listener
sed -n "$((talk_from + 1)),${talk_to}p" "$work/lengths" >"$work/talk"
sort -n "$work/talk" | uniq -c | sed 's/^/# frames, length: /'
ok 'a thousand frames were recorded' test "$(wc -l <"$work/talk")" -ge 1000
# most_common: of each hundred lengths in a row
most_common() {
    perl -e 'my @all = <>; while (@all >= 100) { my %n; $n{$_}++ for splice @all, 0, 100;
        print +(sort { $n{$b} <=> $n{$a} } keys %n)[0] }' "$work/talk"
}
is 'whatever is typed, their length is the same' "$(most_common | sort -u | wc -l)" 1
plan
