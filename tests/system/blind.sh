#!/bin/bash
# DESIGN.md, "Blindness": one script through the keyboard's way, through a program that writes the same
# at the same cadence and through an Entry that speaks LPP gives the same record at the judge's end,
# but for the times, frames of the same lengths on the line, and no other file.
. tests/tap.sh
. tests/support/booth.sh

# What time decides is not compared: when a key came, in which order those of the two parties, which
# keys share a frame or go twice, and whether the goodbye comes before the end.
said='Well, naïve 中文 is\b\bwas my answer.\n'
turn=1500 apart='9|24' usual_words='the line is up|the other terminal was closed'
# Ends that are stopped lose each other, meet again, and say where they are.
! is_stalled || turn=8000 apart+='|31|39' usual_words+='|the line is .*'
printf 'pace 60\ntype Go on.\\n\nawait-turn %s\ntype Bye.\\n\n' "$turn" >"$work/judge.script"
printf 'await-turn 200\npace 60\ntype "%s"\n' "$said" >"$work/entity.script"
printf '%b' "$said" >"$work/said"
cat >"$work/entry.pl" <<'PERL'
use utf8;
binmode STDOUT, ':utf8';
$| = 1;
open my $said, '<:utf8', 'said' or die;
my $text = do { local $/; <$said> };
<STDIN>;
select undef, undef, undef, 0.2;
for my $key (split //, $text) {
    print $key;
    select undef, undef, undef, 0.06;
}
sleep 60;
PERL

# speak_lpp: the same by an Entry that speaks LPP, once the judge's first line is there.
speak_lpp() {
    "$BUILD/tests/system/lppclient" "$work/folder" read=7 &&
        "$BUILD/tests/system/lppclient" "$work/folder" pace=60000 "type=$said" read=5
}

# begin NAME OPTION...: a session with such an entity.
begin() {
    local name=$1
    shift
    cable "$name"
    start "judge.$name" judge --left "serial:$work/$name.a" --session blind --headless --json \
        --script "$work/judge.script" --journal "$name.judge" --trace "$work/$name.trace"
    start "entity.$name" entity --line "serial:$work/$name.b" --journal "$name.entity" --headless \
        --json "$@"
}

# finish NAME: its end; what the judge's end has of it goes to the files $work/NAME.*.
finish() {
    local name=$1 status=0
    ended "judge.$name" || status=1
    ended "entity.$name" || status=1
    (cd "$work/$name.judge" && find . | sort) >"$work/$name.files"
    entries "$work/$name.judge/blind-judge.journal" . >"$work/$name.record"
    # The keys of each party one by one, then all else.
    jq -cs '(group_by(.party)[] | select(.[0].kind == "keys") | {party: .[0].party, kind: "keys",
        text: map(.text) | add}), (.[] | select(.kind != "keys" and .code != "line") |
        del(.time, .time_us, .digest))' "$work/$name.record" >"$work/$name.contents"
    return $status
}

# The frames of the trace NAME that go this way. Connecting (24 bytes) and bare acknowledgements (9)
# come in their own time.
frames() { sed -n "s/^$2 //p" "$work/$1.trace" | grep -vxE "$apart"; }

# usual NAME WAY: the length that most of them have, and so a key that is alone in one.
usual() { frames "$@" | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }'; }

# too_many NAME: those from the entity's end beyond one a key, the few that begin and end a session,
# and what went twice.
too_many() {
    local keys resent
    keys=$(report "entity.$1" .keys_pressed)
    resent=$(report "entity.$1" .frames_resent)
    (($(frames "$1" '<' | wc -l) > keys + resent + 20))
}

# fields NAME: those of the end's last report.
fields() { report "$1" '[paths | map(strings) | join(".")] | unique[]'; }

# off NAME: how many gaps between the entity's keys, by its own record, are off the script's 60 ms.
off() {
    entries "$work/$1.entity/blind-entity.journal" 'select(.kind == "pressed")' |
        jq -s '[.[].time_us] | [.[1:], .[:-1]] | transpose | map(.[0] - .[1] - 60000 | fabs) |
            map(select(. > 1000)) | length'
}

mkdir "$work/folder"
begin held --hold 60 --script "$work/entity.script"
begin keyboard --script "$work/entity.script"
begin program --program 'exec perl entry.pl'
begin lpp --lpp "$work/folder"
speak_lpp
is 'the Entry that speaks LPP has heard the judge out' $? 0
for name in keyboard program lpp; do
    finish $name
    is "a session with a $name ends well" $? 0
    is "$name: no other frames" "$(too_many $name && frames $name '<' | sort | uniq -c)" ''
done
for name in program lpp; do
    equal "$name: the judge's records are the same" "$work/keyboard.contents" "$work/$name.contents"
    is "$name: the line is told of in the same words" "$(jq -r 'select(.code == "line") | .text' \
        "$work/$name.record" "$work/keyboard.record" | grep -vxE "$usual_words")" ''
    for way in '<' '>'; do
        is "$name: a key has a frame of the same length, $way" "$(usual $name "$way")" \
            "$(usual keyboard "$way")"
    done
    equal "$name: the files are the same" "$work/keyboard.files" "$work/$name.files"
    is "$name: the judge's report has the same fields" "$(fields "judge.$name")" \
        "$(fields judge.keyboard)"
done
is 'none of them is a time of the line, by which one entity is told from another' \
    "$(fields judge.program | grep -E '_[mu]s$|trip')" ''
is 'there is the record and nothing else' "$(xargs <"$work/program.files")" \
    '. ./blind-judge.journal'
is 'all that was said is on it' "$(jq -r 'select(.party == "entity") | .text' \
    "$work/program.record" | tr -d '\n' | wc -m)" "$(($(wc -m <"$work/said")))"
ok 'no word of a program is in it' test "$(cat "$work"/{program,lpp}.record |
    grep -ciE 'perl|entry|program|keyboard|script|lpp')" = 0
finish held
is 'a session in which keys are held ends well' $? 0
# An Entry's are then dated by the clock of files, if its folder is looked at now and then.
ok "each key's time is as coarse as a file's" test "$(off held)" -ge 4
ok 'one key is a frame of at most 16 bytes' test "$(usual program '<')" -le 16
plan
