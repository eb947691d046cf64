#!/bin/bash
# Each verb of contest is killed (kill -9) before calls that change a file: what killed.sh tells.
# Those with a test of their own are swept there; the rest here, and none is forgotten.
. tests/tap.sh
. tests/support/contest.sh
. tests/support/ballots.sh
. tests/support/killed.sh

# What changes no file, and who sweeps the rest.
reads='rulesets show log result export verify report times sheet screening opening similar rates power odds data'
elsewhere='template:setup setup:setup new:setup tickets:setup collect:collect
    repeat:mend substitute:mend rename:mend withdraw:mend conflict:mend disqualify:mend begin:mend
    seal:mend copy:mend settle:collect undo/begin:mend undo/withdraw:mend undo/disqualify:mend undo/seal:mend'
here='machine add approve ballot choose coin/commit coin/toss confer dates deliver dispute draw/commit draw/reveal
    draw/again erased import interests invite limit undo/limit undo/ballot exclude undo/exclude lose prelim
    select allot schedule screen score rank trial phrase publish'

# all: the verbs, with the words that say which of several acts they do, by their own help.
all() {
    local verb words
    "$BUILD/boothlink" contest --help | sed -n '/^Verbs:/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p' |
        while read -r verb; do
            words=$("$BUILD/boothlink" contest "$verb" --help | sed -n '/^Usage/,/^$/p' | tr -s ' \n' ' ' |
                grep -oE 'FILE [a-z]+( [A-Za-z][-0-9j]+)?(\|[a-z]+( [A-Za-z][-0-9j]+)?)+' | sed -E 's/FILE //; s/ [A-Za-z][-0-9j]+//g')
            if [[ $words ]]; then
                while read -r word; do echo "$verb/$word"; done <<<"${words//|/$'\n'}"
            else
                echo "$verb"
            fi
        done
}
known() { tr -s ' \n' '\n' <<<"$reads $here $elsewhere" | sed 's/:.*//' | grep . | sort; }
is 'every verb is swept, or changes nothing' "$(diff <(all | sort) <(known))" ''
missing=
for one in $elsewhere; do
    verb=${one%:*} script=tests/system/${one#*:}.sh
    grep -qE "^ *(${verb/\// }|killed ${verb})( |$)" "$script" || missing+=" $one"
done
is 'those that others sweep are swept there' "$missing" ''

if ! strace -o "$TMPDIR/trace" true 2>"$TMPDIR/why"; then
    skip 'killed at any moment' "strace may not trace here: $(head -n 1 "$TMPDIR/why")"
    plan
    exit
fi
start=$TMPDIR/start
swept=
acts() { contest export --json | jq -c "[.acts[$1:][] | [.kind, .body]] | unique | length"; }
prepare() { rm -rf "$file"* "$TMPDIR/published" && cp -r "$start"/. "$TMPDIR"; }
# One that is done already is refused when it is done again.
run() {
    "$@" "$BUILD/boothlink" contest "${verb[0]}" "$file" "${verb[@]:1}"
    local status=$?
    ((status == 65 && ! $#)) && status=0
    return "$status"
}
done_well() {
    [[ $(acts "$before") == "$adds" && ! -e $file-journal && ! $(find "$TMPDIR" -name '*.part') ]] &&
        quiet contest verify && { [[ ${verb[0]} != publish ]] || [[ -s $TMPDIR/published/r1-j1.txt ]]; }
}
# sweep NAME ADDS VERB...: from the contest as it stands now, which it leaves with the verb done.
sweep() {
    local adds=$2 before
    local -a verb=("${@:3}")
    rm -rf "$start" && mkdir "$start" && cp "$file"* "$start"
    before=$(contest export --json | jq '.acts | length')
    killed "$1" prepare run done_well
    swept+="$1 "
}

# The register, the screening and the choice of the finalists: 2003 with too many Entries.
contest new --name 'A contest' --ruleset loebner-2003 >/dev/null
sweep add 1 add judge 'Judge 1'
sweep machine 1 machine booth-1-judge "$("$BUILD/boothlink" key new "$TMPDIR/line.key" 2>/dev/null)"
for i in 1 2 3 4 5 6 7 8 9; do contest add entry "Entry $i" --submitter "Author $i" --rights; done >/dev/null
for i in 1 2 3 4; do contest add preliminary "Panel $i"; done >/dev/null
sweep dates 1 dates closes=2030-06-30
sweep allot 4 allot
sweep prelim 1 prelim P1 E1 E2 E3 E4 E5 E6 E7
contest_new loebner-2003 5 9 1
echo '{"ranks": [[1,2,3,4,5,6,7,8,9],[1,2,3,4,5,6,8,9,7],[1,2,3,4,5,6,9,7,8]]}' >"$TMPDIR/data.json"
for i in 1 2 3; do contest add preliminary "Panel $i"; done >/dev/null
sweep select 3 select --data "$TMPDIR/data.json"
sweep choose 1 choose E7 --why 'the panel (r37)'
sweep lose 1 lose E1 --why 'cannot run'
contest_new loebner-2004 2 2
sweep approve 1 approve C1 Ann
sweep interests 1 interests C1 --family 'Bo Lee,Cy Lee'
sweep deliver 1 deliver E1 'Two 1.0' --received 2004-07-01 --why late
sweep invite 1 invite E1 --why merit
printf 'time: What day is it?\n' >"$TMPDIR/questions"
contest_new loebner-2009 1 1
# Only what the contest's file sees: what the sandbox's processes do is not the same each time.
FOLLOW='' changing=pwrite64,fsync,fdatasync,unlink sweep screen 1 screen E1 "$TMPDIR/questions" --folder "$TMPDIR" --at 2009-09-06T10:00 \
    --program 'stty -echo; echo Hello; while read -r line; do echo Sunday; done'
sweep score 1 score E1 1 80

# The draw, and a round: 2009 with one booth.
contest_new loebner-2009 1 1
sweep draw/commit 1 draw commit --public 'the lottery of 5 June'
rm "$file.seed"
sweep draw/again 1 draw again --why 'the disk broke' --public 'the lottery of 12 June'
sweep schedule 1 schedule
sweep draw/reveal 1 draw reveal --value '3 14 15' --by 'A. Notary'
contest begin 1 >/dev/null
sweep ballot 1 ballot J1 E1C1 confederate
sweep rank 1 rank J1 E1=1
sweep undo/ballot 1 undo ballot r1-j1 --why late
sweep exclude 1 exclude r1-j1 --why 'took part before'
sweep undo/exclude 1 undo exclude r1-j1 --why 'a mistake'
sweep erased 1 erased E1 --why 'disk wiped'

contest_new loebner-2009 1 1
contest_draw && contest_reveal && contest begin 1 >/dev/null
ballot r1-j1 left >"$TMPDIR/r1-j1-judge.ballot"
sweep import 1 import "$TMPDIR/r1-j1-judge.ballot"

# What a referee says, a trial, and equals.
contest_new loebner-1996 1 1 1
sweep limit 1 limit C1 --text 'No names.' --why 'two were told'
sweep undo/limit 1 undo limit C1 --why 'it is over'
contest_new longbet-2002 3 1 3
contest_draw && contest_reveal && contest_begin
sweep trial 1 trial
contest_new loebner-2003 5 2 1
contest_draw && contest_reveal && contest_begin
for judge in J1 J2 J3 J4 J5; do
    contest ballot $judge E1 3.5 && contest ballot $judge E2 3.5 && contest ballot $judge C1 4
done >/dev/null
mkdir "$TMPDIR/logs"
sweep phrase 1 phrase 'My secret' --why private
echo 'Judge: My secret' >"$TMPDIR/logs/r1-j1.txt"
sweep publish 0 publish "$TMPDIR/logs" --out "$TMPDIR/published"
sweep confer 1 confer E1 --votes 2:3
sweep dispute 1 dispute 'Does E2 break the rules?' E2 --votes 2:2
sweep coin/commit 1 coin commit
sweep coin/toss 1 coin toss
is 'all that is to be swept here was' "$(diff <(tr ' ' '\n' <<<"$swept" | grep . | sort) \
    <(tr -s ' \n' '\n' <<<"$here" | grep . | sort))" ''
plan
