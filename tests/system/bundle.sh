#!/bin/bash
# A contest as a public bundle: nobody in it has a name who did not agree, a stranger checks it with the
# folder alone, and each planted change is found, also by whoever makes the hashes fit again.
. tests/tap.sh
. tests/support/contest.sh

bl=$BUILD/boothlink
bundle=$TMPDIR/bundle
records=tests/fixtures/dbf5fc4/records # a session r1-j1, in which two say that they are Ann and Bob
{
    "$bl" contest rulesets loebner-2004 |
        sed -E 's/^name = .*/name = rehearsal/; s/^plan = .*/plan = 8 both,1 change/
            s/^phrases-deleted = no/phrases-deleted = yes/
            s/^\[session\]/&\nreferees-limit = yes/' >"$TMPDIR/rehearsal.ini"
    contest new --unsigned --name 'A contest' --ruleset "$TMPDIR/rehearsal.ini" --author 'Mirabel Großkopf'
    contest add judge 'Adalinde Brownfield' --family 'Hinterhuber Brownfield'
    contest add entry 'Wimbertbot' --submitter 'Wimbert Zimmerling' --team 'Ottokar Ünal' --comms comms --age 37
    contest add confederate 'Ann Vanterpool'
    contest draw commit
    contest schedule
    contest draw reveal
    contest limit C1 --text 'says nothing of adalinde' --why 'asked by Zimmerling'
    contest begin 1
    contest ballot J1 E1C1 70:30
    contest rename J1 'Adalinde Greenfield' --why 'MIRABEL heard that Ms BROWNFIELD married'
} >/dev/null
refused 65 'is not sealed' publish --bundle "$bundle"
contest phrase 'Secret' --why 'it names Zimmerling' >/dev/null
contest seal >/dev/null
refused 64 'are for --bundle' publish --out "$TMPDIR/x" --named J1
refused 64 'takes neither' publish --out "$TMPDIR/x" --bundle "$bundle"
refused 65 'there is no J2' publish --bundle "$bundle" --named J2
said=$(contest publish --bundle "$bundle" --records "$records")
is 'a bundle' "$?" 0
whole=$(b2sum -l 256 <"$bundle/hashes" | cut -d' ' -f1)
is 'its hash is that of its list' "$(sed -n 's/^bundle: //p' <<<"$said")" "$whole"
ok 'b2sum checks the list' eval "(cd '$bundle' && b2sum -l 256 --quiet -c hashes)"
is 'a stranger finds it whole' "$("$bl" contest verify "$bundle" | sed -n 's/^bundle: \([0-9a-f]*\).*/\1/p')" "$whole"
mkdir "$TMPDIR/none"
is 'what is no bundle is told how to become one' "$("$bl" contest verify "$TMPDIR/none" 2>&1)" \
    "boothlink contest verify: $TMPDIR/none is no bundle, which has a file hashes: boothlink contest publish FILE --bundle DIR makes one"
is 'in JSON' "$("$bl" contest verify "$bundle" --json | jq -c '[.bundle, .differences]')" "[\"$whole\",[]]"
refused 64 'is there already' publish --bundle "$bundle"
is 'pseudonyms, one for each person, whatever he is called' \
    "$(jq -c '[.acts[] | .instead.name // empty]' "$bundle/contest.json")" '["\"P3\"","\"[name]\"","\"P5\"","\"P3\""]'
is 'what is taken out is counted' "$(grep -E '^acts,(family|age|why),|^messages|^keys' "$bundle/redactions.csv" | xargs)" \
    'acts,family,not told,1 acts,family,another text,0 acts,age,not told,1 acts,age,another text,0 acts,why,not told,0 acts,why,another text,3 messages,text,words,2 keys,key,not told,55'
ok 'the tables have all rows' test "$(wc -l <"$bundle/keys.csv")" -gt 80
ok 'nobody is named, in no form' python3 -B tests/system/bundle.py names "$bundle" 'Mirabel Großkopf' \
    'Adalinde Brownfield' 'Hinterhuber Brownfield' 'Wimbert Zimmerling' 'Ottokar Ünal' 'Ann Vanterpool' \
    'Adalinde Greenfield' Secret
ok 'the search finds what is there' eval "! python3 -B tests/system/bundle.py names '$bundle' loebner-2004 >/dev/null &&
    ! python3 -B tests/system/bundle.py names '$bundle' hello >/dev/null"
ok 'changes are found, each by the folder alone' env BOOTHLINK="$bl" python3 -B tests/system/bundle.py changes "$bundle" "$whole"

ok 'a verifier of 150 lines finds it whole' python3 -B tests/contests/stranger.py "$bundle" "$whole"
is 'in so many lines' "$(($(wc -l <tests/contests/stranger.py) <= 150))" 1

# A person who agreed is called by name, with a salt by which anybody can check it.
contest publish --bundle "$TMPDIR/named" --named C1 >/dev/null
is 'who agreed is named' "$(jq -c '[.acts[] | .opened.name.value // empty]' "$TMPDIR/named/contest.json")" '["\"Ann Vanterpool\""]'
ok 'and it is whole' quiet "$bl" contest verify "$TMPDIR/named"
ok 'nobody else is' python3 -B tests/system/bundle.py names "$TMPDIR/named" 'Adalinde Greenfield' 'Wimbert Zimmerling'
contest publish --bundle "$TMPDIR/all" --named all >/dev/null
is 'or all are' "$(jq -c '[.acts[] | .opened.name.value // empty] | length' "$TMPDIR/all/contest.json")" 4
is 'each salt is another' "$(jq '[.acts[].opened[].salt] | [length > 20, (unique | length) - length]' -c "$TMPDIR/all/contest.json")" '[true,0]'
ok 'which is whole too' quiet "$bl" contest verify "$TMPDIR/all"
is 'the last hash is the same in all' "$(jq -r '.acts[-1].hash' "$TMPDIR"/{bundle,named,all}/contest.json | sort -u)" \
    "$(contest verify --json | jq -r .last)"
rm -f "$file"*
contest_new loebner-2004 1 1 1
contest deliver E1 'a program by Confederate 1' >/dev/null
contest seal --why 'nothing was held' >/dev/null
refused 65 "'what' of act 5 (deliver) names somebody" publish --bundle "$TMPDIR/refused"

# A judge's words in a field of the rules' own.
rm -f "$file"*
contest new --unsigned --name 'A contest' --ruleset three-party-2025 --author 'Mirabel Großkopf' >/dev/null
for who in "judge 'Adalinde Brownfield'" "entry Wimbertbot" "confederate 'Ann Vanterpool'"; do
    eval "contest add $who" >/dev/null
done
{
    contest draw commit
    contest schedule
    contest draw reveal
    contest begin 1
    long=$(printf ' Brownfield%.0s' {1..34})
    contest ballot J1 E1C1 entry --fields "confidence 80 reason \"it calls me$long\""
    contest ballot J1 E1C1 entry --fields 'confidence 80 reason "Ann calls me ms BROWNFIELD"' --correct
    contest seal --why 'it is over'
} >/dev/null
contest publish --bundle "$TMPDIR/fields" >/dev/null
is 'names in a reason are taken out' "$(jq -r '.acts[].instead.fields // empty' "$TMPDIR/fields/contest.json")" \
    '{"confidence":80,"reason":"it calls me'"$(printf ' [name]%.0s' {1..34})"'"}
{"confidence":80,"reason":"[name] calls me ms [name]"}'
ok 'and nowhere told' python3 -B tests/system/bundle.py names "$TMPDIR/fields" 'Adalinde Brownfield' Vanterpool
ok 'which is whole' quiet "$bl" contest verify "$TMPDIR/fields"
is 'they are counted' "$(grep -c '^acts,fields,another text,2' "$TMPDIR/fields/redactions.csv")" 1

# Each session that was held has its row, with its own reason, messages and keys, though its meeting is void:
# of J1 two are spoiled, of J2 the ballot was taken back, of J3 the record alone says so, J4 met nobody.
contest_new "$TMPDIR/rehearsal.ini" 4 4
contest_draw && contest_reveal
{
    contest begin 1
    while read -r judge pair; do
        contest ballot "$judge" "$pair" 70:30
    done < <(contest show | sed -n 's/^  round 1,//p' | grep -o 'J[12]E[0-9]*C[0-9]*' | sed 's/E/ E/')
    contest repeat r1-j1 --why 'a cable'
    contest repeat r1-j1-2 --why 'the lamp'
    contest undo ballot r1-j2 --why 'too late'
    for judge in J1 J2 J3 J4; do contest withdraw "$judge" --why 'a train'; done
    contest seal --why 'it is over'
    mkdir "$TMPDIR/void"
    for session in r1-j1 r1-j1-2 r1-j2 r1-j3; do
        cp "$records/judge/r1-j1-judge.journal" "$TMPDIR/void/$session-judge.journal"
    done
} >/dev/null
ok 'a contest of void meetings is published' quiet contest publish --bundle "$TMPDIR/voids" --records "$TMPDIR/void"
is 'each session that was held is there, with its own reason' "$(cut -d, -f1,8,9,11 "$TMPDIR/voids/sessions.csv" | sed 1d)" \
    'r1-j1,no,a cable,yes
r1-j1-2,no,the lamp,yes
r1-j2,yes,,yes
r1-j3,yes,,yes'
for table in messages keys; do
    is "with its $table" "$(cut -d, -f1 "$TMPDIR/voids/$table.csv" | sed 1d | sort -u | xargs)" 'r1-j1 r1-j1-2 r1-j2 r1-j3'
done
whole=$(b2sum -l 256 <"$TMPDIR/voids/hashes" | cut -d' ' -f1)
ok 'which is whole' quiet "$bl" contest verify "$TMPDIR/voids"
ok 'a stranger finds it so' python3 -B tests/contests/stranger.py "$TMPDIR/voids" "$whole"
ok 'and another one' python3 -B tests/contests/verifier.py "$TMPDIR/voids/contest.json"
ok 'without records it is published too' quiet contest publish --bundle "$TMPDIR/bare"
is 'the acts know of three' "$(cut -d, -f1 "$TMPDIR/bare/sessions.csv" | sed 1d | xargs)" 'r1-j1 r1-j1-2 r1-j2'
ok 'and that is whole' quiet "$bl" contest verify "$TMPDIR/bare"

# The person of the session when it was held is not the one who came afterwards.
contest_new loebner-2004 4 4
contest_draw && contest_reveal
{
    contest begin 1
    contest repeat r1-j1 --why 'a cable'
    contest substitute J1 'Ada New' --now --why ill
    contest repeat r1-j1-2 --why 'the lamp'
    contest substitute J1 'Bea New' --now --why ill
    contest seal --why 'it is over'
    contest publish --bundle "$TMPDIR/sat"
} >/dev/null
is 'each session has its own judge' "$(cut -d, -f1,5 "$TMPDIR/sat/sessions.csv" | grep '^r1-j1' | xargs)" \
    'r1-j1,J1.1 r1-j1-2,J1.2 r1-j1-3,J1'

# A difference is told once, at its place.
# planted COMMAND...: what the check says of a copy in which the command was done, all but the bundle's hash.
planted() {
    rm -rf "$TMPDIR/copy"
    cp -r "$TMPDIR/voids" "$TMPDIR/copy"
    (cd "$TMPDIR/copy" && "$@" && b2sum -l 256 -- *.* >hashes.new && mv hashes.new hashes)
    "$bl" contest verify "$TMPDIR/copy" 2>/dev/null | grep -v '^bundle: '
}
row=$(grep -n '^r1-j2,' "$TMPDIR/voids/sessions.csv" | cut -d: -f1)
last=$(jq -r '.acts[-1].hash' "$TMPDIR/voids/contest.json")
acts=$(jq '.acts | length' "$TMPDIR/voids/contest.json")
for form in csv jsonl; do
    is "a row of sessions.$form less" "$(planted sed -i '/r1-j2\b/d' "sessions.$form")" \
        "differs: sessions.$form: line $((row - (${#form} > 3))) does not follow from the acts
acts: $acts, the last has $last"
done
is 'one that the record alone has' "$(planted sed -i '/^r1-j3,/d' sessions.csv)" \
    "differs: sessions.csv: line $((row + 1)) does not follow from the acts
acts: $acts, the last has $last"
break_act() { jq '(.acts[4].at_us) += 1' contest.json >new && mv new contest.json; }
is 'behind a broken act no hash is told' "$(planted break_act | sed 's/^\(differs: contest.json: act [0-9]*\).*/\1/')" \
    'differs: contest.json: act 5
acts: 5, up to what is wrong in them'
rm "$TMPDIR/voids/codebook.csv"
is 'a file that is missing is told once' "$("$bl" contest verify "$TMPDIR/voids" 2>/dev/null | grep -c '^differs: codebook.csv: ')" 1
rm "$TMPDIR/voids/contest.json"
is 'so is that of the acts' "$("$bl" contest verify "$TMPDIR/voids" 2>/dev/null | grep -c '^differs: contest.json: ')" 1

# Contests of an earlier version were hashed with their names.
cp tests/fixtures/dbf5fc4/loebner-2009.db "$file"
chmod u+w "$file"
contest seal --why 'it is over' >/dev/null
ok 'an old contest says so' grep -q 'acts are told without their hashes' <(contest publish --bundle "$TMPDIR/old")
is 'and has no hash' "$(jq '[.acts[].hash | values] | length' "$TMPDIR/old/contest.json")" 0
ok 'and is checked for the rest' grep -q 'without hashes, of an older contest' <("$bl" contest verify "$TMPDIR/old")
contest publish --bundle "$TMPDIR/old-named" --named all >/dev/null
ok 'or it is published with names and hashes' quiet "$bl" contest verify "$TMPDIR/old-named"
is 'the last as ever' "$(jq -r '.acts[-1].hash' "$TMPDIR/old-named/contest.json")" "$(contest verify --json | jq -r .last)"
plan
