#!/bin/bash
# The command `boothlink validate`: a real Entry is passed, and nothing that one does is left: not on
# the disk, not as a process, whether the validator comes to its end or is stopped.
. tests/tap.sh
. tests/support/validate.sh

mkdir "$work/entry" "$work/home"
echo 'it belongs to the Entry' >"$work/entry/file"

# validate COMMAND OPTION...: in its folder, with times for a test.
validate() {
    (cd "$work/entry" && HOME=$work/home exec "$bl" validate entry --ruleset loebner-2003 \
        --start-time 60 --answer 30 --quiet 0.3 --silence 0.5 --end-time 5 --program "$@")
}

# left: what there is of our folders, and how many processes have their mark, an argument, in them.
left() {
    (cd "$work" && find entry home -type f -print -exec cat {} +)
    marked "$1"
}

untouched="entry/file
it belongs to the Entry
0"

is 'the list names each check once' "$("$bl" validate list | awk '{print $1}' | sort | uniq -d)" ''
is 'a ruleset has its own rules' \
    "$("$bl" validate list --ruleset loebner-2004 --only keys.single --json |
        jq -c '.[0].rules')" '[{"ruleset":"loebner-2004","rule":"A5","broken":"FAIL"}]'
ok 'the list is as long in JSON as in text' test \
    "$("$bl" validate list --json | jq length)" = "$("$bl" validate list | wc -l)"

for wrong in '' 'judge' 'entry' 'entry --program x' 'entry --program x --ruleset none' \
    'entry --program x --ruleset loebner-2004 --only none' \
    'entry --program x --ruleset loebner-2004 --only talk,none' \
    'entry --program x --ruleset loebner-2004 --answer never' \
    'entry --program x --ruleset loebner-2004 --memory 1.5' \
    'entry --program x --ruleset loebner-2004 --seed 99999999999999999999' \
    'comms --program x --ruleset loebner-2004 --judge-end {prt} --entity-end {port}' \
    'list --only none' \
    'entry --program x --ruleset loebner-2004 --folder /nowhere' \
    'entry --program x --ruleset loebner-2004 --folder /'; do
    # shellcheck disable=SC2086 # words
    said=$("$bl" validate $wrong 2>&1 >/dev/null)
    status=$?
    ok "one line for 'validate $wrong'" test \
        "$(grep -c . <<<"$said")" = 1 -a $((status == 64 || status == 66)) = 1
done

said=$(validate cat --html "$work/nowhere/page.html" 2>&1)
is 'a page that cannot be written is told before all checks' "$?:$(grep -c . <<<"$said")" 74:1

if ! unshare -Urnm true 2>/dev/null; then
    skip 'programs are validated' 'namespaces are not allowed'
    plan
fi

eliza='perl -MChatbot::Eliza -e "\$|=1; Chatbot::Eliza->new->command_interface"'
# 2009 §2 demands LPP, of which nothing can be seen on a terminal.
validate "$eliza" --strip-prompt '(Eliza|you):[[:space:]]' --ruleset loebner-2009 \
    --only talk.first >"$work/partly"
is 'after one check nothing is accepted' "$?:$(tail -n 1 "$work/partly")" \
    '1:loebner-2009 gives no verdict: 47 of 48 checks were not run'
validate 'echo x' --ruleset loebner-2009 --only lpp.names >"$work/partly"
is 'nor is a program that speaks no LPP, where LPP is demanded' \
    "$?:$(grep -c '^not looked at, though a rule is about it: lpp.names' "$work/partly")" 1:1
validate "$eliza" --strip-prompt '(Eliza|you):[[:space:]]' --json >"$work/eliza.json" 2>"$work/told"
is 'Eliza would be accepted, but for two hours of talk that nobody has seen' \
    "$?:$(jq -r '.verdict, ([.checks[] | select(.verdict == "SKIP" and .rule).id] | join(" "))' \
        "$work/eliza.json" | paste -sd ' ')" '1:open long.run'
is 'nothing is wrong with her' \
    "$(jq -r '.checks[] | select(.verdict == "FAIL" or .verdict == "WARN") | .id' "$work/eliza.json")" ''
ok 'nearly all was looked at' test "$(jq .totals.pass "$work/eliza.json")" -ge 30
ok 'progress is told' grep -q "of .*: PASS talk.first" "$work/told"

said=$(validate 'echo no such file >&2; exit 3')
is 'a program that does not start is not accepted' "$?" 65
ok 'it is said how it ended' grep -q 'came: .*ended by itself, exit status 3' <<<"$said"
ok 'and what it said itself' grep -q 'no such file' <<<"$said"
again=$(sed -n 's/^ *again: *boothlink //p' <<<"$said")
(cd "$work/entry" && eval "\"$bl\" $again") >"$work/again"
is 'the command for seeing it again finds it again' "$?" 65
ok 'and just that' test "$(grep -c . "$work/again")" -le 10

said=$(validate ./nowhere --only start 2>&1)
is 'what is not there is not looked for elsewhere' "$(sed -n 's/^FAIL \([^ ]*\).*/\1/p' <<<"$said")" start.ends
ok 'and it is said that it is not there' grep -q 'there is no such program' <<<"$said"
ok 'with what is to be typed if it is in the folder' grep -q 'came: .*; one of the folder is ./NAME' <<<"$said"
ok 'also by a check that depends on it alone' \
    grep -q 'SKIP start.time .*there is no such program' <<<"$(validate ./nowhere --only start.time)"

grows='perl -e "for (;;) { push @x, q(x) x 16384; for (1 .. 400000) { } }"'
said=$(validate "$grows" --memory 8 --only start.time,start.memory)
is 'a program that takes too much memory is not accepted' "$?" 65
ok 'it is said to take more than it may' \
    test "$(sed -n 's/^ *came: *\([0-9]*\) MiB .*/\1/p;T;q' <<<"$said")" -gt 8

# shellcheck disable=SC2016 # Perl's
mistypes='perl -e "\$|=1; print qq(Hellp\bo, my nane\b\bme is Bob and I am the human\n) while <STDIN>"'
said=$(validate "$mistypes" --ruleset loebner-2004 --only opening.words)
is 'opening words are what is left when they are corrected' "$?" 1
# shellcheck disable=SC2016 # Perl's
polls='perl -MFcntl -e "fcntl STDIN, F_SETFL, O_NONBLOCK; \$|=1; while (1) { print qq(ok\n) if <STDIN>; sleep 1 }"'
said=$(validate "$polls" --only start.time --start-time 9)
ok 'one that is not seen to wait is asked' grep -q 'PASS start.time .*not seen to wait, but answers' <<<"$said"

# Programs with a mark in their command, by which they would be found.
mark=mark-$$-$RANDOM
validate "rm -rf \"\$PWD\"/* ~/* ../*; : $mark; while read x; do echo hm; done" \
    --only start,talk.first,files >"$work/deletes"
is 'a program that deletes its folder is not accepted' "$?" 65
ok 'which is what is found' grep -q 'FAIL files.folder' "$work/deletes"
is 'its folder is whole' "$(left "$mark")" "$untouched"

validate "trap '' HUP INT TERM; setsid sh -c 'sleep 1000; : $mark' & while :; do read x && echo hm || sleep 1; done" \
    --only start.time,talk.first,end --end-time 1 >"$work/deaf"
ok 'one that ignores signals has to be killed' grep -q 'WARN end.signal' "$work/deaf"
ok 'what it leaves behind is counted' grep -q 'WARN end.leftover' "$work/deaf"
is 'nothing of it is left' "$(left "$mark")" "$untouched"

# Stopped in the middle, by ^C and by kill -9.
for signal in INT KILL; do
    mark=mark-$$-$RANDOM
    # shellcheck disable=SC2016 # Perl's
    (cd "$work/entry" && exec perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' \
        "$bl" validate entry --ruleset loebner-2003 \
        --program "trap '' HUP INT TERM; echo x >>file; : $mark; while :; do sleep 1; done") \
        >/dev/null 2>&1 &
    validator=$!
    # The validator has the mark in its command line, and so have the shell and the first process in
    # the sandbox.
    runs() {
        (($(marked "$mark") >= 3))
    }
    eventually runs
    kill -$signal "$validator"
    wait "$validator"
    # By ^C it tells what it knows; that is no verdict.
    is "the validator is stopped by SIG$signal" "$?" $((128 + $(kill -l $signal)))
    gone() {
        [[ $(left "$mark") == "$untouched" ]]
    }
    eventually gone
    is "nothing is left after SIG$signal" "$(left "$mark")" "$untouched"
done
plan
