#!/bin/bash
# A contest against its records: a session that was really held, and then one thing after the other
# changed, taken away or added.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/contest.sh

records=$work/records
published=$work/published
mkdir "$records" "$published"

"$bl" contest rulesets loebner-2004 |
    sed -E 's/^name = .*/name = rehearsal/; s/^plan = .*/plan = 8 both,1 change/' >"$work/rehearsal.ini"
prepare() {
    contest_new "$work/rehearsal.ini" 1 1 && contest_draw && contest_reveal && contest begin 1
} >/dev/null
ok 'a contest is made' prepare

cable left
cable right
printf 'pace 5\ntype "Hello, my name is Ann and I am the human\\n"\n' >"$work/left.script"
printf 'pace 5\ntype "hello, my name is Bob and I am the human.\\n"\n' >"$work/right.script"
printf '%s\n' 'pace 5' 'type "Secret words?\n"' 'ballot left 70 right 30' >"$work/judge.script"
for side in left right; do
    start "$side" entity --line "serial:$work/$side.b" --journal "records/$side" --headless \
        --script "$work/$side.script"
done
start judge judge --left "serial:$work/left.a" --right "serial:$work/right.a" --session r1-j1 \
    --ruleset rehearsal.ini --headless --json --script "$work/judge.script" --journal records/judge
ended judge
is 'the session is held' $? 0
ended left >/dev/null
ended right >/dev/null
journal=$records/judge/r1-j1-judge.journal
ballot=$records/judge/r1-j1-judge.ballot
for entity in "$records"/{left,right}/r1-j1-entity.journal; do
    "$bl" journal settle "$journal" "$entity" >/dev/null 2>&1 # where the machine was too slow
done

# With a notice before it, and as the panel wants it.
make_public() {
    contest import "$ballot" && contest seal &&
        {
            echo 'This transcript is in the public domain'
            "$bl" transcript convert "$journal" >"$work/whole.txt"
            contest publish "$work/whole.txt"
        } >"$published/r1-j1.txt"
} >/dev/null
ok 'the ballot is taken, the transcript published' make_public

# The transcripts of a folder, as collecting leaves one.
contest collect "$records" >/dev/null
transcripts() { "$bl" transcript convert "$file.records" --output "$work/$1" "${@:2}"; }
is 'a folder is converted' "$(transcripts texts)" "1 transcript in $work/texts"
ok 'to what its journal gives' cmp -s "$work/texts/r1-j1.txt" "$work/whole.txt"
is 'to other formats' "$(transcripts texts --to keys && transcripts texts --to asciicast &&
    cd "$work/texts" && echo *)" "1 transcript in $work/texts
1 transcript in $work/texts
r1-j1.cast r1-j1.keys r1-j1.txt"

# The same as tables, for statistics.
rows="3 1 2 0 3 $(grep -vc '^#' "$work/texts/r1-j1.keys") $(contest log | wc -l)"
is 'each session, verdict, message and key as a row' \
    "$(contest data --out "$work/tables" --records "$file.records" | awk '/^ *[0-9]/ { print $1 }' | paste -sd ' ')" "$rows"
is 'the verdicts with them' "$(awk -F, 'NR > 1 { print $3, $4, $5 == ($6 > 50 ? "yes" : "no"); sum += $6 }
    END { print sum }' "$work/tables/verdicts.csv" | sort | paste -sd ' ')" '100 C1 yes 1 E1 no 1'
refused 64 'is there already: expected a new folder' data --out "$work/tables"
what='which pandas joins, key for key what the journal has'
if /usr/bin/python3 -c 'import pandas' 2>/dev/null; then
    is "$what" "$(tests/system/tables.py "$work/tables" r1-j1="$work/texts/r1-j1.keys")" "$rows"
else
    skip "$what" 'python3-pandas is not installed'
fi

said=$(transcripts texts --to 2009 2>&1)
is 'one that asks whose it is takes no folder' "$? $(grep -c 'expected --to text, html, keys or asciicast' <<<"$said")" '64 1'
said=$("$bl" transcript convert "$work/texts" --output "$work/none" 2>&1)
is 'nor is there one without journals' "$? $(grep -c 'missing a file NAME-judge.journal' <<<"$said")" '66 1'

# differs DESCRIPTION [WHERE: WHAT...]: what verify says, the folder left out; in any order.
verify() { contest verify --records "$records" --transcripts "$published"; }
differs() {
    local said status
    said=$(verify 2>"$work/err")
    status=$?
    is "$1" "$status
$(sed -n "s|^differs: $work/||p; s/^differs: //p" <<<"$said" | sort)" "$((${2:+65}+0))
$(printf '%s\n' "${@:2}" | sort)"
}

# changed FILE COMMAND...: the command gets a copy of the file, which then stands in its place;
# `restore` puts everything back.
cp -a "$records" "$published" "$work/contest.db" "$work/rehearsal.ini" "$(mktemp -d "$work/kept.XXX")"
kept=$(echo "$work"/kept.*)
restore() {
    rm -rf "$records" "$published"
    cp -a "$kept/records" "$kept/published" "$work"
    cp "$kept/contest.db" "$file"
}

differs 'nothing differs'
is 'all were looked at' "$(verify | grep '^records')" 'records: 5 files, 0 differences'
proves='all agree. Whoever noted that hash before, and sees it here again, knows that no act was changed since.'
is 'what that proves is said, and what is left' "$(verify | sed -n '/^verified/,$p' | sed "s|$work/||g")" \
    "verified: acts, draw and schedule, records, transcripts: $proves
Next: boothlink contest report contest.db --transcripts published > report.html"
echo report >"$work/report.html"
is 'or that nothing is' "$(cd "$work" && "$bl" contest verify contest.db --records records --transcripts published | tail -n 1)" \
    'Nothing is left to do: keep contest.db, its records and what was published.'
is 'of the acts alone the rest is to be looked at' "$(contest verify | sed -n '/^verified/,$p' | sed "s|$work/||g" | cut -d' ' -f1-4)" \
    'verified: acts, draw and
Next: boothlink transcript convert
Next: boothlink contest publish
Next: boothlink contest report
Next: boothlink contest result
Next: boothlink contest verify'
is 'in JSON' "$(contest verify --records "$records" --json | jq -c '[.records, .differences]')" '[4,[]]'
is 'without records the acts alone' "$(contest verify | grep -c '^records')" 0

sed -i 's/left 70 right 30/left 71 right 29/' "$ballot"
differs 'a ballot file that a hand has changed' \
    'records/judge/r1-j1-judge.ballot: 1 of its lines are damaged or come after its seal' \
    'records/judge/r1-j1-judge.ballot: no ballot was given in it'
restore

given=$(ballot_table | awk -F, 'NR == 1 { print $4 ":" $5 }')
other() { # the same contest, with another vote typed by hand
    rm -f "$file" "$file".*
    prepare && contest ballot J1 E1C1 55:45 >/dev/null
}
ok 'the manager types another vote' other
# It has its own draw: the file says who got 70 by that.
said=$(verify 2>/dev/null | sed -n 's/.*ballot: it says \(.*\), the contest has \(.*\)/\1 \2/p')
ok 'which is not what the judge gave' \
    test "$said" = '70:30 55:45' -o "$said" = '30:70 55:45'
ok "as it was before ($given)" test "$given" = 70:30 -o "$given" = 30:70
restore

middle=$(($(stat -c %s "$journal") / 2))
byte=$(od -An -tu1 -j $middle -N 1 "$journal")
# shellcheck disable=SC2059 # an octal escape is wanted
printf "\\$(printf %o $((byte ^ 1)))" |
    dd of="$journal" bs=1 seek=$middle conv=notrunc status=none
said=$(verify 2>/dev/null)
ok 'a byte of a journal' grep -q "r1-j1-judge.journal: it is damaged in 1 place" <<<"$said"
restore

rm "$journal"
differs 'a journal that is missing' \
    "r1-j1: there is no judge's journal of it" \
    "records/left/r1-j1-entity.journal: there is no judge's journal to compare it with" \
    "records/right/r1-j1-entity.journal: there is no judge's journal to compare it with" \
    "published/r1-j1.txt: there is no judge's journal to compare it with"
restore
rm "$records/left/r1-j1-entity.journal"
differs "an entity's" "r1-j1: entities' journals: 1, expected 2"
restore
rm "$ballot"
differs 'a ballot file' 'r1-j1: the contest has a ballot, and there is no file of it'
restore

line=$(grep -n 'Secret' "$published/r1-j1.txt" | head -n 1)
edited=${line#*:}
sed -i 's/Secret words/Other words/' "$published/r1-j1.txt"
differs 'an edited transcript' "published/r1-j1.txt: line ${line%%:*} is \
'${edited/Secret/Other}', by the journal '${line#*:}'"
restore

umlauts=$(printf 'ü%.0s' {1..60})
sed -i "${line%%:*}s/.*/x$umlauts/" "$published/r1-j1.txt"
is 'a long line of a stranger in JSON, cut at a character' \
    "$(contest verify --records "$records" --transcripts "$published" --json 2>/dev/null |
        jq -r '.differences[].what' | cut -d, -f1)" "line ${line%%:*} is 'x${umlauts:0:39}'"
sed -i "${line%%:*}s/.*/\x1b]0;mine\x07 \xff/" "$published/r1-j1.txt"
is 'one that a terminal would obey is not printed as it is' \
    "$(verify 2>/dev/null | grep -o "is '.*', by")" "is '?]0;mine? ?', by"
is 'nor left out' "$(contest verify --records "$records" --transcripts "$published" --json 2>/dev/null |
    jq '.differences | length')" 1
restore

cp "$journal" "$records/judge/r9-j1-judge.journal"
cp "$journal" "$records/r1-j1-judge.journal"
differs 'records too many' \
    'records/judge/r9-j1-judge.journal: session r9-j1 is none that was held in this contest' \
    "records/r1-j1-judge.journal: another judge's journal of session r1-j1"
restore

# Another session in its place.
"$bl" contest rulesets loebner-2004 >"$work/none.ini"
cp "$records/right/r1-j1-entity.journal" "$journal"
said=$(verify 2>/dev/null)
ok "an entity's journal in the judge's place" \
    grep -q "r1-j1-judge.journal: it is not the judge's journal of session r1-j1" <<<"$said"
restore

# Rules that wanted something else.
refit() { # SED...: the same session under other rules
    rm -f "$file" "$file".*
    sed "$@" "$kept/rehearsal.ini" >"$work/rehearsal.ini"
    prepare
}
ok 'under rules of another plan' refit 's/^plan = .*/plan = 60 left,60 right,1 change/'
is 'the times are told' "$(verify 2>/dev/null | grep -o 'r1-j1-judge.journal: .*' | sort |
    sed 's/for [0-9]* s/for N s/')" \
    'r1-j1-judge.journal: left: part 1 was open for N s, planned are 60 s
r1-j1-judge.journal: right: a part was held that the plan does not have
r1-j1-judge.journal: right: part 1 of the plan was not held'
ok 'under rules that let a verdict end it' refit \
    's/^plan = .*/plan = 60 both,60 left,1 change/; s/^sealed = /early-verdict = yes\n&/'
is 'a part may be short, or not held' \
    "$(verify 2>/dev/null | grep -cE 'planned are|was not held|does not have')" 0
ok 'under rules of other first words' refit 's/^opening = .*/opening = I am X, and you are the judge/'
is 'they are told' "$(verify 2>/dev/null | grep -c 'the entity began with other words')" 2
# 2004 A3: the names that were approved are held against what was said.
approve() {
    cp "$kept/rehearsal.ini" "$work/rehearsal.ini"
    contest_new "$work/rehearsal.ini" 1 1 && contest approve E1 Ann && contest approve C1 Ann &&
        contest_draw && contest_reveal && contest begin 1
} >/dev/null
ok 'where both are approved as Ann' approve
is 'Bob is told' "$(verify 2>/dev/null | sed -n 's|.*r1-j1-judge.journal: ||p')" \
    "right: the entity gave the name 'Bob', approved is 'Ann' (2004 A3)"
ok 'under rules with one style' refit -e 's/^style = .*/style = web columns=38/' \
    -e 's/^one-style = .*/one-style = yes/'
is 'it is told' "$(verify 2>/dev/null | grep -c "page style is not 'web columns=38'")" 1

# 2004 A3: the words are said once to each judge. Held again, the session has others.
printf 'pace 5\ntype "Where were we?\\n"\n' >"$work/again.script"
printf '%s\n' 'pace 5' 'type "Again.\n"' 'ballot left 70 right 30' >"$work/judge.script"
for side in left right; do
    start "$side" entity --line "serial:$work/$side.b" --journal "records/$side" --headless \
        --script "$work/again.script"
done
start judge judge --left "serial:$work/left.a" --right "serial:$work/right.a" --session r1-j1-2 \
    --ruleset rehearsal.ini --headless --json --script "$work/judge.script" --journal records/judge
ended judge
is 'it is held again' $? 0
ended left >/dev/null
ended right >/dev/null
ok 'in the contest, too' refit ''
contest repeat r1-j1 --why 'a cable was broken' >/dev/null
others() { verify 2>/dev/null | grep -c 'r1-j1-2-judge.journal: .* began with other words'; }
is 'what was said in the spoiled session is said' "$(others)" 0
contest substitute J1 Another --why ill >/dev/null
is 'but not to another judge' "$(others)" 2
ok 'the same judge' refit ''
contest repeat r1-j1 --why 'a cable was broken' >/dev/null
rm "$journal"
is 'where that has no record it is missing' "$(others)" 2
plan
