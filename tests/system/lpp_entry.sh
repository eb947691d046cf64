#!/bin/bash
# The other side of LPP: what sits at an organiser's judge program, a pty program, a script, an Entry of
# LPP, has all that the judge types and reaches his page key by key, over restarts of either.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh
. tests/support/lpp_entry.sh

patience=150 lpp_entry 600 4

# A judge of 2009 begins; what was typed before the terminal was there is not lost.
rm -f "$work"/judge*
judge_program 30 0
eventually test -s "$work/judge.sent"
printf 'pace 5\ntype "I am here."\nwait 3600000\n' >"$work/person.script"
start entity entity --lpp-entry "$folder" --journal entity --headless --json --session early \
    --script "$work/person.script"
record=$work/entity/early-entity.journal
has_typed() { [[ $(in_text "$record" "$1") == "$2" ]]; }
all_taken() { has_typed judge "$(cat "$work/judge.sent")" && [[ $(wc -m <"$work/judge.sent") -ge 30 ]]; }
ok 'what a judge typed before is taken, in order' eventually all_taken
kill "${pid_of[judge]}" 2>/dev/null
ended judge

# Our own judge's end has the same folder, with an Entry of LPP behind us that has another one.
stop entity
rm -r "$folder"
mkdir "$folder" "$work/own"
printf 'pace 3\ntype "Hello \\"there\\"é\\n"\nwait 3600000\n' >"$work/judge.script"
start judge lpp-judge "$folder" --session both --headless --json --script "$work/judge.script" \
    --journal judge-records
start entity entity --lpp-entry "$folder" --lpp "$work/own" --journal entity --headless --json \
    --session both
"$BUILD/tests/system/lppclient" "$work/own" got="$work/lpp.got" read=15 'type=Hi, "a|b\n' taken
is 'an Entry of LPP reads what the judge types' "$(xargs -d '\n' <"$work/lpp.got")" \
    'H e l l o space quotedbl t h e r e quotedbl é Return'
record=$work/judge-records/both-judge.journal
ok 'and is on our judge page' eventually has_typed entity 'Hi, "a|b'
start second entity --lpp-entry "$folder" --journal second --headless --keyboard
ended second
is 'a second Entry in the folder is refused' $? 75
ok 'and told why' test "$(cat "$work/second.err")" == \
    "boothlink entity: $folder: another terminal of boothlink is the Entry here"
are_empty() { [[ -z $(find "$folder" "$work/own" -mindepth 1) ]]; }
ok 'both folders are empty' eventually are_empty
stop judge
stop entity

# A call for the steward is for the room of who calls: it needs no judge's end of ours.
window person 80 24 entity --lpp-entry "$folder" --keyboard --journal person --session person
reads 'a person sits at the judge program' person 'connected'
keys person F12
reads 'F12 asks for a hand too' person 'You have called the steward: raise your hand too, and wait.'
is 'and it is on record' "$(notes "$work/person/person-entity.journal" steward)" 'the steward is called'
window_close person

refused() {
    is "$1: exit code" "$(booth "${@:3}" 2>&1 >/dev/null; echo $?)" "boothlink entity: $2"
}
refused 'a line and a folder' 'expected one of --line PORT and --lpp-entry DIR: each is a way to a judge
64' entity --line serial:/dev/null --lpp-entry "$folder" --keyboard
refused 'one folder for both' "--lpp and --lpp-entry are one folder: expected one of the Entry's own \
and one of the judge program's
64" entity --lpp-entry "$folder" --lpp "$folder/." --headless
refused 'who begins on a line' \
    "--starts goes with --lpp-entry: on a line the judge's end says who begins
64" entity --line serial:/dev/null --starts either --keyboard
plan
