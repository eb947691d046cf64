#!/bin/bash
# Ballots that a judge's machine has signed: the key of its first start, whose words the manager compares once;
# nothing else counts, and contests of before take what they took.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/ballots.sh
. tests/support/venue.sh
quiet() { "$@" >/dev/null 2>&1; }

cable left
cable right
template loebner-2009 1
venue_of_cables 'entry1.program = ./entry'
"$bl" contest setup --few "$work/people.ini" "$work/venue.ini" >"$work/said" 2>&1
is 'a contest is set up' $? 0
db=$work/contest.db
contest() { "$bl" contest "$1" "$db" "${@:2}"; }
quiet contest begin 1
session=r1-j1
# held NAME: the judge's machine of that name holds the session: a ballot, with its own key.
held() {
    printf '%s\n' 'type Hello.' 'ballot human left' >"$work/script"
    start "$1" judge --left "serial:$work/left.a" --right "serial:$work/right.a" --session $session \
        --ruleset loebner-2009 --plan '6 both' --begin ready --journal "$1" --machine-key "$1/machine.key" \
        --headless --script "$work/script"
}
answerers $session
held judge
file=$work/judge/$session-judge.ballot
ok 'the judge gives his ballot' eventually grep -q ' signed ' "$file"
ended judge >/dev/null
is 'the machine has a key for its user alone' "$(stat -c %a "$work/judge/machine.key")" 600
words=$("$bl" key show "$work/judge/machine.key")
is 'of eight words' "$(wc -w <<<"$words")" 8
is 'the file says which' "$(head -n 1 "$file" | grep -c ' key=[0-9a-f]\{64\} ')" 1

collect() { contest collect "$@" >"$work/said" 2>&1; }
ballots() { contest export --json | jq -c '[.acts[] | select(.kind == "ballot") | .body.human]'; }
collect "$work/judge"
is 'what a machine has signed that nobody confirmed is not taken' "$? $(ballots)" '65 []'
ok 'its words are told' grep -qF "'$words'" "$work/said"
mkdir -p "$work/stick/boothlink/records/booth-1-judge"
cp "$file" "$work/stick/boothlink/records/booth-1-judge"
collect "$work/stick"
ok 'and on a stick the place, for a command that can be pasted' \
    grep -qF "contest.db booth-1-judge '$words'" "$work/said"
is 'what comes next is that machine, and then the same once more' "$(grep '^Next' "$work/said" | sed "s|$work/||g")" \
    "Next: boothlink contest machine contest.db booth-1-judge '$words'  # if its board has these words
Next: boothlink contest collect contest.db stick  # once more"
mv "$work/stick/boothlink/records/booth-1-judge" "$work/stick/boothlink/records/booth-1-judge-2"
collect "$work/stick"
ok "a second machine's folder is of the same place" grep -qF "contest.db booth-1-judge '$words'" "$work/said"
is 'and it is not kept' "$(find "$work" -path '*.records*' -name '*.ballot')" ''
mkdir "$work/forged"
ballot $session right >"$work/forged/$session-judge.ballot"
collect "$work/forged"
is 'nor is one that nobody has signed' "$? $(grep -c 'no machine has signed it.*; contest ballot .*contest.db records' "$work/said") $(ballots)" '65 1 []'
{
    echo "boothlink-ballot 1 session=ranks-j1 rules=loebner-2009 kind=ranks sealed=contest rank=$session:left"
    echo '1795289010000000 given ranks 1'
} | sums >"$work/forged/ranks-j1-judge.ballot"
collect "$work/forged"
is 'nor are ranks that nobody has signed' \
    "$? $(grep -c 'ranks-j1-judge.ballot: no machine has signed it' "$work/said")" '65 1'
rm "$work/forged/ranks-j1-judge.ballot"
collect "$work/forged"
is 'and no others were there' "$(tail -n 1 "$work/said")" 'boothlink contest collect: 1 file was refused'
contest machine booth-1-judge "${words/ */ wrong}" >/dev/null 2>&1
is 'it is told where they stand' "$(contest machine booth-1-judge 'one two' 2>&1)" \
    "boothlink contest machine: word 1, 'one', is none of the list: look at the machine's board again"
# shellcheck disable=SC2086 # they are eight
is 'a place that is none of the venue has no machine' "$(contest machine booth-9-judge $words 2>&1)" \
    "boothlink contest machine: booth-9-judge: the venue's last place of a judge is booth-1-judge"
is 'words that are none confirm nothing' "$(contest export --json | jq -c '[.acts[] | select(.kind == "machine")]')" '[]'
# shellcheck disable=SC2086 # they are eight
ok 'the manager confirms the words' quiet contest machine booth-1-judge $words
cp "$work/contest.db" "$work/before.db"
collect "$work/judge"
taken=$(ballots)
is 'now it is taken' "$(jq length <<<"$taken")" 1
collect "$work/forged"
is 'an unsigned one still is not' "$? $(ballots)" "65 $taken"
# A forger's lines behind, with good checksums, and the machine's own signature once more.
head -n 2 "$file" >"$work/forged/$session-judge.ballot"
{ cat "$file" && echo '1995289010000000 given human right' | sums && grep ' signed ' "$file" | head -n 1; } \
    >"$work/forged/$session-judge.ballot"
collect "$work/forged"
is 'nor what a forger wrote behind it' "$(ballots)" "$taken"
cmp -s "$file" "$(find "$work" -path '*.records/1/*' -name "$session-judge.ballot")"
is 'and nothing of it is kept' $? 0
# Another machine's key, in a copy that says it is this one.
"$bl" judge --rank "$work/judge/$session-judge.journal" --session ranks-j1 --headless --script /dev/null \
    --machine-key "$work/other.key" >/dev/null 2>&1
other=$("$bl" key show "$work/other.key")
ok 'another machine has other words' test "$other" != "$words"

# A machine that others had in their hands: what it signs from then on is not taken, what it had is.
contest machine booth-1-judge --withdraw >"$work/said" 2>&1
is 'nothing is withdrawn without a reason' "$? $(grep -c 'expected FILE PLACE --withdraw --why' "$work/said")" '64 1'
contest machine booth-2-judge --withdraw --why stolen >"$work/said" 2>&1
is 'nor what nobody confirmed' "$? $(grep -c 'no machine is confirmed as booth-2-judge' "$work/said")" '65 1'
ok 'a machine is withdrawn' quiet contest machine booth-1-judge --withdraw --why 'it was stolen'
is 'what was taken stays' "$(ballots)" "$taken"
collect "$work/judge"
is 'and what is known is no fault' "$(grep -c 'was withdrawn' "$work/said") $(ballots)" "0 $taken"
db=$work/before.db
quiet contest machine booth-1-judge --withdraw --why 'it was stolen'
collect "$work/judge"
is 'what it has signed is taken no more' \
    "$? $(grep -c 'booth-1-judge has signed it, which was withdrawn' "$work/said") $(ballots)" '65 1 []'
# shellcheck disable=SC2086 # they are eight
quiet contest machine booth-1-judge $words
collect "$work/judge"
is 'until it is confirmed again' "$(ballots)" "$taken"

# A contest of before, and one that is to take any.
mkdir "$work/any"
cp "$work"/{people,venue}.ini "$work/any"
"$bl" contest setup --few --unsigned "$work/any/people.ini" "$work/any/venue.ini" >/dev/null 2>&1
"$bl" contest begin "$work/any/contest.db" 1 >/dev/null 2>&1
ballot $session right >"$work/forged/$session-judge.ballot"
"$bl" contest collect "$work/any/contest.db" "$work/forged" >"$work/said" 2>&1
ok 'a contest without signatures takes any' grep -q "^$session: recorded" "$work/said"
ok 'and says so' grep -q '^note: this contest takes ballots that no machine has signed' "$work/said"
plan
