#!/bin/bash
# A contest from two files: the templates of all rules with their names filled in are taken; what is
# missing is said at once; sticks, keys, and what an earlier writing left; killed at any moment.
. tests/tap.sh
. tests/support/killed.sh
. tests/support/venue.sh

bl=$BUILD/boothlink

setup() { "${@:2}" "$bl" contest setup "$1/people.ini" "$1/venue.ini"; }
kinds() { "$bl" contest export "$1/contest.db" --json | jq -r '.acts[].kind' | uniq -c | xargs; }

# whole FOLDER: are its sticks?
whole() { perl tests/system/sticks.pl "$1"; }

for rules in loebner-1996 loebner-2003 loebner-2004 loebner-2009 longbet-2002; do
    work=$TMPDIR/$rules
    "$bl" contest template --ruleset $rules --booths 4 "$work" >/dev/null
    empty=$(grep -nE '^(name|[a-z]+[0-9]+(\.(rights|receipt|unknown|age))?) =$' "$work/people.ini" | cut -d: -f1)
    missing=$(setup "$work" 2>&1)
    is "$rules: an empty template is refused" $? 65
    for line in $empty; do
        grep -q "people.ini:$line: .*missing" <<<"$missing" || break
    done
    is "$rules: each line that is empty is named" "$line" "${empty##*$'\n'}"
    is "$rules: each once" "$(grep -oE 'people.ini:[0-9]+' <<<"$missing" | sort | uniq -d)$(grep -oE '[a-z]+[0-9]+\.[a-z]+' <<<"$missing" | sort | uniq -d)" ''
    is "$rules: no statement of a person's is made in it" \
        "$(grep -cE '^[a-z]+[0-9]+\.[a-z]+ = ' "$work/people.ini")" 0
    is "$rules: and nothing was done" "$(find "$work" -type f -printf '%f\n' | sort | xargs)" \
        'people.ini venue.ini'
    people_fill "$work"
    cp "$work/people.ini" "$TMPDIR/people.ini"
    sed -i -E '/^\[dates\]/,/^\[people\]/s/^; ([a-z-]+ = [0-9]{4}-)/\1/' "$work/people.ini"
    ok "$rules: with names, and its days without the ;, it is taken" quiet setup "$work"
    rm -rf "$work"/contest.db* "$work/sticks"
    cp "$TMPDIR/people.ini" "$work/people.ini"
    ok "$rules: with the names alone it is taken" quiet setup "$work"
    ok "$rules: the sticks are whole" whole "$work"
    ok "$rules: the contest is sound" quiet "$bl" contest verify "$work/contest.db"
    before=$(kinds "$work")
    setup "$work" >/dev/null
    is "$rules: a second time adds nothing" "$(kinds "$work")" "$before"
done
is 'what was done' "$before" \
    '1 contest 7 person 1 commit 1 schedule 1 seed'

# Each commented line may be uncommented as it stands, and rules may be a file.
rm -rf "$work"
"$bl" contest rulesets loebner-2009 | sed 's/^name = .*/name = ours/' >"$TMPDIR/ours.ini"
"$bl" contest template --ruleset "$TMPDIR/ours.ini" --booths 4 "$work" >"$TMPDIR/said"
people_fill "$work"
sed -i -E '/^\[dates\]/,/^\[people\]/s/^; ([a-z-]+ = [0-9]{4}-)/\1/' "$work/people.ini"
sed -i -E '/^\[venue\]/,/^\[machines\]/s/^; ([a-z-]+ = )/\1/' "$work/venue.ini"
ok 'a template of a file of rules is taken, with days and choices uncommented' quiet setup "$work"
ok 'and what comes next can be pasted' grep -q '^Next: boothlink contest setup ' "$TMPDIR/said"

# A contest's own days, of which the template has the names.
work=$TMPDIR/dates
"$bl" contest template --ruleset loebner-2003 --booths 4 "$work" >/dev/null
people_fill "$work"
is 'days are named in the template' "$(grep '^; closes = .* ; 2003 r11$' "$work/people.ini")" \
    "; closes = $(date -u +%F -d '+90 days') ; 2003 r11"
sed -i 's/^; closes = .*/closes = 2020-06-30/' "$work/people.ini"
line=$(grep -n '^entry1 =' "$work/people.ini" | cut -d: -f1)
ok 'an Entry after its day is refused, with its line' grep -qF \
    "people.ini:$line: [people] entry1: the Entry is late: the last day was 2020-06-30 (2003 r11); entry1.why" \
    <(setup "$work" 2>&1)
sed -i 's/^closes = .*/closes = 2020-06-31/' "$work/people.ini"
line=$(grep -n '^closes' "$work/people.ini" | cut -d: -f1)
ok 'so is a day that is none' grep -qF "people.ini:$line: [dates] closes = 2020-06-31: expected a day" \
    <(setup "$work" 2>&1)
sed -i 's/^closes = .*/closes = 2099-06-30/' "$work/people.ini"
ok 'days that hold are taken' quiet setup "$work"
is 'and stand in the contest' "$("$bl" contest dates "$work/contest.db" | grep -c '^closes 2099-06-30 (2003 r11)')" 1
before=$(kinds "$work")
setup "$work" >/dev/null
is 'a second time adds nothing' "$(kinds "$work")" "$before"
"$bl" contest substitute "$work/contest.db" J1 'Gil Hart' --why ill >/dev/null
ok 'after a substitute it says where the name belongs' grep -q \
    'in the contest it is Gil Hart: write that here, or contest rename where' <(setup "$work" 2>&1)

# Templates on booths and times.
"$bl" contest template --ruleset loebner-2003 --booths 2 "$TMPDIR/two-booths" >"$TMPDIR/said" 2>&1
is 'too few booths: how many are enough' "$? $(<"$TMPDIR/said")" '65 boothlink contest template: 2 booths: the rules of loebner-2003 want 2 Entries and 1 confederate at least: expected --booths 3 or more'
"$bl" contest template --ruleset loebner-2009 --booths 9 "$TMPDIR/two-booths" >"$TMPDIR/said" 2>&1
is 'too many' "$? $(<"$TMPDIR/said")" '65 boothlink contest template: 9 booths: the rules of loebner-2009 have 4 Entries at most: expected --booths 4 or fewer'
"$bl" contest template --ruleset loebner-2009 --booths 2 "$TMPDIR/two-booths" >"$TMPDIR/said"
is 'where the rules demand Entries that speak LPP, theirs do' \
    "$(grep -c '^entry[12]\.lpp = lpp' "$TMPDIR/two-booths/venue.ini")" 2
is 'two booths: that half of all are idle' "$(grep -c '^note: 2 booths take 4 rounds of one session each' "$TMPDIR/said")" 1
"$bl" contest template --ruleset loebner-2003 --booths 3 "$TMPDIR/three-booths" >"$TMPDIR/said"
is 'no start where rounds have no length' "$(grep -c '^start' "$TMPDIR/three-booths/venue.ini") $(grep -c '^; No start and no breaks' "$TMPDIR/three-booths/venue.ini")" '0 1'

# All faults of both files by line, each at its field's where that is there.
sed -i '/booth1.judge-b/d' "$TMPDIR/two-booths/venue.ini"
people_fill "$TMPDIR/two-booths"
sed -i 's/^name = .*/name =/; s/entry1.rights = yes/entry1.rights = no/; s/entry2.receipt = yes/entry2.receipt = no/' "$TMPDIR/two-booths/people.ini"
"$bl" contest setup "$TMPDIR/two-booths/people.ini" "$TMPDIR/two-booths/venue.ini" >"$TMPDIR/said" 2>&1
at() { grep -n "$1" "$TMPDIR/two-booths/people.ini" | cut -d: -f1; }
is 'faults come by file and line' "$(sed -n "s|^boothlink contest setup: $TMPDIR/two-booths/||p" "$TMPDIR/said" | cut -d' ' -f1 | paste -sd' ')" \
    "people.ini:$(at '^name'): people.ini:$(at '^entry1.rights'): people.ini:$(at '^entry2.receipt'): venue.ini:$(grep -n '^.machines' "$TMPDIR/two-booths/venue.ini" | cut -d: -f1):"

# What is missing is said at once, with file and line.
work=$TMPDIR/faults
mkdir "$work"
cp "$TMPDIR/loebner-2009"/*.ini "$work"
sed -i '/^judge2 =/d; s/^entry1.rights = yes/entry1.rights = perhaps/; s/^entry3 = .*/entry3 = The entry 2/
    $a judge1 judge = x' "$work/people.ini"
sed -i '/^booth2.entity-b/d; s/^booth3.judge-a/booth3.judge-c/; $a entry3.style = none' "$work/venue.ini"
number() { grep -nE "$1" "$2" | cut -d: -f1; }
last_people=$(wc -l <"$work/people.ini")
setup "$work" >"$TMPDIR/said" 2>&1
is 'faults stop it' $? 65
is 'nine of them' "$(grep -c ': \[' "$TMPDIR/said")" 9
while read -r fault; do
    ok "said with its line: $fault" grep -qF "$work/$fault" "$TMPDIR/said"
done <<END
people.ini:$last_people: [conflicts] judge1 judge: expected
people.ini:$last_people: [people] judge2 is missing
people.ini:$(number '^entry1.rights' "$work/people.ini"): [people] entry1.rights: 'perhaps'
people.ini:$(number '^entry1 =' "$work/people.ini"): [people] entry1: missing entry1.rights
people.ini:$(number '^entry3 =' "$work/people.ini"): [people] entry3: E1 is called
venue.ini:$(number '^booth3.judge-c' "$work/venue.ini"): [machines] booth3.judge-c: no such
venue.ini:$(number '^\[machines' "$work/venue.ini"): [machines] booth2.entity-b is missing
venue.ini:$(number '^\[machines' "$work/venue.ini"): [machines] booth3.judge-a is missing
venue.ini:$(number '^entry3.style' "$work/venue.ini"): [machines] entry3.style: style
END
is 'and nothing was done' "$(find "$work" -type f | wc -l)" 2

# A section that is none is told once, at its heading; two files that are swapped are called so.
work=$TMPDIR/sections
mkdir "$work"
cp "$TMPDIR/loebner-2009"/{people,venue}.ini "$work"
sed -i 's/^\[people\]/[poeple]/' "$work/people.ini"
is 'a section that is none is called one, once' "$(setup "$work" 2>&1 | grep -F 'poeple')" \
    "boothlink contest setup: $work/people.ini:$(number '^\[poeple' "$work/people.ini"): [poeple]: no such section: expected one of [contest], [draw], [dates], [people], [conflicts]"
said=$("$bl" contest setup "$work/venue.ini" "$TMPDIR/loebner-2009/people.ini" 2>&1)
is 'two files that are swapped are called so' "$?:$said" "64:boothlink contest setup: $work/venue.ini:$(number '^\[machines' "$work/venue.ini"): [machines]: the two files are swapped: expected boothlink contest setup $TMPDIR/loebner-2009/people.ini $work/venue.ini; nothing was done"
is 'and nothing was done' "$(find "$work" -type f | wc -l)" 2

# What a machine would refuse in the morning, and ends of a cable that do not fit, are told here.
work=$TMPDIR/ports
mkdir "$work"
cp "$TMPDIR/loebner-2009"/{people,venue}.ini "$work"
sed -i 's|^booth1.judge-a = .*|booth1.judge-a = /dev/ttyUSB0|; s|^booth1.judge-b = .*|booth1.judge-b = serial:/dev/ttyUSB1@12|
    s|^booth2.judge-a = .*|booth2.judge-a = ether:eth0|; s|^booth2.entity-b = .*|booth2.entity-b = serial:ttyUSB0@9600|
    s|^booth3.judge-b = .*|booth3.judge-b = serial:ttyUSB0|; s|^booth4.judge-a = .*|booth4.judge-a = ether:eth0/a|
    s|^booth4.entity-a = .*|booth4.entity-a = ether:eth0|
    $a entry1.turn-end = return\nentry2.program-io = tty\nentry3.comms-turn-end = LF\nentry4.busy = join' "$work/venue.ini"
said=$(setup "$work" 2>&1)
is 'ports and words that are none stop it' "$? $(grep -c 'venue.ini:[0-9]*: ' <<<"$said")" '65 10'
while IFS='|' read -r key fault; do
    ok "said with its line: $key$fault" grep -qF "$work/venue.ini:$(number "^$key =" "$work/venue.ini"): [machines] $key$fault" <<<"$said"
done <<'END'
booth1.judge-a|: port '/dev/ttyUSB0': a port is written serial:DEVICE
booth1.judge-b|: serial:/dev/ttyUSB1@12: the speed '12': expected
booth2.entity-a| is serial, and booth2.judge-a at the other end is ether: expected one kind at both ends
booth2.entity-b| has 9600 baud, and booth2.judge-b at the other end 115200: expected one speed
booth3.judge-b| is the port of booth3.judge-a: expected another one for each cable
booth4.entity-a| is the line 'line', and booth4.judge-a at the other end 'a': expected one name
entry1.turn-end| = return: expected lf, cr, crlf or two-returns
entry2.program-io| = tty: expected pty or pipe
entry3.comms-turn-end| = LF: expected lf, cr, crlf or two-returns
entry4.busy|: expected it beside 'chat = URL'
END
is 'and nothing was done' "$(find "$work" -type f | wc -l)" 2

# Times, Entries that are not there, and a value that nobody states.
work=$TMPDIR/times
mkdir "$work"
cp "$TMPDIR/loebner-2009"/{people,venue}.ini "$work"
sed -i 's/^start = .*/start = 25:00/; s/^; breaks = .*/breaks = lunch/; $a entry9.comms = x\nentry9.program = ./x' "$work/venue.ini"
sed -i 's/^; public = .*/public = numbers of the lottery/; s/^; value = .*/value = 3 14/' "$work/people.ini"
said=$(setup "$work" 2>&1)
is 'a time, breaks, an Entry and a value that are none stop it' "$? $(grep -c '.ini:[0-9]*: ' <<<"$said")" '65 4'
while IFS='|' read -r file key fault; do
    ok "said with its line: $fault" grep -qF "$work/$file:$(number "^$key =" "$work/$file"): $fault" <<<"$said"
done <<'END'
venue.ini|start|[venue] start '25:00': expected a time of day
venue.ini|breaks|[venue] breaks 'lunch': expected ROUND=MINUTES
venue.ini|entry9.comms|[machines] entry9: there is no Entry 9 in
people.ini|value|[draw] by is missing: expected who states the value
END
sed -i 's/^start = .*/start = 10:00/; s/^breaks = .*/breaks = 1=5,7=60/; /^entry9/d' "$work/venue.ini"
sed -i '/^public =/d; /^value =/d' "$work/people.ini"
is 'so does a break behind the last round' "$(setup "$work" 2>&1 | head -1)" \
    "boothlink contest setup: $work/venue.ini:$(number '^breaks' "$work/venue.ini"): [venue] breaks: 7 is not before the last of 7 rounds: expected a round that another one follows"
is 'and nothing was done' "$(find "$work" -type f | wc -l)" 2

# What would be found with the seed drawn already is found before anything is done.
work=$TMPDIR/early
mkdir "$work"
cp "$TMPDIR/loebner-2009"/{people,venue}.ini "$work"
"$bl" contest rulesets loebner-2009 | sed '/^style = /d; s/^\[session\]$/&\nstyle = none/' >"$work/ours.ini"
sed -i 's/^ruleset = .*/ruleset = ours.ini/' "$work/people.ini"
sed -i 's/^\[venue\]$/&\npace = fast/' "$work/venue.ini"
setup "$work" >"$TMPDIR/said" 2>&1
is 'a pace and a style that are none stop it' \
    "$? $(grep -c 'venue.ini:[0-9]*: \[venue\] pace' "$TMPDIR/said") $(grep -c 'people.ini:[0-9]*: .*\[session\] style' "$TMPDIR/said")" '65 1 1'
sed -i 's/^ruleset = .*/ruleset = loebner-2009/' "$work/people.ini"
sed -i 's/^pace = .*/pace = message/; $a entry1.style = web\nentry2.comms = ./comms' "$work/venue.ini"
setup "$work" >"$TMPDIR/said" 2>&1
is 'nor what the rules do not allow' "$? $(grep -oE \
    'pace is|entry[12]\.[a-z]*: (these rules have one|the rules of [^ ]* know no)' "$TMPDIR/said" | paste -sd,)" \
    '65 pace is,entry1.style: these rules have one,entry2.comms: the rules of loebner-2009 know no'
is 'and nothing was done' "$(find "$work" -type f | wc -l)" 3
cp "$TMPDIR/loebner-2009"/{people,venue}.ini "$work"
echo 'a letter' >"$work/contest.db"
is "a contest's file that is none" "$(setup "$work" 2>&1)" \
    "boothlink contest setup: $work/contest.db: expected a contest's file, as setup makes it"
is 'stays as it is' "$(<"$work/contest.db")" 'a letter'
is 'so is one that there is not, and a folder' "$("$bl" contest show "$work/none.db" 2>&1; "$bl" contest show "$work" 2>&1)" \
    "boothlink contest show: $work/none.db: No such file or directory
boothlink contest show: $work: a folder; expected a contest's file"

# A public value for the draw: the first run commits, the second draws.
work=$TMPDIR/public
mkdir "$work"
cp "$TMPDIR/loebner-2009"/*.ini "$work"
sed -i 's/^; public = .*/public = numbers of the lottery/' "$work/people.ini"
ok 'with a public value that is not known yet' grep -q '^When numbers of the lottery is known' \
    <(setup "$work")
is 'it commits and draws nothing' "$(kinds "$work")" '1 contest 12 person 1 commit 1 schedule'
ok 'and writes no tickets' test ! -e "$work/sticks"
sed -i 's/^; value = .*/value = 3 14 15/; s/^; by = .*/by = A. Notary/' "$work/people.ini"
ok 'with the value filled in it draws' quiet setup "$work"
is 'with that value' "$("$bl" contest export "$work/contest.db" --json |
    jq -r '.acts[-1] | .kind, .body.value, .body.by' | xargs)" 'seed 3 14 15 A. Notary'
ok 'and writes the sticks' whole "$work"

# Ethernet lines get their keys, the referee his; what is not ours on a stick stays.
work=$TMPDIR/keys
"$bl" contest template --ruleset loebner-2009 --booths 2 "$work" >/dev/null
people_fill "$work"
sed -i 's/^booth1.\(judge\|entity\)-\([ab]\) = .*/booth1.\1-\2 = ether:eth0\/\2/
    s/^; referee = .*/referee = yes/; s/^; begin = .*/begin = ready/
    /^entry2.program/d; s/^entry2.lpp = .*/entry2.lpp = \/srv\/lpp/' "$work/venue.ini"
ok 'a venue with two Ethernet lines and a referee' quiet setup "$work"
ok 'its sticks are whole' whole "$work"
is 'each end of an Ethernet line has its key' "$(find "$work/sticks" -name 'line*.key' | wc -l)" 4
for key in "$work"/contest.db.keys/booth-1-?.key; do ok 'a good one' quiet "$bl" key check "$key"; done
is "an Entry that speaks LPP: its two sessions' tickets" \
    "$(grep -rlx 'lpp = /srv/lpp' "$work/sticks/back-room" | wc -l)" 2
is 'sessions begin when all are there, as every judge has it' \
    "$(grep -rLx 'begin = ready' "$work/sticks/judges-room" --include='*.ticket')" ''
is "the referee's public key is with the judges alone" "$(find "$work/sticks" -name referee.pub |
    sed 's|.*/boothlink/||' | sort | xargs)" 'booth-1-judge/referee.pub booth-2-judge/referee.pub'
is 'nobody else may read a stick' "$(find "$work/sticks" -perm /077)" ''
is 'no judge has the secret one, nor what is for the back room' \
    "$(find "$work/sticks" -name 'referee.key' -o -path '*judges*' -name '*cable*')" ''
before=$(cat "$work"/contest.db.keys/*.key | cksum)
judges=$work/sticks/judges-room/boothlink
mkdir -p "$judges/records/booth-1-judge"
touch "$judges/records/booth-1-judge/own.txt" "$judges/booth-1-judge/own.txt"
"$bl" contest withdraw "$work/contest.db" J2 --why ill >/dev/null
"$bl" contest schedule "$work/contest.db" >/dev/null
tickets() { "$bl" contest tickets "$work/contest.db" --venue "$work/venue.ini" --out "$work/sticks"; }
ok 'tickets again, for fewer sessions' quiet tickets
ok 'the old ones are gone' whole "$work"
is 'what is not ours stays' "$(find "$judges" -name own.txt | wc -l)" 2
is 'the keys are the same' "$(cat "$work"/contest.db.keys/*.key | cksum)" "$before"
sed -i '1s/complete/writing/; $d' "$judges/stick.list"
printf 'x' >"$judges/$(sed -n '2s/.* //p' "$judges/stick.list")"
ok 'a stick that was not written to its end is written again' quiet tickets
ok 'and is whole' whole "$work"

# Run again with a file that says more, and otherwise: what the rules allow is done, also after the
# first round, and the rest is said with its line.
kept=$work work=$TMPDIR/later
mkdir "$work"
cp "$TMPDIR/loebner-2003"/*.ini "$work"
setup "$work" >/dev/null
line() { grep -n "^$1 =" "$work/people.ini" | cut -d: -f1; }
more() { # SED
    sed -i "$1" "$work/people.ini"
    said=$(setup "$work" 2>&1)
}
more 's/^judge1 = .*/&\njudge1.family = Mo Judge, Cy Judge/'
ok "a judge's family that is known later is recorded" grep -qx 'done: family or team of J1 recorded' <<<"$said"
more 's/^judge2 = .*/&\njudge2.family = The Author/; s/^entry1.submitter = .*/entry1.submitter = The Author/'
ok 'an entrant who is somebody else now is refused' grep -qF \
    "people.ini:$(line entry1): [people] entry1.submitter was said otherwise" <<<"$said"
sed -i "s/^entry1.submitter = .*/$(grep '^entry1.submitter' "$TMPDIR/loebner-2003/people.ini")/" "$work/people.ini"
more "s/^judge2.family = .*/judge2.family = $(sed -n 's/^entry1.submitter = //p' "$work/people.ini")/"
ok 'so are interests that the rules forbid' grep -qE \
    "people.ini:$(line judge2): \[people\] judge2: .*families and immediate associates.* \(2003 r41\)" <<<"$said"
"$bl" contest begin "$work/contest.db" 1 >/dev/null
last=$(grep -oE '^judge[0-9]+ ' "$work/people.ini" | tail -1)
more "/^judge2.family/d; s/^judge1.family = .*/&,Di Judge/; /^$last=/d"
ok 'after the first round, too' grep -qx 'done: family or team of J1 recorded' <<<"$said"
ok 'and who is taken out of the file is in the contest still' grep -q "\[people\] ${last% } is not here, and .* stays in the contest: contest withdraw" <<<"$said"
echo 'judge1 entry2 = cousins' >>"$work/people.ini"
more ''
ok 'a conflict, too' grep -qx 'done: J1 and E2 will not meet' <<<"$said"
work=$kept

# Where the venue's file and the sticks are is known from setup, also when the folder has moved.
cp -r "$work" "$TMPDIR/moved"
rm -r "$TMPDIR/moved/sticks"
ok 'tickets need not be told where' quiet "$bl" contest tickets "$TMPDIR/moved/contest.db"
ok 'they are where setup wrote them' whole "$TMPDIR/moved"
is 'nor sheets' "$("$bl" contest sheet "$TMPDIR/moved/contest.db" 2>/dev/null | cksum)" \
    "$("$bl" contest sheet "$work/contest.db" --venue "$work/venue.ini" 2>/dev/null | cksum)"
rm "$TMPDIR/moved/contest.db.setup"
is 'without that they ask' "$("$bl" contest tickets "$TMPDIR/moved/contest.db" 2>&1)" \
    'boothlink contest tickets: missing --venue FILE and --out DIR'

# The next trial of the long bet.
bet=$TMPDIR/bet
"$bl" contest template --ruleset longbet-2002 --booths 4 "$bet" >/dev/null
people_fill "$bet"
quiet setup "$bet"
run_trial() { "$@" "$bl" contest setup "$run/people.ini" "$run/venue.ini" --trial; }
run=$bet
said=$(run_trial env 2>&1)
is 'no trial before the first is over' "$? $(grep -c 'trial 1 is not over: 0 of its 4 rounds' <<<"$said")" '65 1'
for round in 1 2 3 4; do "$bl" contest begin "$bet/contest.db" $round >/dev/null; done
cp -r "$bet" "$TMPDIR/begun"
ok 'the next trial' quiet run_trial
second() {
    whole "$run" && [[ $("$bl" contest show "$run/contest.db" | grep -c '  trial 2, *round [5-8]:') == 4 &&
        $(kinds "$run") == *'4 begin 1 trial 1 schedule 1 commit 1 seed' &&
        $(cd "$run/sticks/judges-room/boothlink" && echo */*.ticket | tr ' ' '\n' | sed 's|.*/||' | sort -u | xargs) == \
            '004.ticket 005.ticket 006.ticket 007.ticket 008.ticket' ]]
}
ok 'has its schedule and its tickets' second
ok 'asked for once more' quiet run_trial
ok 'it is the same' second

# Killed anywhere.
if strace -o "$TMPDIR/trace" true 2>"$TMPDIR/why"; then
    run=$TMPDIR/run
    prepare_new() {
        rm -rf "$run"
        mkdir "$run"
        cp "$TMPDIR/two"/*.ini "$run"
    }
    run_setup() { setup "$run" "$@"; }
    drawn() {
        whole "$run" && [[ $(kinds "$run") == '1 contest 6 person 1 conflict 1 commit 1 schedule 1 seed' ]]
    }
    "$bl" contest template --ruleset loebner-2004 --booths 2 "$TMPDIR/two" >/dev/null
    people_fill "$TMPDIR/two"
    sed -i 's/^; judge1 confederate2/judge1 confederate2/' "$TMPDIR/two/people.ini"
    sed -i 's/^; referee = .*/referee = yes/' "$TMPDIR/two/venue.ini"
    killed setup prepare_new run_setup drawn

    better=$TMPDIR/better # drawn once: each run has the same tickets
    cp -r "$work" "$better"
    sed -i 's/^begin = .*/begin = key/' "$better/venue.ini"
    "$bl" contest undo "$better/contest.db" withdraw J2 --why better >/dev/null
    "$bl" contest schedule "$better/contest.db" >/dev/null
    prepare_tickets() { rm -rf "$run" && cp -r "$better" "$run"; }
    run_tickets() { "$@" "$bl" contest tickets "$run/contest.db" --venue "$run/venue.ini" --out "$run/sticks"; }
    whole_run() { whole "$run"; }
    killed tickets prepare_tickets run_tickets whole_run
    prepare_trial() { rm -rf "$run" && cp -r "$TMPDIR/begun" "$run"; }
    killed 'setup --trial' prepare_trial run_trial second
    prepare_empty() { rm -rf "$run" && mkdir "$run"; }
    run_new() { "$@" "$bl" contest new "$run/contest.db" --name x --ruleset loebner-2004; }
    is_new() { [[ $(kinds "$run") == '1 contest' ]]; }
    again_new() { [[ -e $run/contest.db && $(kinds "$run" 2>/dev/null) == '1 contest' && ! $1 ]] || run_new "$@"; }
    killed new prepare_empty again_new is_new
    run_template() { [[ -e $run/venue.ini && ! $1 ]] || "$@" "$bl" contest template --ruleset loebner-2004 "$run"; }
    is_template() { people_fill "$run" && [[ $(wc -l <"$run/people.ini") -gt 30 ]] && quiet setup "$run"; }
    killed template prepare_empty run_template is_template
else
    skip 'killed at any moment' "strace may not trace here: $(head -n 1 "$TMPDIR/why")"
fi
plan
