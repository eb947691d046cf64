#!/bin/bash
# Each "Next:" line can be pasted, from the template to the report, and is a line of boothlink-day(7); also
# after somebody's place is taken, a session is spoiled and rounds are made anew. A contest that was not
# set up as a whole has its lines, too, and names are quoted.
. tests/tap.sh
. tests/support/ballots.sh
. tests/support/journals.sh
. tests/support/venue.sh

bl=$BUILD/boothlink
PATH=$BUILD:$PATH
work=$TMPDIR/work
mkdir "$work" "$TMPDIR/media"
ln -s "$work/sticks/judges-room" "$TMPDIR/media/BOOTHLINK"
ln -s "$work/sticks/back-room" "$TMPDIR/media/BOOTHLINK1"
cd "$work" || exit
# What stands in the manual, a command a line.
man -l --nj --nh -E ascii -P cat "$OLDPWD/host/share/man/boothlink-day.7" 2>/dev/null | col -b |
    perl -0pe 's/\\\n//g; s/\s+/ /g' >"$TMPDIR/manual"

next() { sed -n 's/^Next: //p' "$TMPDIR/said"; }
say() { "$@" >"$TMPDIR/said" 2>&1; }

# pasted: each of the lines, as a shell takes it, where sticks are plugged in elsewhere; and what came of
# the last but sheets.
pasted() {
    local line lines good=0
    mapfile -t lines < <(next)
    for line in "${lines[@]}"; do
        grep -qF -- "${line%%  #*}" "$TMPDIR/manual" || echo "not in boothlink-day(7): $line"
        bash -c "${line/\/media\/\$USER/\"$TMPDIR\"/media}" >"$TMPDIR/now" 2>&1
        good=$?
        [[ $good == 0 || ($line == *' verify '* && $good == 65) ]] || echo "$good: $line: $(<"$TMPDIR/now")"
        grep -q '^Next:' "$TMPDIR/now" && cp "$TMPDIR/now" "$TMPDIR/said"
    done
    ((${#lines[@]})) || echo 'no line'
}
follow() { is "$1" "$(pasted)" ''; }

export STYLE=split # of the journals
# held ROUND: what its booths leave on the sticks.
held() {
    local session place cable
    while read -r session; do
        place=sticks/judges-room/boothlink/records/booth-1-judge
        mkdir -p "$place" sticks/back-room/boothlink/records/booth-1-cable-{a,b}
        journal judge "$session" finished >"$place/$session-judge.journal"
        ballot "$session" left >"$place/$session-judge.ballot"
        for cable in a b; do
            journal entity "$session" finished "cable $cable" \
                >"sticks/back-room/boothlink/records/booth-1-cable-$cable/$session-entity.journal"
        done
    done < <(grep -hs '^session' sticks/judges-room/boothlink/*/*.ticket | sed 's/.* //' | sort -u | grep "^r$1-")
}

say "$bl" contest template --ruleset loebner-2009 --booths 3
people_fill .
follow 'template: setup'
rm -rf contest.db*
say "$bl" contest setup --unsigned people.ini venue.ini
held 1
follow 'setup: sheets, and collecting'
is 'the ballots of the first round are there' "$("$bl" contest show contest.db | grep -c '^  round 1.*\*')" 1
collecting() { "$bl" contest show "$1" | sed -n 's/^Next: .* collect .*  # //p'; }
is 'the next are those of round 2' "$(collecting contest.db)" 'after round 2'
cp contest.db.setup one.db.setup && "$bl" contest copy contest.db one.db >/dev/null
"$bl" contest begin one.db 2 >/dev/null
is 'also when it has begun' "$(collecting one.db)" 'after round 2'
"$bl" contest begin one.db 3 >/dev/null
is 'and those that are missing are told' "$(collecting one.db | sed 's/[0-9]* ballots/N ballots/')" \
    'after round 3; N ballots are missing of the rounds before it'
"$bl" contest copy contest.db bare.db >/dev/null
for round in 2 3; do say "$bl" contest begin bare.db $round; done
is 'the records of one without its setup beside it come by sticks, too' "$(next | sed 's/  #.*//')" \
    "boothlink contest collect bare.db /media/\$USER/BOOTHLINK*"
say "$bl" contest substitute contest.db J2 'Somebody Else' --why ill
follow 'after somebody took a place: tickets and sheets'
say "$bl" contest repeat contest.db r1-j1 --why 'a cable'
follow 'after a session was spoiled: tickets and sheets'
is 'and the session comes first' "$(collecting contest.db)" 'after session r1-j1-2, which is held again'
say "$bl" contest withdraw contest.db J3 --why ill
is 'after somebody left the rounds come first' "$(next)" \
    'boothlink contest schedule contest.db  # it makes the rounds to come anew'
follow 'rounds made anew'
follow 'and then tickets and sheets of them'
say "$bl" contest show contest.db
for round in 1 2 3 4 5 6; do held $round; done
follow 'the other rounds: collecting'
is 'then the ranks' "$(next)" "boothlink contest collect contest.db /media/\$USER/BOOTHLINK*  # when the judges have ranked"
mkdir -p contest.db.inbox/server
touch contest.db.inbox/server/{page.url,nats.conf,nats.log}
say "$bl" contest show contest.db
is 'a desk whose server did not start takes none' "$(next | sed 's/  #.*//')" "boothlink contest collect contest.db /media/\$USER/BOOTHLINK*"
touch contest.db.inbox/server/heard
say "$bl" contest show contest.db
is 'one whose server was heard takes them' "$(next | sed 's/  #.*//')" \
    'boothlink contest collect contest.db contest.db.inbox'
rm contest.db.inbox/server/heard
mkdir contest.db.inbox/booth-1-judge
say "$bl" contest show contest.db
is 'where the contest has a desk, from its folder' "$(next | sed 's/  #.*//')" \
    'boothlink contest collect contest.db contest.db.inbox'
rm -r contest.db.inbox
say "$bl" contest show contest.db
follow 'ranks: collecting once more'
ok 'their tickets are written' test -e sticks/judges-room/boothlink/judge-1-ranks/ranks.ticket
# Each judge ranks whom he took for a program: one of each of his pairs, and which is not told before the end.
rank() {
    local judge=$1 pair choice n words pairs
    mapfile -t pairs < <("$bl" contest show contest.db | grep -oE "J${judge}E[0-9]C[0-9]" | sort -u)
    for ((choice = 0; choice < 1 << ${#pairs[@]}; choice++)); do
        words=() n=0
        for pair in "${pairs[@]}"; do
            pair=${pair#J?}
            ((choice >> n & 1)) && pair=${pair:2} || pair=${pair:0:2}
            words+=("$pair=$((++n))")
        done
        "$bl" contest rank contest.db "J$judge" "${words[@]}" >"$TMPDIR/said" 2>&1 && return
    done
    cat "$TMPDIR/said"
}
for judge in 1 2; do rank $judge; done
say "$bl" contest show contest.db
is 'at the end it is sealed' "$(next | tail -1)" 'boothlink contest seal contest.db  # when nothing more is to be corrected'
follow 'sealing'
is 'before there are transcripts it is said how they come' \
    "$("$bl" contest publish contest.db transcripts --out published 2>&1 | sed 's/.*transcripts: //') $([[ -e published ]])$?" \
    'no such folder: boothlink transcript convert makes it, with --output 1'
follow 'transcripts, what is published, report and verification'
ok 'there is a report' grep -q '</html>' report.html

say "$bl" contest result contest.db
is 'behind a result stands what is left, and nothing that is done' "$(next | sed 's/ contest.db.*//' | paste -sd';')" \
    'boothlink contest verify'
rm report.html
say "$bl" contest show contest.db
is 'a report that is gone is to be made' "$(next | sed 's/ contest.db.*//' | paste -sd';')" \
    'boothlink contest report;boothlink contest result;boothlink contest verify'
say "$bl" contest erased contest.db E1 --why 'as agreed'
is 'when an Entry is erased all is to be made again' "$(next | sed 's/ contest.db.*//' | paste -sd';')" \
    'boothlink transcript convert;boothlink contest publish;boothlink contest report;boothlink contest result;boothlink contest verify'

# Rules that publish no names: who follows the lines publishes none.
mkdir "$TMPDIR/nameless"
cd "$TMPDIR/nameless" || exit
"$bl" contest template --ruleset three-party-2025 --booths 1 >/dev/null
people_fill .
sed -i 's/The judge 1/Adalinde Brownfield/; s/The confederate 1/Carl Vanterpool/; s/S entry1/Max Overbeck/' people.ini
"$bl" contest setup --unsigned people.ini venue.ini >/dev/null
"$bl" contest begin contest.db 1 >/dev/null
"$bl" contest ballot contest.db J1 E1C1 entry --fields 'confidence 80 reason "Carl was slow"' >/dev/null
mkdir -p contest.db.records/1 transcripts
journal judge r1-j1 finished >contest.db.records/1/r1-j1-judge.journal
for cable in a b; do
    mkdir "contest.db.records/1$cable"
    journal entity r1-j1 finished "cable $cable" >"contest.db.records/1$cable/r1-j1-entity.journal"
done
say "$bl" contest seal contest.db --why 'a test'
is 'after the seal of rules without names a bundle comes' "$(next | head -n 2)" \
    'boothlink contest publish contest.db --bundle bundle --records contest.db.records  # without names
boothlink contest verify bundle'
follow 'without names: bundle, report and verification'
is 'no name is in what was published' "$(grep -rlE 'Adalinde|Brownfield|Carl|Vanterpool|Max Overbeck' -- * | grep -vE '^(people|venue).ini|^contest.db|^sheets|^setup|^sticks')" \
    report.html
ok 'and the report is named as the manager'"'"'s own' grep -q 'For the manager alone: this page has names' report.html
say "$bl" contest show contest.db
is 'what is done is named no more' "$(next | sed 's/ contest.db.*//' | paste -sd';')" 'boothlink contest result;boothlink contest verify'
say "$bl" contest publish contest.db transcripts --out published
is 'who publishes in the other way is told' "$(grep 'has names' "$TMPDIR/said")" \
    'published has names, and these rules publish none (2025 not said): it is for the manager alone'
ok 'and no other step is named' test -z "$(next | grep -v 'verify\|result')"
touch contest.db
say "$bl" contest show contest.db
is 'another bundle gets another name' "$(next | head -n 1 | sed 's/  #.*//')" \
    'boothlink contest publish contest.db --bundle bundle-2 --records contest.db.records'

# The next trial of a contest that was set up.
mkdir "$TMPDIR/bet"
cd "$TMPDIR/bet" || exit
"$bl" contest template --ruleset longbet-2002 --booths 4 >/dev/null
people_fill .
"$bl" contest setup people.ini venue.ini >/dev/null
is 'where its files are is kept' "$(sort contest.db.setup)" 'people people.ini
sticks sticks
venue venue.ini'
say "$bl" contest collect contest.db sticks
is 'before the first round the way to begin is told' "$(grep -v '^Next\|^note' "$TMPDIR/said" | tail -n 1)" \
    'no round has begun: the first ballot that is taken begins it, or contest begin contest.db 1'

# A name that a shell would take apart, and rounds that are begun by hand.
mkdir "$TMPDIR/it's mine"
cd "$TMPDIR/it's mine" || exit
say "$bl" contest new 'our contest.db' --name Ours --ruleset loebner-2009
is 'names are quoted' "$(next)" \
    "boothlink contest add 'our contest.db' entry NAME --submitter NAME --rights --receipt --age AGE  # there are 0, and the rules ask for 1 at least (contest result says what they do with fewer)"
line=$(next)
"$bl" contest template "the day's" --ruleset loebner-2009 --booths 3 >"$TMPDIR/template"
is 'those of a new folder too' "$(sed -n 's/^Next: //p' "$TMPDIR/template")" \
    "boothlink contest setup 'the day'\\''s/people.ini' 'the day'\\''s/venue.ini'  # when both are filled in"
say bash -c "${line/AGE/20}"
is 'and can be pasted, with an age' "$(next)" \
    "boothlink contest add 'our contest.db' judge NAME  # there are 0, and the rules ask for 1 at least"
plan
