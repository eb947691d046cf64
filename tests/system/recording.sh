#!/bin/bash
# The recording of a long conversation is made in about the time that a program takes to read it: what
# a key changes is drawn, and not the page. KEYS is how long the conversation is.
. tests/tap.sh

bl=$(realpath "${BUILD:-build}/boothlink")
keys=${KEYS:-200000}
most=130 # percent of the reader's time; drawing the whole page for each key takes about 200

# Lines of sixty keys, of two entities and their judge, ten keys a second.
perl -e 'print "A contest\r\nThese transcripts are in the public domain\r\n",
        "Transcripts of judge 1 program Ann round 1\r\nLeft =human \r\n";
    for my $i (0 .. $ARGV[0] - 1) {
        my $at = 1337015238000000 + $i * 100000;
        printf "J1 %011d%07d %s %s %s\r\n", $at / 1000000, $at % 1000000,
            int($i / 120) % 2 ? "Ann" : "judge", int($i / 4000) % 2 ? "right" : "left",
            $i % 60 == 59 ? "Return" : $i % 6 == 5 ? "space" : chr(97 + $i * 7 % 26);
    }' "$keys" >"$TMPDIR/long.txt"

# processor COMMAND...: ms of a processor that it takes; other programs' time is not counted.
processor() {
    local TIMEFORMAT=%3U
    { time "$@" >"$TMPDIR/out" 2>"$TMPDIR/err"; } 2>&1 | tr -d .
}
ok 'a long conversation' test "$("$bl" transcript check "$TMPDIR/long.txt" --json | jq .keys)" = "$keys"
least=1000000
for ((i = 0; i < 3; i++)); do # whatever disturbs one makes it slower
    made=$(processor "$bl" transcript convert "$TMPDIR/long.txt" --to asciicast --output "$TMPDIR/long.cast")
    read=$(processor python3 -c 'import json, sys
for line in open(sys.argv[1], encoding="utf-8"):
    json.loads(line)' "$TMPDIR/long.cast")
    echo "# $keys keys: made in $((10#$made)) ms, read in $((10#$read)) ms"
    percent=$((10#$made * 100 / (10#$read + 1)))
    ((percent >= least)) || least=$percent
done
ok 'its recording has a line for each key that is seen' \
    test "$(grep -c '^\[[0-9.]*, "o", ' "$TMPDIR/long.cast")" -ge $((keys * 98 / 100))
if grep -q __asan_init "$bl"; then
    skip 'it is made in about the time of reading it' 'a sanitizer slows it'
else
    ok "it is made in about the time of reading it: $least %" test "$least" -le $most
fi
plan
