#!/bin/bash
# DESIGN.md, "Blindness": what a program types while it may not waits in one queue, as a person's keys do
# (tests/world/test_pace.c, with the gaps). What finds no room is lost, its pipe being read all the same.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh

said=early,
cat >"$work/entry.pl" <<'PERL'
$| = 1;
for (split //, shift) {
    print;
    select undef, undef, undef, shift || 0.1;
}
print STDERR "done\n";
sleep 600;
PERL

# session NAME: the judge's window, on a cable of that name; he has not begun.
session() {
    cable "$1"
    window "judge-$1" 80 24 judge --left "serial:$work/$1.a" --session "$1" --journal "$1.judge"
    judge=$work/$1.judge/$1-judge.journal
    entity=$work/$1.entity/$1-entity.journal
}

said() { typed_in "$judge" entity | paste -sd ''; }
has_said() { [[ $(said) == "$1" ]]; }
is_done() { grep -qs 'done' "${entity%/*}"/*-entry.log; } # what it has written to standard error
held() { (($(entries "$entity" 'select(.kind == "pressed") | .text' | tr -d '\n' | wc -m) >= $1)); }

# A program types before the judge begins.
for io in pty pipe; do
    session $io
    start program entity --line "serial:$work/$io.b" --journal $io.entity --headless \
        --program-io $io --program "exec perl $work/entry.pl $said"
    reads "$io: the judge has his line" judge-$io ' connected '
    reads "$io: and it is open" judge-$io ' open '
    ok "$io: what the program types is kept" eventually held ${#said}
    ok "$io: all of it" eventually is_done
    is "$io: and not shown to the judge" "$(said)" ''
    keys judge-$io -l x
    ok "$io: it is on the page after the judge's first key" eventually has_said "$said"
    stop program
    window_close judge-$io
done

# A hundred thousand keys at once: the queue has room for 4,096, and the program is not held up.
session flood
start program entity --line "serial:$work/flood.b" --journal flood.entity --headless \
    --program-io pipe --program "perl -e 'print q(0123456789) x 10_000'; echo done >&2; sleep 600"
ok 'a program that writes a hundred thousand keys is read to the end' eventually is_done
ok 'its first 4,096 are kept' held 4096
is 'and no more' "$(entries "$entity" 'select(.kind == "pressed") | .text' | tr -d '\n' | wc -m)" 4096
ok "that more are lost is on the entity's record" says "$entity" refused 'a key is lost'
is "and not on the judge's" "$(notes "$judge" refused)" ''
stop program
window_close judge-flood

plan
