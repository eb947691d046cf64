#!/bin/bash
# The venue's pace (DESIGN.md, "Blindness"): one for both kinds of entity, in every ticket, as the
# rules allow it. tests/world/test_pace.c has the gaps, whatever happens to the entity's end or the line.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/contest.sh

# venue LINE...: its file, with these lines among those of [venue].
venue() {
    local i
    printf '[venue]\nformat = 1\n'
    printf '%s\n' "$@"
    printf '[machines]\n'
    for i in 1 2 3 4; do
        printf 'booth%d.judge-a = serial:/dev/a\nbooth%d.entity-a = serial:/dev/b\n' "$i" "$i"
        printf 'booth%d.judge-b = serial:/dev/c\nbooth%d.entity-b = serial:/dev/d\n' "$i" "$i"
    done
    printf 'entry%d.program = ./entry\n' 1 2
} >"$work/venue.ini"

tickets() { "$bl" contest tickets "$work/$1.db" --venue "$work/venue.ini" --out "$work/out-$1"; }

# has LINE: in how many of the tickets of entities it is, of how many.
has() {
    local all
    mapfile -t all < <(grep -rl '^\[entity\]' "$work/out-$1")
    echo "$(grep -lx "$2" "${all[@]}" | wc -l) of ${#all[@]}"
}

ok 'a contest of 1996' contest_drawn lp96 loebner-1996
venue 'pace = message 50+-10 after 9000'
tickets lp96 >"$work/said" 2>&1
is 'its tickets are written' $? 0
count=$(has lp96 'keyboard = yes')
ok 'those of persons and programs' test "${count% of *}" -gt 0 -a "${count% of *}" -lt "${count#* of }"
is 'have the same pace' "$(has lp96 'pace = message 50+-10 after 9000')" \
    "${count#* of } of ${count#* of }"
is 'and the same characters' "$(has lp96 'characters = ascii')" "${count#* of } of ${count#* of }"
is 'no judge reads of a pace' "$(grep -rl '^pace' "$work"/out-lp96/judges-room | wc -l)" 0
venue 'hold = 30'
echo 'entry2.strip-prompt = > ' >>"$work/venue.ini"
tickets lp96 >"$work/said" 2>&1
is "what one Entry's filter holds, all keys wait" "$(has lp96 'hold = 100')" \
    "${count#* of } of ${count#* of }"

# refused TEXT: the tickets of 2009 are not written, and this is said.
refused() {
    local status
    tickets lp09 >"$work/said" 2>&1
    status=$?
    is "refused: $1" "$status $(grep -cF -- "$1" "$work/said")" '65 1'
    ((status == 65)) || sed 's/^/# /' "$work/said"
}
ok 'a contest of 2009' contest_drawn lp09 loebner-2009
venue 'pace = message'
refused "the venue's pace is 'message', and these rules want each key as it is typed (2009 §2)"
venue
echo 'entry1.pace = 110' >>"$work/venue.ini"
refused '[machines] entry1.pace: what only some entities have tells which they are'
venue 'pace = brisk'
refused 'pace "brisk"'
venue 'pace = keys 110+-30'
tickets lp09 >"$work/said" 2>&1
is 'keys may be paced' $? 0

# 2003 r30: five seconds at least, whoever answers.
ok 'a contest of 2003' contest_drawn lp03 loebner-2003
venue
tickets lp03 >"$work/said" 2>&1
is 'its tickets are written, too' $? 0
count=$(has lp03 'keyboard = yes')
ok 'for persons and programs' test "${count% of *}" -gt 0 -a "${count% of *}" -lt "${count#* of }"
is 'all of which answer after five seconds' "$(has lp03 'pace = message after 5000')" \
    "${count#* of } of ${count#* of }"
venue 'pace = message 50+-10 after 4999'
tickets lp03 >"$work/said" 2>&1
is 'a venue may not have it sooner' "$? $(cat "$work/said")" "65 boothlink contest tickets: the \
venue's pace is 'message 50+-10 after 4999', and these rules want 5 s before an answer (2003 r30): \
expected 'message after 5000' or more"
venue 'pace = message 50+-10 after 7000'
tickets lp03 >"$work/said" 2>&1
is 'but later' "$? $(has lp03 'pace = message 50+-10 after 7000')" "0 ${count#* of } of ${count#* of }"

# What the judge sees of a message.
said() { typed_in "$judge" entity | paste -sd ''; }
has_said() { [[ $(said) == "$1" ]]; }
# A person's script and a program make the same mistakes.
text='Helo\b\bllo, judge, and how are you today?\n'
printf 'await-turn 200\npace 30\ntype "%s"\nwait 3600000\n' "$text" >"$work/person.script"
printf 'pace 30\ntype "Who?\\n"\nwait 3600000\n' >"$work/judge.script"
cat >"$work/entry.pl" <<'PERL'
$| = 1;
<STDIN>;
for (split //, "Helo\b\bllo, judge, and how are you today?\n") {
    print;
    select undef, undef, undef, 0.03;
}
sleep 600;
PERL
wanted='Hello,spacejudge,spaceandspacehowspacearespaceyouspacetoday?Return'

for who in person program; do
    cable $who
    start "judge-$who" judge --left "serial:$work/$who.a" --session whole --headless \
        --script "$work/judge.script" --journal "judge-$who"
    if [[ $who == person ]]; then
        given=(--script "$work/person.script")
    else
        given=(--program 'exec perl entry.pl')
    fi
    start $who entity --line "serial:$work/$who.b" --journal "entity-$who" --headless \
        --pace 'message 60+-20 after 500' "${given[@]}"
done
for who in person program; do
    judge=$work/judge-$who/whole-judge.journal
    ok "$who: the message comes without its mistakes" eventually has_said "$wanted"
    stop $who
    stop judge-$who
done
plan
