#!/bin/bash
# A day with sticks by the commands of boothlink-day(7), each exactly as it stands there: at most ten, with
# four booths, signed ballots and ranks. The words of judges' machines are typed once, while collecting.
. tests/tap.sh
. tests/support/ballots.sh
. tests/support/journals.sh
. tests/support/venue.sh

root=$PWD
signer=$BUILD/tests/system/signer
PATH=$BUILD:$PATH
work=$TMPDIR/work media=$TMPDIR/media keys=$TMPDIR/keys
mkdir "$work" "$media" "$keys"
ln -s "$work/sticks/judges-room" "$media/BOOTHLINK"
ln -s "$work/sticks/back-room" "$media/BOOTHLINK1"
cd "$work" || exit
export STYLE=split # of the journals

# Those of a usual day: before it, in the rounds and after the last; the long bet's next trial is none.
mapfile -t commands < <(perl -0777 -ne 's/\\e\n\s*//g; s/\\-/-/g;
    for (split /^\.SH /m) {
        next unless /^(BEFORE THE DAY|EACH ROUND|AFTER THE LAST ROUND)/;
        print "$1\n" while /^(?:\.BR? "?)?((?:boothlink|transcript) [^"\\\n]*?)(?:" [.,]|\s*\\fI.*)?$/mg;
    }' "$root/host/share/man/boothlink-day.7" | grep -v -- --trial)
printf '# %s\n' "${commands[@]}"
# Behind the seal those for a day that publishes names, then for one that does not.
usual=$(printf '%s\n' "${commands[@]}" | sed '/--bundle/,$d' | wc -l)
nameless=$(printf '%s\n' "${commands[@]}" | sed '/ convert /,/--transcripts published$/d' | wc -l)
ok 'at most ten commands' test "$usual" -le 10 -a "$usual" -gt 5
ok 'nor where no names are published' test "$nameless" -le 10 -a "$nameless" -gt 5

# held: what the booths of all rounds leave on the sticks, signed by each judge's machine.
held() {
    local ticket session place booth cable
    for ticket in sticks/judges-room/boothlink/booth-*/*.ticket; do
        session=$(sed -n 's/^session = //p' "$ticket")
        place=$(basename "$(dirname "$ticket")")
        booth=${place%-judge} records=sticks/judges-room/boothlink/records/$place
        mkdir -p "$records" "sticks/back-room/boothlink/records/$booth-cable-"{a,b}
        journal judge "$session" finished >"$records/$session-judge.journal"
        ballot "$session" left | "$signer" "$keys/$place" >"$records/$session-judge.ballot"
        for cable in a b; do
            journal entity "$session" finished "cable $cable" \
                >"sticks/back-room/boothlink/records/$booth-cable-$cable/$session-entity.journal"
        done
        echo "$session"
    done >sessions
}
# ranked: each judge ranks whom he took for a program, at the first booth.
ranked() {
    local ticket judge session head n vote
    for ticket in sticks/judges-room/boothlink/judge-*-ranks; do
        judge=${ticket##*/judge-} judge=${judge%-ranks} n=0 vote=
        head="boothlink-ballot 1 session=ranks-j$judge rules=loebner-2009 kind=ranks sealed=contest"
        while read -r session; do head+=" rank=$session:right" vote+=" $((++n))"; done \
            < <(grep -- "-j$judge\$" sessions | sort -u)
        printf '%s\n%s\n' "$head" "1795289010000000 given ranks$vote" | sums | "$signer" "$keys/booth-1-judge" \
            >"sticks/judges-room/boothlink/records/booth-1-judge/ranks-j$judge-judge.ballot"
    done
}
# The manager's typing: words with a mistake, another machine's, and then those of the board. The last is for later.
words() {
    local booth
    echo 'booth-1-judge: one two'
    echo "booth-1-judge: $(boothlink key show "$keys/booth-2-judge")"
    for booth in 1 2 3 4; do echo "booth-$booth-judge: $(boothlink key show "$keys/booth-$booth-judge")"; done
}

told='' collected=0
for command in "${commands[@]}"; do
    : >"$TMPDIR/answers"
    if [[ $command == *' collect '* ]]; then
        if ((collected++)); then ranked; else held && words >"$TMPDIR/answers"; fi
    fi
    # The sticks are in where a desktop mounts them.
    USER=../$media python3 "$root/tests/support/at_terminal.py" "$TMPDIR/answers" bash -c "$command" >"$TMPDIR/said"
    status=$?
    # No plan was held in these journals, which verification tells.
    [[ $command != *' verify '* || $status != 65 ]] || ! grep -q '^ballots: 16 of 16' "$TMPDIR/said" || status=0
    is "$command" "$status" 0
    ((!status)) || sed 's/^/# /' "$TMPDIR/said"
    told+=$(<"$TMPDIR/said")
    [[ $command != *' template '* ]] || people_fill .
    [[ $command != *' collect '* || $collected != 1 ]] || cp "$TMPDIR/said" "$TMPDIR/first"
done
is 'the words of each machine were asked once' "$(grep -c 'Type the eight words' <<<"$told")" 4
is 'a word that is none is named' "$(grep -c "^word 1, 'one', is none of the list" "$TMPDIR/first")" 1
is 'those of another machine confirm nothing' "$(grep -c "^The ballots on the stick are signed as '" "$TMPDIR/first")" 1
is 'nor are they shown before' "$(grep -B9 -m 1 "^word 1" "$TMPDIR/first" | grep -cF "$(boothlink key show "$keys/booth-1-judge")")" 0
is 'each is confirmed' "$(boothlink contest export contest.db --json | jq -r '.acts[] | select(.kind == "machine").body.place' | xargs)" \
    'booth-1-judge booth-2-judge booth-3-judge booth-4-judge'
ok 'the sheets are there' grep -q 'Judge 4: The judge 4' sheets.html
is 'and tell nobody who is human' "$(grep -c 'tells who is human' sheets.html)" 0
ok 'nor are they the set-up sheet, which has lines for the words' grep -q 'Signs ballots as' setup.html
ok 'the ranks are in' grep -q 'nothing is missing of the rounds' <<<"$told"
ok 'and there is a report' grep -q '</html>' report.html

# Enter alone is later: nothing of it is taken, and nothing else is asked for.
boothlink contest template --ruleset loebner-2009 --booths 4 "$TMPDIR/later" >"$TMPDIR/said"
people_fill "$TMPDIR/later"
boothlink contest setup "$TMPDIR/later/people.ini" "$TMPDIR/later/venue.ini" >"$TMPDIR/said" 2>&1
: >"$TMPDIR/answers"
python3 "$root/tests/support/at_terminal.py" "$TMPDIR/answers" boothlink contest collect "$TMPDIR/later/contest.db" "$work/sticks" >"$TMPDIR/said"
is 'who types none takes no ballot' "$? $(grep -c 'Type the eight words' "$TMPDIR/said") $(grep -c ': recorded' "$TMPDIR/said")" '65 4 0'
plan
