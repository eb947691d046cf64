# shellcheck shell=bash
# Our Entry under an organiser's judge program: lpp_entry KEYS RESTARTS. Source it after booth.sh.
: "${work:=}"

# An Entry on a pty, raw: writes KEYS keys, each kind of the appendix first, keeps what it is given.
# What it types is of its seed alone, in pieces that come at once and key by key.
write_talker() {
    cat >"$work/talker.pl" <<'PERL'
use strict; use warnings; use utf8; use Time::HiRes qw(sleep);
my ($keys, $got, $sent) = @ARGV;
system 'stty raw -echo' if -t STDIN;
my @kinds = ("\b", "\t", "\n", map(chr, 32 .. 126), 'é', 'ß', 'Ω', '€', '日', '😀');
binmode STDOUT, ':utf8';
STDOUT->autoflush(1);
open my $in, '>>:raw', $got or die; $in->autoflush(1);
open my $out, '>>:utf8', $sent or die; $out->autoflush(1);
my $typed = 0;
sub type {
    my ($count) = @_;
    while ($count-- > 0 && $typed < $keys) {
        my $dice = ($typed * 7919 + int($typed / 5) * 13) % 1009;
        my $char = $typed < @kinds ? $kinds[$typed] : $dice % 19 == 0 ? "\b" : $kinds[$dice % @kinds];
        $typed++;
        print $out $char;
        print $char;
    }
}
# It types as it is typed to, so that both are under way whenever one is killed.
while (1) {
    my $bits = ''; vec($bits, 0, 1) = 1;
    if (select($bits, undef, undef, $typed < $keys ? 0.02 : undef)) {
        sysread(STDIN, my $bytes, 512) or last;
        print $in $bytes;
        type(length $bytes);
    } else {
        type(9);
    }
}
PERL
}

# in_text PARTY FILE: of that end's record, the characters of a party.
in_text() {
    typed_in "$1" "$2" | perl -CSD -Mutf8 -ne '
        BEGIN { %c = (space => " ", Return => "\n", Tab => "\t", BackSpace => "\b") }
        chomp; print $c{$_} // (/^U\+([0-9A-F]{4,})$/ ? chr hex $1 : $_)'
}

judge_program() {
    perl tests/system/lpp_judge.pl "$folder" "$work/judge" "$1" 7 "$2" 2>"$work/judge.err" &
    pid_of['judge']=$!
}

terminal() {
    start entity entity --lpp-entry "$folder" --journal entity --headless --json --no-sandbox \
        --program "exec perl $work/talker.pl $keys $work/entry.got $work/entry.sent" "$@"
}

typed_so_far() { (($(wc -c <"$work/judge.sent") > $1)); }

# lpp_entry KEYS RESTARTS: KEYS keys each way; both ends are killed so often, one after the other.
lpp_entry() {
    local keys=$1 times=$2 i
    folder=$work/folder
    mkdir "$folder"
    : >"$work/judge.sent"
    write_talker
    terminal --session long
    judge_program "$keys" "$keys"
    for ((i = 1; i <= times; i++)); do
        eventually typed_so_far $((i * keys / (times + 1))) || break
        if ((i % 2)); then
            slay entity
            terminal --session long
        else
            kill "${pid_of[judge]}"
            ended judge
            judge_program "$keys" "$keys"
        fi
    done
    ended judge
    is "$keys keys each way: the judge's program has all, each by its name, numbers strictly grow" $? 0
    sed 's/^/# the judge program: /' "$work/judge.err"
    record=$work/entity/long-entity.journal
    in_text "$record" judge >"$work/record.judge"
    in_text "$record" entity >"$work/record.entity"
    equal 'what the judge typed is on record' "$work/judge.sent" "$work/record.judge"
    tr '\b' '\177' <"$work/judge.sent" >"$work/entry.meant"
    equal 'and reached the Entry, a BackSpace as its erase character' \
        "$work/entry.meant" "$work/entry.got"
    equal 'what the Entry wrote is on record' "$work/entry.sent" "$work/record.entity"
    equal "and on the judge's page" "$work/entry.sent" "$work/judge.got"
    is 'the folder is empty' "$(find "$folder" -mindepth 1 | wc -l)" 0
    is 'it was started again so often' "$(notes "$record" restart | grep -c 'started again')" $(((times + 1) / 2))
    stop entity
    is 'it ends well' $? 0
}
