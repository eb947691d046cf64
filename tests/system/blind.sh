#!/bin/bash
# Blindness (design): one script through the keyboard's way and through a program that writes the
# same at the same cadence gives the same record at the judge's end, but for the times, the same
# frames on the line, and no other file.
. tests/tap.sh
. tests/support/booth.sh

# On a machine that has more to do a frame now and then goes twice, or two keys share one: then once
# more, while there is time.
until=80
said='Well, naïve 中文 is\b\bwas my answer.\n'
printf 'pace 60\ntype Go on.\\n\nawait-turn 1500\ntype Bye.\\n\n' >"$work/judge.script"
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

# round NAME OPTION...: a session with such an entity; what the judge's end has of it goes to the
# files $work/NAME.*.
round() {
    local name=$1 journal=$work/judge/blind-judge.journal
    shift
    rm -rf "$work"/judge "$work"/entity "$work/trace"
    cable line
    start judge judge --left "serial:$work/line.a" --session blind --headless --json \
        --script "$work/judge.script" --journal judge --trace "$work/trace"
    start entity entity --line "serial:$work/line.b" --journal entity --headless --json "$@"
    ended judge || return
    ended entity || return
    slay line
    (cd "$work/judge" && find . | sort) >"$work/$name.files"
    "$bl" journal show "$journal" --json | jq -c 'del(.time, .time_us)' >"$work/$name.record"
    # Connecting (24 bytes) and bare acknowledgements (9) come in their own time.
    grep -vE ' (9|24)$' "$work/trace" >"$work/$name.frames"
}

same() { cmp -s "$work/keyboard.$1" "$work/program.$1"; }

undisturbed() {
    (($(report judge .sides.left.frames_resent) + $(report entity .frames_resent) == 0))
}

# round_alone NAME OPTION...: rounds until no frame went twice.
round_alone() {
    while round "$@"; do
        undisturbed && return
        ((SECONDS < until)) || return 0
        echo "# $1: a frame went twice"
    done
    return 1
}

both_rounds() {
    round_alone keyboard --script "$work/entity.script" &&
        round_alone program --program 'exec perl entry.pl'
}

while both_rounds; do
    if { same record && same frames; } || ((SECONDS > until)); then
        ended_well=0
        break
    fi
    echo '# not the same at the first look'
done
result "${ended_well-1}" 'both sessions end well'
equal "the judge's records are the same" "$work/keyboard.record" "$work/program.record"
equal 'the frames are the same' "$work/keyboard.frames" "$work/program.frames"
equal 'so are the files' "$work/keyboard.files" "$work/program.files"
is 'there is the record and nothing else' "$(xargs <"$work/program.files")" \
    '. ./blind-judge.journal'
is 'all that was said is on it' "$(jq -r 'select(.party == "entity") | .text' \
    "$work/program.record" | tr -d '\n' | wc -m)" "$(($(wc -m <"$work/said")))"
ok 'no word of a program is in it' test "$(grep -ciE 'perl|entry|program|keyboard|script' \
    "$work/program.record")" = 0
ok 'one key is a frame of at most 16 bytes' test "$(sed -n 's/^< //p' "$work/program.frames" |
    sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }')" -le 16
plan
