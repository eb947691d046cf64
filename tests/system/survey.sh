#!/bin/bash
# A survey of the rules: its pages on the tickets of first and last sessions, answers from both rooms on
# record, in the tables and in a bundle that names nobody.
. tests/tap.sh
. tests/support/ballots.sh
. tests/support/contest.sh
. tests/support/venue.sh

bl=$BUILD/boothlink
file=$work/contest.db
mkdir "$work"
"$bl" contest rulesets class | sed 's/^name = .*/name = lesson/
s/^\[notice\]/[survey]\
before-1 = Your words are published without your name.\
before-field1 = agree: yes no required\
before-field2 = age: 18..99\
before-field3 = why: text 60\
after-1 = Some of them were programs. Thank you.\
&/' >"$work/lesson.ini"
template "$work/lesson.ini" 2
sed -i 's/The judge 1/Adalinde Brownfield/; s/The confederate 2/Ann Vanterpool/' "$work/people.ini"
(cd "$work" && venue_setup >/dev/null) || exit
sticks=$work/sticks
tickets() { (cd "$sticks" && grep -l "$1 = $2\$" -- */boothlink/*/*.ticket | sort | xargs); }
# all JUDGE: the names of his tickets, in the order of the rounds.
all() { grep -l "^session = r[0-9]*-$1\$" "$sticks"/judges-room/boothlink/*/*.ticket | sed 's|.*/||' | sort; }
for j in j1 j2; do
    before=$(tickets before $j) after=$(tickets after $j)
    is "the first session of $j has the page of before" "${before##*/}" "$(all $j | head -n 1)"
    is 'and the last that of after' "${after##*/}" "$(all $j | tail -n 1)"
done
is 'those of confederates are in the back room' \
    "$(for c in c1 c2; do tickets before $c; tickets after $c; done | grep -c '^back-room/.*cable')" 4
is 'an Entry has none' "$(grep -l '^program' "$sticks"/back-room/boothlink/*/*.ticket | xargs grep -c survey | grep -vc ':0$')" 0
ok 'the rules are beside tickets of both rooms' test -e "$sticks/back-room/boothlink/booth-1-cable-a/lesson.ini" \
    -a -e "$sticks/judges-room/boothlink/booth-1-judge/lesson.ini"

# survey NAME TEXT...: the answers' file of a machine.
survey() {
    local name=$1 asks='field=agree:yes,no,required field=age:18..99 field=why:text,60'
    [[ $name != *after* ]] || asks=
    {
        echo "boothlink-ballot 1 session=$name rules=lesson sealed=contest kind=survey${asks:+ $asks}"
        for text in "${@:2}"; do echo "1795289010000000 given survey${text:+ $text}"; done
    } | sums >"$work/in/$name.ballot"
}
mkdir "$work/in"
collect() { (cd "$work" && "$bl" contest collect contest.db in </dev/null); }
survey survey-before-j1 'agree yes age 30 why "I am Adalinde Brownfield" notes hello'
survey survey-after-j1 ''
survey survey-before-c2 'agree no'
said=$(collect)
is 'answers are taken in, unsigned' "$(grep -c 'survey-.*: recorded$' <<<"$said")" 3
is 'as acts, whose answers are kept apart' \
    "$("$bl" contest log "$file" | grep -c ' survey {')" 3
survey survey-before-j1 'agree yes age 30 why "I am Adalinde Brownfield" notes hello' 'agree yes age 31'
ok 'a corrected one takes its place' grep -q 'survey-before-j1: recorded' <<<"$(collect)"
is 'the same again is no act' "$(collect | grep -c ': recorded')" 0
survey survey-before-c2 'agree yes'
ok 'another file for it is refused' grep -q 'refused: .*survey-before-c2.* another ballot' <<<"$(collect 2>&1)"
(cd "$work" && "$bl" contest settle contest.db survey-before-c2 2 --why 'asked again') >/dev/null
is 'and taken when the manager settles it' "$("$bl" contest log "$file" | grep -c ' settle {')" 1
survey survey-before-j3 'agree yes'
ok 'so is that of nobody' grep -q "survey-before-j3.*refused\|refused.*survey-before-j3" <<<"$(collect 2>&1)"
is 'and not kept' "$(find "$work/contest.db.records" -name '*j3*' | wc -l)" 0
mv "$work/in/survey-before-j3.ballot" "$work/contest.db.records/1/"
# Answers are unsigned: under a ballot's name they would fill the places of its files.
mv "$work/in/survey-after-j1.ballot" "$work/in/r1-j1-judge.ballot"
ok 'answers under the name of a ballot are refused' grep -q \
    'refused: .*r1-j1-judge.ballot: it has the answers of survey-after-j1: expected the name survey-after-j1.ballot' <<<"$(collect 2>&1)"
is 'and take no place of its files' "$(find "$work/contest.db.records" -name r1-j1-judge.ballot | wc -l)" 0
mv "$work/in/r1-j1-judge.ballot" "$work/in/survey-after-j1.ballot"
is 'no survey is missing before a session' "$(collect 2>&1 | grep -c 'missing: .*survey')" 0
for round in 1 2 3 4; do (cd "$work" && "$bl" contest begin contest.db $round >/dev/null); done
is 'then each is named that was not given' \
    "$(collect 2>&1 | sed -n 's/^missing: round [0-9]*, \(.*: the survey .*\)/\1/p' | sort | paste -sd,)" \
    "C1: the survey survey-after-c1.ballot,C1: the survey survey-before-c1.ballot,C2: the survey survey-after-c2.ballot,J2: the survey survey-after-j2.ballot,J2: the survey survey-before-j2.ballot"
is 'then the settled one is told no more' "$(collect 2>&1 | grep -c before-c2)" 0
is 'verify finds the same answers, and those of nobody' \
    "$(cd "$work" && "$bl" contest verify contest.db --records contest.db.records 2>&1 | grep survey)" \
    'differs: contest.db.records/1/survey-before-j3.ballot: there is no judge 3'
(cd "$work" && "$bl" contest seal contest.db --why 'nobody came') >/dev/null
(cd "$work" && "$bl" contest data contest.db --out tables) >/dev/null
is 'the tables have them, the last ones' "$(cut -d, -f1-5,7 "$work/tables/answers.csv" | sed 1d | sort | xargs -d '\n' | tr ' ' ';')" \
    'C2,before,agree,yes,,yes;J1,after,,,,no;J1,before,age,31,31,yes;J1,before,agree,yes,,yes'
is 'and the codebook' "$(grep -c '^answers,' "$work/tables/codebook.csv")" 9
(cd "$work" && "$bl" contest publish contest.db --bundle bundle) >/dev/null
ok 'a bundle with them is whole' quiet "$bl" contest verify "$work/bundle"
ok 'it has the answers' grep -q '^J1,before,agree,yes' "$work/bundle/answers.csv"
ok 'and names nobody, in no form' python3 -B tests/system/bundle.py names "$work/bundle" 'Adalinde Brownfield' \
    'Ann Vanterpool'
ok 'a stranger finds it whole' python3 -B tests/contests/stranger.py "$work/bundle" \
    "$(b2sum -l 256 <"$work/bundle/hashes" | cut -d ' ' -f 1)"
plan
