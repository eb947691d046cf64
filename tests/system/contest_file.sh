#!/bin/bash
# Contests from the first name to the result, by the manager's command: what is kept, what is refused
# with its rule, and that the file tells all of it again.
. tests/tap.sh
. tests/support/contest.sh
. tests/support/ballots.sh

# begin RULESET JUDGES ENTRIES CONFEDERATES: up to where all rounds have begun.
begin() {
    contest_new "$@" && contest_draw && contest_reveal && contest_begin
}

ok '2004: four of each' begin loebner-2004 4 4 4
is 'the table that the rules print' "$(meetings | wc -l)" 16
vote_2004() { # E2 gets most of the points from two judges
    local meeting judge pair
    for meeting in $(meetings); do
        judge=${meeting%%E*} pair=E${meeting#*E}
        case $meeting in
        J[12]E2*) contest ballot "$judge" "$pair" 60:40 ;;
        J3E1*) contest ballot "$judge" "$pair" 51:49 ;;
        *) contest ballot "$judge" "$pair" 30:70 ;;
        esac || return
    done
} >/dev/null
ok 'sixteen ballots' vote_2004
refused 65 'voted on this session already' ballot J1 E1C1 30:70
refused 65 'is a tie' ballot J1 E1C1 50:50 --correct
refused 65 'no session with these two' ballot J1 E1C2 60:40
refused 64 'points such as 60:40' ballot J1 E1C1 sixty
refused 64 'E1 for an Entry' ballot 1 E1C1 60:40
is 'E2 wins, and silver' \
    "$(contest result --json | jq -c '[.outcome, .winner, .silver, .ballots_missing]')" \
    '["won",2,true,0]'
is 'each step has its rule' "$(contest result | grep -c '^\[2004 B[1-4]\] ')" 7
contest seal >/dev/null
refused 65 'sealed' ballot J1 E1C1 31:69 --correct
refused 65 'the contest is sealed already' seal --why again
ok 'it verifies' contest verify
is 'it was told in its order' \
    "$(contest export --json | jq -c '[.acts | length, .[0].kind, (map(.kind) | unique | length)]')" \
    '[40,"contest",8]'
is 'a list of ballots' "$(ballot_table | awk -F, '$1 == 1 && $2 == 2')" '1,2,2,60,40,,'

ok '2009: four of each' begin loebner-2009 4 4 4
refused 65 'missing: 16 ballots; none can be given after the seal' seal
ok 'what comes next is said' grep -q '^Next: boothlink contest collect .*  # 16 ballots are missing' <(contest show)
vote_2009() {
    local meeting judge pair
    for meeting in $(meetings); do
        judge=${meeting%%E*} pair=E${meeting#*E}
        case $meeting in
        J1E1* | J2E2*) contest ballot "$judge" "$pair" entry ;;
        *) contest ballot "$judge" "$pair" confederate ;;
        esac || return
    done
} >/dev/null
ok 'sixteen verdicts' vote_2009
is 'E1 and E2 are equal, and no ranks are there' \
    "$(contest result --json | jq -c '[.outcome, .winner]')" '["tied",null]'
refused 65 'not judged non-human' rank J1 E1=4 E2=3 E3=2 E4=1
refused 65 'missing: the ranks of 4 judges; none can be given after the seal' seal
ok 'judge 1 ranks: C1 was taken for a machine' contest rank J1 C1=1 E2=4 E3=2 E4=3
refused 65 'has ranked already' rank J1 C1=1 E2=4 E3=2 E4=3
refused 65 'expected 4' rank J2 E1=1 C1=2 E3=3
ok 'judge 2 ranks' contest rank J2 E1=3 C1=1 E3=2 E4=4
is 'nobody wins while ranks are to come (§3b)' \
    "$(contest result --json | jq -c '[.outcome, .winner]')" '["tied",null]'
ok 'judge 3 ranks' contest rank J3 E1=1 E2=4 E3=2 E4=3
ok 'judge 4 ranks' contest rank J4 E1=1 E2=4 E3=3 E4=2
is 'the mean ranks decide: E2 has 4, E1 5/3' \
    "$(contest result --json | jq -c '[.outcome, .winner]')" '["won",2]'

ok '2003: five judges, two Entries, one confederate' begin loebner-2003 5 2 1
vote_2003() {
    local judge
    for judge in J1 J2 J3 J4 J5; do
        contest ballot "$judge" E1 3.5 && contest ballot "$judge" E2 3.5 &&
            contest ballot "$judge" C1 4 || return
    done
} >/dev/null
ok 'fifteen ratings' vote_2003
refused 65 'from 0 to 5' ballot J1 E1 5.5 --correct
is 'a tie' "$(contest result --json | jq -c '[.outcome, .winner]')" '["tied",null]'
refused 65 'the judges confer first, and the coin is tossed if they have no majority' coin commit
is 'they confer, and have no majority' "$(contest confer E1 --votes 2:3 | head -1)" \
    'recorded: the judges have no majority'
ok 'which the result says' grep -qF '[2003 r50] E1, E2 are equal for place 1; the judges conferred, without a majority' \
    <(contest result)
contest coin commit >/dev/null
ok 'the coin is committed to, and tossed' contest coin toss
is 'the coin decides; bronze, since the confederate is above' \
    "$(contest result --json | jq -c '[.outcome, (.winner | . == 1 or . == 2), .silver]')" \
    '["won",true,false]'
refused 65 'tossed already' coin toss
refused 65 'the coin was tossed already, and it has the last word (2003 r50)' confer E1 --votes 5:0
winner=$(contest result --json | jq .winner)
refused 65 'no majority (2003 r43)' disqualify "E$winner" --votes 2:3 --why 'not compliant'
contest disqualify "E$winner" --votes 3:2 --why 'not compliant' >/dev/null
is 'the next takes its place (r59)' "$(contest result --json | jq .winner)" $((3 - winner))

# What is published, and what is erased.
refused 64 'missing --why' phrase 'bloody thing'
contest phrase 'Bloody thing' --why offensive >/dev/null
printf 'JUDGE01[10:00:00]Hello\nPROGRAM[10:00:05]You bloody THING, bloody thing!\n' \
    >"$TMPDIR/LP95-01.TXT"
is 'a phrase is not published (r17)' "$(contest publish "$TMPDIR/LP95-01.TXT")" \
    'JUDGE01[10:00:00]Hello
PROGRAM[10:00:05]You [phrase deleted], [phrase deleted]!'
mkdir "$TMPDIR/readable"
session=r$(contest show | sed -n 's/^  round \([0-9]*\)[^:]*:.*J1[EC].*/\1/p' | head -1)-j1
mv "$TMPDIR/LP95-01.TXT" "$TMPDIR/readable/$session.txt"
refused 64 'give --out DIR' publish "$TMPDIR/readable"
is 'a folder of them' "$(contest publish "$TMPDIR/readable" --out "$TMPDIR/published" | head -2 | cut -d, -f2)" \
    " in which 2 phrases are replaced
Next: boothlink contest report $file --transcripts $TMPDIR/published > report.html"
is 'none has it' "$(grep -ri bloody "$TMPDIR/published")" ''
is 'the report links them, and says why' "$(contest report --transcripts "$TMPDIR/published" |
    grep -oE "/$session.txt|The reasons: offensive")" "/$session.txt
The reasons: offensive"
# The transcripts themselves stay as they are, whatever folder is named for the copies.
kept=$(<"$TMPDIR/readable/$session.txt")
for out in readable readable/. published/../readable; do
    refused 64 'expected another folder than that of the transcripts' publish "$TMPDIR/readable" --out "$TMPDIR/$out"
done
for again in once twice; do
    is "copies in a folder of theirs, $again" "$(contest publish "$TMPDIR/readable" \
        --out "$TMPDIR/readable/public" | head -1 | cut -d' ' -f1)" 1
done
is 'they are all there' "$(cd "$TMPDIR/readable" && echo *)" "public $session.txt"
printf 'J1 013370152380273400 judge left H\n' >"$TMPDIR/readable/r99-j2.txt"
refused 65 'a line for each key' publish "$TMPDIR/readable/r99-j2.txt"
refused 65 'a line for each key' publish "$TMPDIR/readable" --out "$TMPDIR/published"
is 'nothing is made of what cannot be published' "$(cd "$TMPDIR/published" && echo *)" "$session.txt"
is 'and the transcripts are as they were' "$(<"$TMPDIR/readable/$session.txt")" "$kept"

# Whoever does something is recorded in UTF-8.
refused 64 '--author: expected UTF-8' phrase 'thing' --why offensive --author $'f\xfcr'
USER=$'f\xfcr' contest phrase 'ghastly thing' --why offensive >/dev/null
is 'no act is left out of an export' "$(contest export --json | jq '.acts | length')" "$(contest log | wc -l)"
contest seal >/dev/null
is 'what is to be erased is listed (r28)' "$(contest show | grep -c 'r28): E1 E2$')" 1
contest erased E1 --why 'disk wiped' >/dev/null
refused 65 'erased already' erased E1 --why again
is 'until it is' "$(contest show | grep -c 'r28): E2$')" 1

ok 'the long bet: three judges, a computer, three foils' begin longbet-2002 3 1 3
vote_bet() {
    local judge
    for judge in J1 J2 J3; do
        contest ballot "$judge" E1 human "$@" && contest ballot "$judge" C1 human "$@" &&
            contest ballot "$judge" C2 human "$@" && contest ballot "$judge" C3 machine "$@" &&
            contest rank "$judge" E1=3 C1=4 C2=1 C3=2 "$@" || return
    done
} >/dev/null
ok 'twelve verdicts and their ranks' vote_bet
is 'one trial makes no session' "$(contest result --json | jq -c '[.outcome, .trials[0]]')" \
    '["open",{"finished":true,"humans":3,"determination":true,"foils":2,"rank_order":true}]'
for trial in 2 3; do
    { contest trial && contest schedule; } >/dev/null
    for round in 3 2 1 0; do contest begin $((4 * trial - round)) >/dev/null; done
    ok "trial $trial" vote_bet --trial "$trial"
done
refused 64 'give --trial N: 3 trials have begun' ballot J1 E1 machine --correct
refused 64 '--trial 4: 3 have begun' ballot J1 E1 machine --correct --trial 4
ok 'a ballot of an earlier trial is corrected by its name' contest ballot J1 E1 machine --correct --trial 1
is 'and no other is' "$(contest result --json | jq -c '[.trials[].humans]')" '[2,3,3]'
is 'three trials are passed, so the session is' \
    "$(contest result --json | jq -c '[.outcome, (.trials | length)]')" '["passed",3]'
ok 'the report has their tables' grep -qF '<h3>Trial 3</h3>' <(contest report)

refused 65 'nothing be taken out' phrase 'x' --why y

# The screening: a program is asked, its clock is the contest's, the table is printed.
rm -f "$file" "$file".*
contest new --name 'A contest' --ruleset loebner-2009 >/dev/null
people 1 2 1 >/dev/null
cat >"$TMPDIR/questions" <<'END'
# of 2009's sets
time: What day is it?
things: What would I use a hammer for?
memory: I have a friend named Harry.
END
cat >"$TMPDIR/entry" <<'END'
#!/bin/sh
echo Hello
while read -r line; do
    case $line in
    *day*) date +%Y-%m-%d ;;
    *Harry*) exit 3 ;;
    *) echo "I cannot say." ;;
    esac
done
END
chmod +x "$TMPDIR/entry"
screened=$(contest screen E1 "$TMPDIR/questions" --program "stty -echo; exec ./entry" --folder "$TMPDIR" \
    --at 2009-09-06T10:00 2>/dev/null)
is 'each question is asked and its answer recorded' "$screened" '1. time: What day is it?
   2009-09-06 
2. things: What would I use a hammer for?
   I cannot say. 
3. memory: I have a friend named Harry.
   (no answer)'
refused 65 'E1 was screened already' screen E1 "$TMPDIR/questions" --program true
refused 65 'was not asked question 4' score E1 4 80
refused 65 'from 0 to 100' score E1 1 101
contest score E1 1 100 >/dev/null
contest score E1 2 10 >/dev/null
contest score E1 2 30 >/dev/null
is 'the table' "$(contest screening --json | jq -c 'map([.entry, .points, .scored, .asked])')" \
    '[[1,130,2,3],[2,0,0,0]]'
# The same through the folder of an Entry that speaks LPP, and which dies over the second question.
mkdir "$TMPDIR/lpp"
cat >"$TMPDIR/lpp-entry" <<END
#!/bin/sh
today=\$(date +%Y-%m-%d)
# Of the contest's clock; a program with a sanitizer in it has no other library before that.
exec env -u LD_PRELOAD "$BUILD/tests/system/lppclient" "$TMPDIR/lpp" read=16 \\
    "type=It is x\\b\$today" taken read=20
END
chmod +x "$TMPDIR/lpp-entry"
refused 64 'give --program CMD too' screen E2 "$TMPDIR/questions" --lpp "$TMPDIR/lpp" \
    --at 2009-09-06T10:00
refused 64 'expected one of --program' screen E2 "$TMPDIR/questions"
refused 64 "--turn-end x" screen E2 "$TMPDIR/questions" --program true --turn-end x
screened=$(contest screen E2 "$TMPDIR/questions" --lpp "$TMPDIR/lpp" --program "$TMPDIR/lpp-entry" \
    --no-sandbox \
    --at 2009-09-06T10:00 2>"$TMPDIR/said")
is 'its end is told' "$? $(grep -c 'ended after 2 of 3 questions' "$TMPDIR/said")" '69 1'
is 'with what it answered by the clock of the contest' "$(head -2 <<<"$screened")" \
    '1. time: What day is it?
   It is 2009-09-06'
rm -r "$TMPDIR/lpp"
mkdir "$TMPDIR/lpp"
"$BUILD/tests/system/lppclient" "$TMPDIR/lpp" read=29 'type=What about Harry?' &
screened=$(contest screen E2 "$TMPDIR/questions" --lpp "$TMPDIR/lpp" 2>/dev/null)
wait
is 'it goes on where it stood, with one that was started by hand' "$screened" \
    '3. memory: I have a friend named Harry.
   What about Harry?'
is 'the answers side by side' "$("$BUILD/boothlink" contest similar "$file" | head -3)" \
    'What day is it?
  E1                          2009-09-06 
  E2                    60 %  It is 2009-09-06'
ok 'and in the report' grep -qF '<h3>What day is it?</h3>' <(contest report)
printf 'What is this?\n' >"$TMPDIR/questions"
refused 65 'questions:1: expected a line such as' screen E2 "$TMPDIR/questions" --program true

# A withdrawal in mid-contest.
rm -f "$file" "$file".*
{
    contest new --name 'A contest' --ruleset loebner-2004
    people 4 4 4
    contest schedule
    contest draw commit
    contest draw reveal
    contest begin 1
    contest withdraw E4 --why 'its machine broke'
    contest schedule
} >/dev/null
is 'the rest: twelve pairs, in five rounds: the one without the Entry is kept' \
    "$(meetings | wc -l) $(contest show | grep -c '^  round')" '12 5'
is 'nobody meets the Entry that is gone' "$(meetings | grep -c E4)" 0
is 'each judge meets each other Entry once' "$(meetings | sed 's/C.*//' | sort | uniq -c |
    awk '$1 != 1')" ''

# Rounds that have begun, and those that still hold, stay.
before=$(contest show | grep '^  round')
is 'a schedule that is asked for again changes nothing' \
    "$(contest schedule | head -1) $(contest log | grep -c schedule)" \
    '5 rounds, 4 of them to come; nothing has changed, and they stay as they are 2'
contest conflict J1 C2 --why sisters >/dev/null
held=$(grep -v 'J1E.C2' <<<"$before")
is 'a conflict changes the rounds that it concerns' \
    "$(contest schedule | sed -n '2s/; new: [12]$//p')" \
    "kept, for they still hold: $(($(wc -l <<<"$held") - 1))"
is 'and no others' "$(contest show | grep '^  round' | grep -cFx -- "$held")" "$(wc -l <<<"$held")"
is 'nobody meets whom he may not' "$(contest show | sed '/round 1/d' | grep -c 'J1E.C2')" 0

# The normal case: more Entries than finalists. Whoever plays meets as the rules print it.
for rules in 2004 2009; do
    rm -f "$file" "$file".*
    {
        contest new --name 'A contest' --ruleset "loebner-$rules"
        people 4 6 4
        contest withdraw E1 --why 'ill'
        contest withdraw E4 --why 'ill'
        contest schedule
    } >/dev/null
    is "$rules: of six Entries four play, in the printed rounds" \
        "$(contest show | grep -c '^  round')" 7
    for pair in 's/E.*C/C/' 's/J.*E/E/' 's/C.*//'; do
        is "$rules: each pair once: $pair" "$(meetings | sed "$pair" | sort -u | wc -l)" 16
    done
done

# A draw whose commit was ended between the seed and its act goes on with that seed, a torn one is
# made anew, and what comes next is said.
rm -f "$file" "$file".*
contest new --name 'A contest' --ruleset loebner-2004 >/dev/null
refused 64 'schedule comes before' draw reveal
people 2 2 2 >/dev/null
contest schedule >/dev/null
refused 65 'Next: boothlink contest draw' draw reveal
head -c 32 /dev/zero >"$file.seed"
is 'the seed that was there is committed to' "$(contest draw commit | head -1)" \
    "commitment $(head -c 32 /dev/zero | b2sum -l 256 | cut -d' ' -f1)"
refused 65 'has its commitment already' draw commit
mv "$file.seed" "$file.away"
refused 66 'bring it from the machine' draw reveal
mv "$file.away" "$file.seed"
ok 'and given away' contest draw reveal
refused 65 'on the record' draw reveal
is 'no public value: the record says so' "$(contest verify | grep '^public value')" \
    'public value: none was named at the commitment'

# A public value that nobody knew is mixed in: another value, another draw, and whoever has the seed
# can reckon it.
drawn() { # VALUE: where the Entries and confederates of round 1 sit, by the sheets
    contest_new loebner-2004 4 4
    {
        contest schedule
        head -c 32 /dev/zero >"$file.seed"
        contest draw commit --public 'numbers of the lottery of 5 June, in rising order'
    } >/dev/null
    refused 65 'missing the public value that was named' draw reveal
    contest draw reveal --value "$1" --by 'A. Notary' >"$TMPDIR/said" &&
        contest sheet --for setup --doors fixed >"$TMPDIR/setup"
}
refused 64 '"commit" names it' draw commit --value 7
refused 64 '"reveal" states it' draw reveal --public x
drawn '3, 14, 15'
cp "$TMPDIR/setup" "$TMPDIR/first"
is 'it is on record who stated it' "$(contest verify | grep '^public value')" \
    'public value: "3 14 15" (numbers of the lottery of 5 June, in rising order), stated by A. Notary, is mixed into all that is drawn'
is 'and in the act' "$(contest log | grep -c '"value":"3, 14, 15"')" 1
key=$({ head -c 32 /dev/zero; printf '3 14 15'; } | b2sum -l 256 | cut -c1-64)
is 'by the BLAKE2b-256 of seed and value' "$(contest verify | grep -o 'key [0-9a-f]*')" "key $key"
drawn '3-14-15'
ok 'it does not matter how it is written' cmp -s "$TMPDIR/setup" "$TMPDIR/first"
drawn '3 14 16'
ok 'another value is another draw' test "$(cmp -s "$TMPDIR/setup" "$TMPDIR/first"; echo $?)" = 1
contest_new loebner-2004 2 2
{
    contest schedule
    contest draw commit
} >/dev/null
refused 65 'no public value was named' draw reveal --value 7
ok 'without one' contest draw reveal
contest_new loebner-2004 2 2
{
    contest schedule
    contest draw commit --public 'the lottery of 5 June'
} >/dev/null
rm "$file.seed"
refused 65 'name another one' draw again --why 'the disk broke'
ok 'whoever loses the seed names a value that is still to come' \
    contest draw again --why 'the disk broke' --public 'the lottery of 12 June'
is 'and is told so' "$(contest verify | grep '^public')" \
    'public value: the lottery of 12 June, not yet stated'
refused 65 'no coin is among them' coin commit
refused 65 'no conference of the judges is among them' confer E1 --votes 2:0
rm "$file"*
ok '2003 has one, after the conference' begin loebner-2003 5 2 1
contest confer E1 --votes 2:2 >/dev/null
head -c 5 /dev/zero >"$file.coin"
ok 'a torn seed is replaced' contest coin commit
is 'by a whole one' "$(stat -c %s "$file.coin")" 16

# What goes wrong on the day has a verb; both acts stay on the record.
rm -f "$file"*
{
    contest new --name 'A contest' --ruleset loebner-2004
    people 2 2 2
    contest schedule
    contest draw commit
} >/dev/null
refused 64 'missing --why' draw again
refused 65 'nothing is lost' draw again --why 'to see'
rm "$file.seed"
ok 'a lost seed is replaced' contest draw again --why 'the disk broke'
ok 'and given away' contest draw reveal
refused 65 'is on the record' draw again --why 'once more'
ok 'a round begins' contest begin 1
refused 64 'expected begin, withdraw, disqualify, limit, seal, ballot or exclude' undo ballots --why x
refused 64 'missing who' undo withdraw --why x
refused 64 'take no name' undo begin J1 --why x
ok 'and has not begun' contest undo begin --why 'the hall was not ready'
is 'which is said' "$(contest show | grep -c ', begun')" 0
contest begin 1 >/dev/null
before=$(contest show | sed -n 's/^ *J1 *//p')
is 'somebody else judges' "$(contest substitute J1 'Ann Lee' --why 'J1 fell ill' | head -1)" \
    'J1 is Ann Lee from round 2 on'
is 'who sat there is on record' "$(contest show | grep -A1 '^ *J1' | tail -1 | xargs)" \
    "in the place of $before, who sat there until round 1"
contest report >"$TMPDIR/placed.html"
is 'which the report says twice' "$(grep -oE "(in the place|J1, of|, of) .*$before, who sat there until round 1" "$TMPDIR/placed.html" | wc -l)" 2
is 'a name is put right' "$(contest rename J1 'Anne Lee' --why misspelt | head -1)" 'J1 is Anne Lee'
contest withdraw C2 --why ill >/dev/null
refused 65 'confederate 2 is withdrawn, not accepted, or not in the final round: contest schedule' begin 2
ok 'who comes back is in it again' contest undo withdraw C2 --why 'well again'
ok 'and the round begins' contest begin 2
# The file is copied, and a lost one restored; nothing is overwritten, nothing is half there.
echo junk >"$TMPDIR/copy.db.part" # of a copy that was killed
is 'the file is copied' "$(contest copy "$TMPDIR/copy.db")" \
    "$TMPDIR/copy.db: all $(contest log | grep -c '^ *[0-9]') acts"
is 'a copy that is there is one' "$(contest copy "$TMPDIR/copy.db")" \
    "$TMPDIR/copy.db: all $(contest log | grep -c '^ *[0-9]') acts"
echo other >"$TMPDIR/other.db"
refused 64 'nothing is overwritten' copy "$TMPDIR/other.db"
ok 'no part of it is left' test ! -e "$TMPDIR/copy.db.part"
log=$(contest log)
rm "$file"
ok 'and copied back' "$BUILD/boothlink" contest copy "$TMPDIR/copy.db" "$file"
is 'it is the same' "$(contest log)" "$log"
ok 'and goes on' contest rename J1 'Anne Lee-Ray' --why 'married'
refused 66 'no/copy.db.part' copy "$TMPDIR/no/copy.db"

session=r2-j1
refused 64 'missing --why' repeat $session
refused 65 'does not count: the one that does is r2-j1' repeat $session-2 --why x
is 'a spoiled session is held again' "$(contest repeat $session --why 'a cable' | head -1)" \
    "$session does not count; it is held again as $session-2, by tickets 002-2.ticket"
ok 'which is shown' grep -qF "$session was spoiled: $session-2 counts" <<<"$(contest show)"
{
    printf '[venue]\nformat = 1\n[machines]\n'
    for i in 1 2; do
        printf "booth$i.%s = serial:/dev/none$i\n" judge-a judge-b entity-a entity-b
        printf 'entry%d.program = ./entry\n' "$i"
    done
} >"$TMPDIR/again.ini"
contest tickets --venue "$TMPDIR/again.ini" --out "$TMPDIR/again" >/dev/null
is 'it has its three tickets' \
    "$(cat "$TMPDIR"/again/*/boothlink/*/002-2.ticket | grep -c "^session = $session-2\$")" 3
is 'a round of before has none' "$(find "$TMPDIR/again" -name '001.ticket')" ''
is 'nothing was overwritten' "$(contest log | grep -cE ' (undo|begin|commit|rename|substitute|withdraw) ')" 11

missing=$("$BUILD/boothlink" contest show "$TMPDIR/none.db" 2>&1)
is 'a file that is not there' "$?" 66
ok 'is named' grep -qF "$TMPDIR/none.db" <<<"$missing"
refused 64 'there is such a file already' new --name x --ruleset loebner-2004
refused 64 'missing --name' new

# No option is taken and forgotten.
refused 64 'contest ballot: unknown option --why' ballot J1 E1C1 60:40 --why 'no reason'
refused 64 'unknown option --autor; did you mean --author' withdraw E2 --autor Ann
refused 64 'has its rules and people' schedule --size 4
refused 64 '--correct is for a list' prelim E1 7/2 --correct
refused 64 '--out is for a folder' publish "$(echo "$TMPDIR"/readable/r*-j1.txt)" --out "$TMPDIR/published"
refused 65 'Author 1 has part in entry 1' add judge 'Author 1'
refused 65 "E1 is called 'Entry 1' already" rename E2 ' ENTRY 1' --why x
ok 'but its own' contest rename E2 'ENTRY 2' --why 'as they write it'
refused 65 'the final round has begun, and scores of the preliminary round stay' prelim E1 7/2
contest seal 2 --why 'it was stopped' >/dev/null
refused 65 "round 2 is sealed: contest undo $file seal comes first" undo begin --why x
contest undo seal --why 'it goes on' >/dev/null
is 'what turns a line around is not printed' "$(contest add judge $'Eve\xe2\x80\xae' | head -1 | sed 's/^J[0-9]*: //')" 'Eve?'
refused 65 '--family: expected names in UTF-8' add judge 'Judge 8' --family $'M\xfcller'
refused 64 'expected a time such as' add entry X --submitter Y --received 2009-02-31
refused 65 "E1 is called 'Entry 1' already" add entry ' entry 1  ' --submitter X --rights --receipt
refused 64 "--submitter is for 'entry', not for 'judge'" add judge 'Judge 9' --submitter X
refused 65 'has part in entry 1' add judge $'\uff21uthor 1'
is 'names are trimmed' "$(contest add judge '  Judge 9 ' | head -1 | sed 's/^J[0-9]*: //')" 'Judge 9'
refused 65 'JUDGE  9 is judge ' add judge 'JUDGE  9'
is 'the result names its units' "$(contest result --json | jq -r .units.points)" \
    'of the 100 of each session'

# Fields that rules ask besides: by hand, and by a judge's file, which must ask the same.
ok 'rates: three judges, one Entry' begin three-party-2025 3 1 1
refused 65 'confidence: expected a whole number from 0 to 100' ballot J1 E1C1 entry
refused 65 'reason: expected a text of one line' ballot J1 E1C1 entry --fields 'confidence 80'
refused 65 'expected the fields that the rules ask' ballot J1 E1C1 entry --fields 'age 80'
ok 'a ballot with its fields' contest ballot J1 E1C1 entry --fields 'confidence 80 reason "said \"aye\""'
fields_of() { contest export --json | jq -c '[.acts[] | select(.kind == "ballot")][-1].body.fields'; }
is 'which are in the act, a number as a number' "$(fields_of)" '{"confidence":80,"reason":"said \"aye\""}'
asks() { # SESSION VOTE FIELDS: a file whose head asks these
    printf '%s\n' "boothlink-ballot 1 session=$1 rules=three-party-2025 kind=human sealed=contest $3" \
        "1795289010000000 given $2" | sums >"$TMPDIR/$1-judge.ballot"
}
both='field=confidence:0..100,required field=reason:text,400,required'
session=$(contest show | sed -n 's/^  round \([0-9]*\),.*J2E1C1.*/r\1-j2/p')
asks "$session" 'human left confidence 7 reason "a"' "$both"
ok 'a file brings them' contest import "$TMPDIR/$session-judge.ballot"
is 'into the act' "$(fields_of)" '{"confidence":7,"reason":"a"}'
asks "$session" 'human left confidence 8 reason "a"' "$both"
refused 65 'the contest has another ballot' import "$TMPDIR/$session-judge.ballot"
ok 'another confidence is another ballot, which a correction takes' contest import --correct "$TMPDIR/$session-judge.ballot"
is 'and says so' "$(contest export --json | jq -c '.acts[-1].body | [.correction, .fields.confidence]')" '[true,8]'
asks "$session" 'human left' ''
refused 65 "the rules ask 'confidence:0..100,required' there" import "$TMPDIR/$session-judge.ballot"
asks "$session" 'human left age 8' "field=age:0..100"
refused 65 "field 1 is 'age:0..100'" import "$TMPDIR/$session-judge.ballot"
is 'before the last ballot the result is provisional' "$(contest result --json | jq -c '[.outcome, .winner]')" '["provisional",null]'
contest ballot J3 E1C1 confederate --fields 'confidence 50 reason "b"' >/dev/null
is 'then each has its rate, and nobody wins' "$(contest result --json | jq -c '[.outcome, .winner, [.standings[] | .ballots]]')" \
    '["counted",null,[3,3]]'
ok 'with intervals' grep -qE '^\[2025 abstract\] C1: taken for the human [12] of 3 times, .*Wilson .* exact ' <(contest result)
ok 'the report has what was said' grep -q 'confidence: 80; reason: said .*aye' <(contest report)
ok 'all of it verifies' contest verify

# A session is excluded: it counts for nothing, nothing of it is missing, and nothing is deleted.
first=$(contest show | sed -n 's/^  round \([0-9]*\),.*J1E1C1.*/r\1-j1/p')
refused 64 'missing --why TEXT' exclude "$first"
refused 64 'missing --why TEXT' exclude "$first" --why TEXT
refused 64 'missing --why TEXT' settle "$first" 2 --why TEXT
refused 64 'missing --why TEXT: a reason in the place of TEXT' dates held=2030-01-01 --why TEXT
ok 'a session is excluded, with its reason' contest exclude "$first" --why 'took part before'
refused 65 "$first is excluded: undo that first" exclude "$first" --why again
refused 65 "$first is excluded: undo that first" repeat "$first" --why spoiled
refused 65 'the session is excluded: undo that first' undo ballot "$first" --why x
is 'rates are of the others' \
    "$(contest result --json | jq -c '[.outcome, .excluded, .ballots_missing, [.standings[] | .ballots]]')" \
    '["counted",1,0,[2,2]]'
ok 'the result says so' grep -qx '\[manager\] 1 session is excluded and counts for nothing' <(contest result)
ok 'show says so' grep -q 'J1E1C1-excluded' <(contest show)
ok 'the report has the reason' grep -q "excluded.*$first.*took part before" <(contest report)
ok 'verify says so' grep -qx 'excluded sessions, which count for nothing: 1' <(contest verify)
asks "$session" 'human right confidence 8 reason "a"' "$both"
contest exclude "$session" --why 'knew the other' >/dev/null
ok 'a ballot of it is corrected, and counts for nothing' contest import --correct "$TMPDIR/$session-judge.ballot"
is 'it is in the record alone' "$(contest result --json | jq -c '[.excluded, [.standings[] | .ballots]]')" '[2,[1,1]]'
contest undo exclude "$first" --why 'it was another' >/dev/null
refused 65 'is not excluded' undo exclude "$first" --why x
is 'taken back it counts again' "$(contest result --json | jq -c '[.excluded, [.standings[] | .ballots]]')" '[1,[2,2]]'
contest seal --why 'no journals' >/dev/null
refused 65 'the contest is sealed' exclude "$first" --why late
refused 65 'the contest is sealed' undo exclude "$session" --why late
ok 'its tables are made' contest data --out "$TMPDIR/tables"
is 'they have the session with its reason' \
    "$(jq -c "select(.session == \"$session\") | [.counts, .why, .excluded]" "$TMPDIR/tables/sessions.jsonl")" \
    '[false,"knew the other",true]'
is 'and all verdicts' "$(jq -sc '[length, (map(select(.excluded)) | length)]' "$TMPDIR/tables/verdicts.jsonl")" '[6,2]'
contest publish --out "$TMPDIR/excluded" >/dev/null
is 'it is published' "$(jq -c '[.meetings[] | select(.excluded) | [.session, .void, .ballot]]' "$TMPDIR/excluded/contest.json")" \
    "[[\"$session\",true,null]]"
ok 'a stranger recomputes it' python3 -B tests/contests/verifier.py "$TMPDIR/excluded/contest.json"

rm -f "$file"*
{ contest new --name 'A contest' --ruleset loebner-2004 && contest add confederate Carol; } >/dev/null
ok 'a name is approved (2004 A3)' contest approve C1 ' Ann '
ok 'and in the report' grep -q 'as “Ann”' <(contest report)
# Who comes after the schedule is in it as soon as it is made anew, and nobody else becomes another.
contest_new loebner-2003 5 2 1
contest_draw && contest_reveal && contest begin 1 >/dev/null
before=$(contest show | grep -oE 'J[0-9]C1' | sort | xargs)
is 'an Entry that comes late is in no round, which is said' \
    "$(contest add entry Late --submitter Late --rights | tail -1)" "Next: boothlink contest schedule $file  # E3 is in no round"
is 'the confederate is the same' "$(contest show | grep -oE 'J[0-9]C1' | sort | xargs)" "$before"
contest schedule >/dev/null
is 'all judges meet it then' "$(contest show | grep -oE 'J[0-9]E3' | sort | xargs)" 'J1E3 J2E3 J3E3 J4E3 J5E3'
plan
