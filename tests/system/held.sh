#!/bin/bash
# DESIGN.md, "Blindness": what an entity types while it may not waits in one queue, whoever it is, and
# goes with its own gaps when it may: before the judge's first key, and after a kill -9 of its
# terminal. What finds no room is lost, an Entry's pipe being read all the same.
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

# gaps: those between the entity's keys in the judge's record, in ms, one a line.
gaps() {
    entries "$judge" 'select(.kind == "keys" and .party == "entity") | "\(.time_us) \(.text)"' |
        awk 'NR > 1 { print int(($1 - last) / 1000) } { last = $1 }'
}
# The fourth shortest: a busy machine may read a few keys late, and two of them at once.
shortest() { gaps | sort -n | sed -n 4p; }
said() { typed_in "$judge" entity | paste -sd ''; }
has_said() { [[ $(said) == "$1" ]]; }
is_done() { grep -qs 'done' "${entity%/*}"/*-entry.log; } # what it has written to standard error
held() { (($(entries "$entity" 'select(.kind == "pressed") | .text' | tr -d '\n' | wc -m) >= $1)); }

# A person and a program type before the judge begins.
session keyboard
window person 80 24 entity --line "serial:$work/keyboard.b" --keyboard --journal keyboard.entity
reads 'the judge has to begin' person 'the judge begins'
for ((i = 0; i < ${#said}; i++)); do
    keys person -l "${said:i:1}"
    pause 0.1
done
ok 'what the person types is kept' eventually held ${#said}
is 'and not shown to the judge' "$(said)" ''
keys judge-keyboard -l x
ok "it is on the page after the judge's first key" eventually has_said "$said"
ok 'with its gaps' test "$(shortest)" -ge 60
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
    ok "$io: with its gaps" test "$(shortest)" -ge 60
    stop program
    window_close judge-$io
done
window_close person

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

# The terminal is killed in mid-sentence.
session killed
text=abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz
talk() {
    start program entity --line "serial:$work/killed.b" --journal killed.entity --headless \
        --program "exec perl $work/entry.pl $text"
}
talk
reads 'killed: the judge has his line' judge-killed ' connected '
reads 'killed: and it is open' judge-killed ' open '
begins() { # a key that comes while the ends compare their records is refused
    keys judge-killed -l x
    pause 0.3
    more 2
}
more() { (($(said | wc -m) >= $1)); }
ok 'a program types when the judge has begun' eventually begins
ok 'and goes on' eventually more 5
slay program
pause 1.5
talk
ok 'killed: nothing is lost' eventually has_said "$text"
ok "killed: it never comes faster than it may (shortest gap $(shortest) ms)" test "$(shortest)" -ge 25
stop program
plan
