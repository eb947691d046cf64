#!/bin/bash
# What an entrant reads of his program's faults: each once, with its own place, what to mend first at the
# top, and nothing of what other rules ask for.
. tests/tap.sh
. tests/support/validate.sh

elsewhere=$work/$(printf '%0150d' 0)/elsewhere # a long path, which is given whole
mkdir -p "$work/entry" "$elsewhere"

if ! unshare -Urnm true 2>/dev/null; then
    skip 'reports of faults' 'namespaces are not allowed'
    plan
fi

# validate NAME RULESET COMMAND OPTION...: its report is $work/NAME.json.
validate() {
    (cd "$work/entry" && exec "$bl" validate entry --ruleset "$2" --start-time 60 --answer 10 \
        --quiet 0.3 --silence 0.5 --end-time 5 --json --html "$work/$1.html" --program "${@:3}" \
        >"$work/$1.json" 2>/dev/null)
}
# of NAME JQ
of() { jq -r "$2" "$work/$1.json"; }
verdict() { of "$1" ".checks[] | select(.id == \"$2\") | .verdict"; }
came() { of "$1" ".checks[] | select(.id == \"$2\") | .came"; }
bad() { of "$1" '[.checks[] | select(.verdict == "FAIL") | .id] | join(" ")'; }

# ^C: what is known so far is told, and what is not.
(cd "$work/entry" && exec "$bl" validate entry --ruleset loebner-2009 --html "$work/stopped.html" \
    --program "perl -ne 'BEGIN { \$| = 1 } print \"I see.\\n\"'") >"$work/stopped" 2>/dev/null &
stopped=$!
ok 'a validation begins' eventually grep -q '^PASS ' "$work/stopped"
kill -INT $stopped
is 'what the rules want besides is said before any check' "$(head -n 1 "$work/stopped" | cut -d'(' -f1)" \
    'loebner-2009 cannot accept it: it demands an Entry that speaks the Loebner Prize Protocol '
wait $stopped
is 'stopped it ends as any program' $? 130
ok 'and says how much it has looked at' grep -qE '^loebner-2009 gives no verdict: [0-9]+ of [0-9]+ checks were not run$' "$work/stopped"
ok 'the page begins with that' grep -q 'No verdict yet; passed: [0-9]* of ' "$work/stopped.html"
is 'the columns of a rule are of characters' "$("$bl" validate list --ruleset loebner-2009 |
    perl -CS -ne 'print substr($_, 35, 5) if /^start\.(memory|quiet) /')" staystypes

# The programs, and all that is validated, at once: it is nearly all waiting.
cat >"$work/entry/crashes.pl" <<'PERL'
use strict; use warnings; use Time::HiRes qw(sleep);
$| = 1;
my $lines = 0;
while (my $line = <STDIN>) {
    kill 'SEGV', $$ if ++$lines == 8;
    for (split //, "Well, I do not know.\n") { print; sleep 0.012 }
}
PERL
validate crash loebner-2009 'perl crashes.pl' --only start,talk,keys.single,keys.utf8,judge,end,crash &
spins='while (<STDIN>) { if (length > 2000) { 1 while 1 } print "Well, yes.\n" }'
validate spins loebner-2009 "perl -e '\$|=1; $spins'" --answer 2 --only talk.first,talk.long &
sleeps='while (<STDIN>) { if (length > 2000) { sleep 100 } print "Well, yes.\n" }'
validate sleeps loebner-2009 "perl -e '\$|=1; $sleeps'" --answer 2 --only talk.first,talk.long &
cat >"$work/entry/slow.pl" <<'PERL'
use strict; use warnings; use Time::HiRes qw(sleep time);
my $last = 0;
while (1) {
    opendir my $dir, 'lpp' or die; my @names = sort grep { /\.judge$/ } readdir $dir; closedir $dir;
    for my $name (@names) {
        rmdir "lpp/$name";
        sleep 0.025 if @names > 100;
        next unless $name =~ /Return/;
        for (split //, 'Well') { my $now = int(time * 1000); $last = $now > $last ? $now : $last + 1; mkdir sprintf 'lpp/%018d.%s.other', $last, $_; sleep 0.01 }
    }
    sleep 0.01;
}
PERL
mkdir "$work/entry/lpp"
validate slow loebner-2009 'perl slow.pl' --lpp lpp --answer 2 --only talk.first,talk.long,lpp.digits &
sed 's/%018d/%010d/; s/time \* 1000/time/' "$work/entry/slow.pl" >"$work/entry/ten.pl"
validate ten loebner-2009 'perl ten.pl' --lpp lpp --only talk.first,lpp.digits &
validate ten2010 loebner-2010 'perl ten.pl' --lpp lpp --only start.time,talk.first,lpp.names,lpp.order &
cat >"$work/entry/opens.pl" <<'PERL'
$| = 1; print "Bot> ";
while (<STDIN>) { print $. == 1 ? "Hello, my name is Ann and I am the human.\n" : "Yes.\n", "Bot> " }
PERL
validate prompt loebner-2004 'perl opens.pl' --only start.time,talk.first,opening.words &
# It wants a file for all but short plain lines, and the file is not there.
cat >"$work/entry/misses.pl" <<'PERL'
$| = 1;
while (<STDIN>) {
    if (length > 30 || /[^\x00-\x7f]/ || /^\s*$/) { open my $f, '<', 'words.txt' or die "words.txt: $!\n" }
    for (split //, "Well, yes.\n") { print; select undef, undef, undef, 0.012 }
}
PERL
validate misses loebner-2009 'perl misses.pl' --only start,talk,cut,crash &
# It ends with each third line since its start.
cat >"$work/entry/third.pl" <<'PERL'
$| = 1;
while (<STDIN>) { die "no words are left\n" if $. == 3; print "Well, yes.\n" }
PERL
validate third loebner-2009 'perl third.pl' --only start.time,talk.returns,talk.backspace,talk.paste,talk.unicode,crash &
printf '#!/bin/sh\ncat\n' >"$elsewhere/entry"
chmod +x "$elsewhere/entry"
validate outside loebner-2009 "$elsewhere/entry" --only start &
validate read_outside loebner-2009 "sh $elsewhere/entry" --only start &
sed '/^ *kill/d; s/do not know/do not\\x07 know/' "$work/entry/crashes.pl" >"$work/entry/whole.pl"
validate whole loebner-2009 'perl whole.pl' &
wait

# One that ends by a signal with each eighth line since its start.
is 'a crash is one failure' "$(bad crash)" crash.signal
# shellcheck disable=SC2053 # the right side is a pattern
like() { [[ $1 == $2 ]]; }
ok 'that says when' like "$(came crash crash.signal)" '*signal 11*'
is 'what comes after it is looked at' \
    "$(for c in talk.unicode keys.utf8 judge.second end.signal; do verdict crash $c; done | xargs)" \
    'PASS PASS PASS PASS'
is 'it is what to mend first' "$(of crash .first)" crash.signal
again=$(of crash '.checks[] | select(.id == "crash.signal").again | sub("^.* --only "; " --only ")')
ok 'what repeats it has the check that ran at the time' like "$again" ' --only *,crash.signal --seed *'
ok 'on the page, too' grep -qF -- "$again<" "$work/crash.html"

# The check to be mended first is repeated by its command, and so is a crash that others had to bring about.
is 'the check that ends it by itself is to be mended first' "$(of third .first)" talk.returns
for id in talk.returns crash.signal; do
    only=$(of third ".checks[] | select(.id == \"$id\").again | sub(\"^.* --only \"; \"\")")
    validate again loebner-2009 'perl third.pl' --only "${only%% *}"
    is "its command repeats $id" "$(bad again)" $id
    ok 'with its error' test "$(of again '[.checks[] | .evidence[] | select(test("no words are left"))] | length')" = 1
done

# One file that is missing fails the check that finds it, and no other.
is 'a missing file is one failure' "$(bad misses)" talk.long
ok 'which names it' test "$(of misses '.checks[] | select(.id == "talk.long") | .evidence[] | select(test("words.txt: No such file"))' | wc -l)" = 1
ok 'others that need it say so' test "$(of misses '[.checks[] | select(.what | test("needs talk.long: the same file is missing"))] | length')" -ge 5
ok 'what does without it is looked at' test "$(verdict misses talk.backspace)" = PASS

# Where it stands in a long line.
ok 'one that spins is told' like "$(came spins talk.long)" 'it has taken all 4000 keys and computes, with * it spins*'
ok 'from one that does nothing' like "$(came sleeps talk.long)" 'it has taken 4000 of 4000 keys and does nothing*'
# Under LPP one takes 40 keys a second.
ok 'and from one at work' like "$(came slow talk.long)" 'it has taken * of 4000 keys and goes on at * a second: at work, but slow'

# Ten digits are a warning in 2009, where entity --lpp takes them, and nothing in 2010.
is 'ten digits: a warning in 2009' "$(verdict ten lpp.digits)" WARN
is 'which does not cost the place' "$(of ten .verdict)" open
is 'nor in 2010' "$(of ten2010 .verdict)" open

# A prompt before the opening words, and a program that is not in its folder.
ok 'the prompt that hides the opening words is named' \
    test "$(of prompt '[.checks[] | .evidence[] | select(test("hint: .*--strip-prompt .Bot> "))] | length')" -ge 1
ok 'so is one that an interpreter is to read' \
    test "$(of read_outside '[.checks[] | .evidence[] | select(test("hint: .*elsewhere/entry is not in its folder.*--folder .*/elsewhere$"))] | length')" -ge 1
ok 'a program outside its folder is told how' \
    test "$(of outside '[.checks[] | .evidence[] | select(test("hint: .*elsewhere/entry is not in its folder.*--folder .*/elsewhere$"))] | length')" -ge 1

# A whole report.
is 'nothing of other rulesets is listed' \
    "$(of whole '[.checks[] | select(.id | test("^(r1996|opening|lpp)")) | .id] | join(" ")')" \
    "$(of whole '[.checks[] | select(.id | test("^lpp")) | .id] | join(" ")')"
is 'nor told as not asked for' "$(of whole '[.checks[] | select(.what | test("does not ask"))] | length')" 0
page=$work/whole.html
before() { (($(grep -bo "$1" "$page" | head -1 | cut -d: -f1) < $(grep -bo "$2" "$page" | head -1 | cut -d: -f1))); }
ok 'the page says what to mend first, before all checks' before 'Mend first' 'The checks'
ok 'it has the date and the version' \
    grep -qE "boothlink $("$bl" --version | grep -oE '[0-9.]+' | head -1), 20[0-9-]+" "$page"
ok 'and the gaps as a plot' grep -q '<svg.*' "$page"
ok 'with a bar for each length' test "$(grep -o 'fill="#444"' "$page" | wc -l)" = 8
plan
