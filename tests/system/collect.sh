#!/bin/bash
# What sticks bring back is collected out of any folders, as often as one likes, and what is missing
# is said; each judge's records for his ranks; folders for import; killed at any moment.
. tests/tap.sh
. tests/support/ballots.sh
. tests/support/journals.sh
. tests/support/killed.sh
. tests/support/venue.sh

bl=$BUILD/boothlink
work=$TMPDIR/work
file=$work/contest.db
contest() { "$bl" contest "$1" "$file" "${@:2}"; }

template loebner-2009 2
venue_setup >/dev/null || exit
mapfile -t sessions < <(grep -h '^session' "$work"/sticks/judges-room/boothlink/*/*.ticket | sed 's/.* //' | sort)
cp "$file" "$TMPDIR/fresh.db"
cp "$file" "$TMPDIR/gone.db"
for round in 1 2 3 4; do contest begin $round >/dev/null; done
is 'four sessions' "${#sessions[@]}" 4

# The sticks as booths write them back, and some elsewhere; the two entities' journals have one name.
judges=$TMPDIR/judges/boothlink/records back=$TMPDIR/back/boothlink/records
mkdir -p "$judges/booth-1-judge" "$judges/booth-2-judge" "$back"/booth-{1,2}-cable-{a,b}
n=0
for session in "${sessions[@]}"; do
    place=booth-$((++n % 2 + 1))
    journal judge "$session" "the judge's journal" >"$judges/$place-judge/$session-judge.journal"
    ballot "$session" left >"$judges/$place-judge/$session-judge.ballot"
    for cable in a b; do
        journal entity "$session" "cable $cable" >"$back/$place-cable-$cable/$session-entity.journal"
    done
done
echo 'a letter' >"$judges/letter.txt"

missing() { sed -n 's/^missing: //p' "$TMPDIR/said" | tr -d "'" | sort; }
collect() { contest collect "$@" >"$TMPDIR/said" 2>&1; }
ok 'the back room first' collect "$TMPDIR/back"
is 'all that the judges have is missing' "$(missing | sed -E 's/.*: the (ballot|judges).*/\1/' | sort | uniq -c | xargs)" \
    '1 J1s ranks 1 J2s ranks 4 ballot 4 judges'
ok 'then the judges' collect "$TMPDIR/judges"
is 'the ranks are missing' "$(missing | xargs)" "J1s ranks J2s ranks"
is 'ballots are recorded' "$(contest export --json | jq '[.acts[] | select(.kind == "ballot")] | length')" 4
acts() { contest export --json | jq '.acts | length'; }
before=$(acts)
ok 'all once more, in one go' collect "$TMPDIR/judges" "$TMPDIR/back"
is 'adds nothing' "$(acts)" "$before"
is 'nor a record' "$(find "$file.records" -type f | wc -l) $(find "$file.records" -name '*-entity.journal' | wc -l)" '16 8'
ok 'and says so' grep -q '^16 records, 0 of them new or longer; 0 ballots' "$TMPDIR/said"

# Copies of which the manager's disk has lost all bytes: they are missing, and come again into their places.
for each in judge.journal entity.journal judge.ballot; do : >"$file.records/1/${sessions[0]}-$each"; done
mkdir "$TMPDIR/nothing"
collect "$TMPDIR/nothing"
is 'copies of 0 bytes are missing' "$(missing | grep -c "${sessions[0]}-")" 2
mkdir "$TMPDIR/half"
cp "$(find "$back" -path '*cable-b*' -name "${sessions[0]}-entity.journal")" "$TMPDIR/half"
collect "$TMPDIR/half"
is 'one end'"'"'s journal is not that of the other' "$(missing | grep -c "1 of 2 entities journals ${sessions[0]}-")" 1
collect "$TMPDIR/back" "$TMPDIR/judges"
is 'what the sticks have is there again, and once' \
    "$(missing | xargs), $(find "$file.records" -type f -size +0 | wc -l) of $(find "$file.records" -type f | wc -l), $(acts)" \
    "J1s ranks J2s ranks, 16 of 16, $before"

# An Entry that left without its last session: nothing of that is waited for.
gone() { "$bl" contest "$1" "$TMPDIR/gone.db" "${@:2}"; }
for round in 1 2 3 4; do gone begin $round >/dev/null; done
gone withdraw "$(gone show | sed -n 's/^  round 4[^:]*:.*\(E[0-9]\)C.*/\1/p')" --why broken >/dev/null
mkdir "$TMPDIR/held"
cp -r "$TMPDIR/judges" "$TMPDIR/back" "$TMPDIR/held"
find "$TMPDIR/held" -name 'r4-*' -delete
gone collect "$TMPDIR/held" --venue "$work/venue.ini" --out "$TMPDIR/gone" >"$TMPDIR/said" 2>&1
is 'ranks alone are missing, and their tickets are written' \
    "$(missing | xargs), $(cd "$TMPDIR/gone/judges-room/boothlink" && echo judge-*)" \
    'J1s ranks J2s ranks, judge-1-ranks judge-2-ranks'
is 'no record of it is asked for' "$(gone verify --records "$TMPDIR/gone.db.records" 2>/dev/null | grep -c 'differs: r4-')" 0

# Rounds that nobody has begun by hand: the ballots show it, and one command does the rest of the day.
"$bl" contest import "$TMPDIR/fresh.db" "$TMPDIR/judges" >"$TMPDIR/said" 2>&1
is 'import takes no ballot of a round that has not begun' "$? $(grep -c 'has not begun' "$TMPDIR/said")" '65 4'
collect_fresh() {
    "$bl" contest collect "$TMPDIR/fresh.db" "$@" --venue "$work/venue.ini" --out "$TMPDIR/fresh" >"$TMPDIR/said" 2>&1
}
ok 'the judges first' collect_fresh "$TMPDIR/judges"
is 'all rounds have begun' "$("$bl" contest export "$TMPDIR/fresh.db" --json |
    jq -c '[.acts[] | select(.kind == "begin") | .body.round]')" '[1,2,3,4]'
is 'no ranks while journals are missing' "$(missing | grep -vc ranks) $(test -e "$TMPDIR/fresh"; echo $?)" '4 1'
ok 'then the back room' collect_fresh "$TMPDIR/back"
is 'ranks alone are missing, and their tickets are written' \
    "$(missing | xargs), $(cd "$TMPDIR/fresh/judges-room/boothlink" && echo judge-*)" \
    'J1s ranks J2s ranks, judge-1-ranks judge-2-ranks'
ok 'and it says what comes next' grep -q "^Next: boothlink contest collect $TMPDIR/fresh.db /media" "$TMPDIR/said"
"$bl" contest collect "$TMPDIR/fresh.db" "$TMPDIR/back" --out "$TMPDIR/fresh" 2>"$TMPDIR/said"
is 'one option without the other' "$? $(grep -c 'missing --venue FILE' "$TMPDIR/said")" '64 1'

# A record that has grown takes the place of its beginning; another one lies beside it.
session=${sessions[0]}
at=$(find "$judges" -name "$session-judge.journal")
cp "$at" "$TMPDIR/shorter.journal"
journal judge "$session" "the judge's journal" 'and more' >"$at"
collect "$TMPDIR/judges"
ok 'a journal that has grown is taken' cmp -s "$file.records/1/$session-judge.journal" "$at"
mkdir "$TMPDIR/spare"
journal judge "$session" 'a spare machine wrote this' >"$TMPDIR/spare/$session-judge.journal"
collect "$TMPDIR/spare"
is "a spare machine's is kept beside it" "$(cat "$file.records"/{1,2}/"$session-judge.journal" | sha256sum)" \
    "$(cat "$at" "$TMPDIR/spare/$session-judge.journal" | sha256sum)"
mv "$TMPDIR/shorter.journal" "$TMPDIR/spare/$session-judge.journal"
collect "$TMPDIR/spare"
is 'the beginning of one is known' "$(find "$file.records" -name "$session-judge.journal" | wc -l)" 2

# A correction, one that is none, and what is no ballot.
ballot "$session" left right >"$TMPDIR/spare/$session-judge.ballot"
ok 'a ballot that was corrected' collect "$TMPDIR/spare"
is 'is recorded as a correction' "$(contest export --json | jq -c '[.acts[] | select(.kind == "ballot")][-1].body.correction')" true
vote_of() { contest export --json | jq -c "[.acts[] | select(.kind == \"ballot\")][-1].body.human"; }
voted=$(vote_of) before=$(acts)
# Copies of before: whole, cut in a line, and cut behind one; what the judge gave last stays.
old=$(find "$judges" -name "$session-judge.ballot")
for bytes in 1 120 "$(stat -c %s "$old")"; do
    mkdir -p "$TMPDIR/older"
    head -c "$bytes" "$TMPDIR/spare/$session-judge.ballot" >"$TMPDIR/older/$session-judge.ballot"
    collect "$TMPDIR/older"
    is "an older copy of $bytes bytes changes nothing" "$(acts) $(find "$file.records" -name "$session-judge.ballot" | wc -l)" \
        "$before 1"
done
ok 'nor the judges'"'"' stick, which has one' collect "$TMPDIR/judges"
is 'and it is passed over' "$(acts)" "$before"
# Another file, given twice and with good checksums: older, of a spare machine, or of nobody knows whom.
mkdir "$TMPDIR/other"
ballot "$session" right left >"$TMPDIR/other/$session-judge.ballot"
collect "$TMPDIR/other"
is 'another ballot file is told' "$? $(grep -c "^refused: .*contest settle .*contest.db $session 2 --why" "$TMPDIR/said")" '65 1'
collect "$TMPDIR/other" --correct
is 'also to who corrects' "$?" 65
is 'and changes nothing' "$(acts)" "$before"
ballot "$session" right left right >"$TMPDIR/other/$session-judge.ballot"
ballot "$session" right left left >"$TMPDIR/other/$session-judge.ballot"
collect "$TMPDIR/other"
is 'nor does it when it grows' "$? $(acts)" "65 $before"
for words in "$session 2" "$session 3 --why x" "$session 0 --why x" "$session x --why x" "../$session 1 --why x"; do
    # shellcheck disable=SC2086 # they are words
    contest settle $words >/dev/null 2>&1
    is "nothing is settled by '$words'" "$((($? & 64) / 64)) $(acts)" "1 $before"
done
is 'and which numbers there are is told' "$(contest settle "$session" 3 --why x 2>&1 >/dev/null | sed 's/.*expected/expected/')" \
    'expected a number from 1 to 2, of the ballot files that were collected'
contest settle "$session" 2 --why 'the judge was asked' >"$TMPDIR/said" 2>&1
is 'the manager settles it by its name' "$? $(head -n 1 "$TMPDIR/said")" "0 $session: file 2 of 2 counts, recorded"
ok 'and what comes next' grep -q '^Next: boothlink contest collect' "$TMPDIR/said"
is 'and the report says why' "$(contest report | grep -o "settled by the manager</td><td>$session</td><td>[^<]*")" \
    "settled by the manager</td><td>$session</td><td>the judge was asked"
ok 'and it counts' test "$(vote_of)" != "$voted"
settled=$(acts)
collect "$TMPDIR/judges" "$TMPDIR/other" "$TMPDIR/spare"
is 'all that was there is told no more' "$? $(acts)" "0 $settled"
ballot "$session" right left right right >"$TMPDIR/spare/$session-judge.ballot"
ballot "$session" left right left right >"$TMPDIR/spare/$session-judge.ballot"
collect "$TMPDIR/spare"
is 'what comes of it later is' "$? $(acts)" "65 $settled"
ballot "$session" left right >"$TMPDIR/spare/$session-judge.ballot"
contest settle "$session" 1 --why 'he was asked again' >/dev/null
is 'as before' "$(vote_of)" "$voted"

# What cannot be read, or is nothing, keeps nobody from the rest, and is not kept.
mkdir -p "$TMPDIR/bad/closed"
echo garbage >"$TMPDIR/bad/a-judge.ballot"
bad=70
! grep -q __asan_init "$bl" || bad=5 # a sanitizer takes seconds for each
for ((n = 1; n <= bad; n++)); do mkdir "$TMPDIR/bad/$n" && echo "garbage $n" >"$TMPDIR/bad/$n/b-judge.journal"; done
truncate -s 257M "$TMPDIR/bad/c-judge.journal"
ln -s "$at" "$TMPDIR/bad/d-judge.journal"
mkfifo "$TMPDIR/bad/e-judge.journal"
: >"$TMPDIR/bad/f-judge.journal"
journal judge z 'is taken' >"$TMPDIR/bad/z-judge.journal"
collect "$TMPDIR/bad"
is 'each bad record is named' "$? $(grep -c '^refused: .*/bad/.*-judge.\(ballot\|journal\)' "$TMPDIR/said")" \
    "65 $((bad + 3))"
is 'the good one is taken, and no bad one' "$(cd "$file.records" && find . -name '[a-z]-judge.*')" ./1/z-judge.journal
rm -r "$TMPDIR/bad" "$file.records/1/z-judge.journal"
rm -r "$TMPDIR/spare" "$TMPDIR/judges"/boothlink/records/*/"$session-judge.ballot"
collect "$TMPDIR/none"
is 'a folder that is not there' "$?" 66

# Ranks: a folder for each judge, with his records alone; when he has ranked there is none.
tickets() { contest tickets --venue "$work/venue.ini" --out "$work/sticks" "$@"; }
stick=$work/sticks/judges-room/boothlink
rival=$(printf '%s\n' "${sessions[@]}" | grep -vx -- "$session" | head -n 1)
lost=$file.records/1/$rival-judge.journal
mv "$lost" "$TMPDIR/lost.journal"
is 'where a record is lost no ticket is next, but what the judge says' \
    "$(contest show | sed -n 's/^Next: boothlink contest \([a-z]* [^ ]* [^ ]*\).*/\1/p' | sed 's, /media.*,,')" \
    "collect $file
rank $file J${rival#*-j}"
is 'and tickets say so' "$(tickets --ranks 2>&1 | grep -c 'or contest rank takes what he says')" 1
mv "$TMPDIR/lost.journal" "$lost"
ok 'tickets for the ranks' quiet tickets --ranks
for judge in 1 2; do
    is "J$judge's own records" "$(cd "$stick/judge-$judge-ranks" && echo *)" \
        "$(for s in "${sessions[@]}"; do [[ $s != *-j$judge ]] || echo "$s-judge.ballot $s-judge.journal"; done | xargs) ranks.ticket"
done
ok 'the longer journal' cmp -s "$at" "$stick/judge-${session#*-j}-ranks/$session-judge.journal"
is 'the ticket' "$(sed -n 's/^\(role\|session\) = //p' "$stick/judge-1-ranks/ranks.ticket" | xargs)" 'ranks ranks-j1'
ok 'nothing of it is in the back room' test -z "$(find "$work/sticks/back-room" -name '*rank*')"

# ranks JUDGE: the file that he gives.
ranks() {
    local s head="boothlink-ballot 1 session=ranks-j$1 rules=loebner-2009 kind=ranks sealed=contest"
    local side n=0 vote=
    for s in "${sessions[@]}"; do
        [[ $s == *-j$1 ]] || continue
        side=right
        [[ $s != "$session" ]] || side=left
        head+=" rank=$s:$side" vote+=" $((++n))"
    done
    printf '%s\n%s\n' "$head" "1795289010000000 given ranks$vote" | sums
}
mkdir -p "$judges/booth-2-judge"
ranks 1 >"$judges/booth-2-judge/ranks-j1-judge.ballot"
ok 'the ranks of one judge' collect "$TMPDIR/judges"
is 'those of the other are missing' "$(missing | xargs)" 'J2s ranks'
tickets --ranks >/dev/null
is 'he alone has a folder then' "$(cd "$stick" && echo judge-*)" 'judge-2-ranks'
ranks 2 >"$judges/booth-2-judge/ranks-j2-judge.ballot"
ok 'the ranks of the other' collect "$TMPDIR/judges" "$TMPDIR/judges"
ok 'nothing is missing' grep -q '^nothing is missing' "$TMPDIR/said"
ok 'there is a result' grep -q . <(contest result)

# The seal ends settling: a rival file that nobody has settled, or a missing record, stands in its way.
seal_says() { contest seal 2>&1 | tail -n 1; }
mkdir "$TMPDIR/rival"
ballot "$rival" right >"$TMPDIR/rival/$rival-judge.ballot"
votes=$(contest export --json | jq -c '[.acts[] | select(.kind == "ballot")] | length')
collect "$TMPDIR/rival"
is 'a rival comes late, and changes nothing' "$? $(contest export --json | jq -c '[.acts[] | select(.kind == "ballot")] | length')" "65 $votes"
is 'what comes next is to settle it, not the seal' "$(contest show | sed -n 's/^Next: //; s/.*contest \(settle\|seal\) /\1 /p' | grep -E '^(settle|seal)' | sed 's/  #.*//')" \
    "settle $file $rival 2 --why TEXT"
is 'and the seal is refused' "$(seal_says | grep -c "first $rival, and none could be settled afterwards")" 1
contest settle "$rival" 1 --why 'the judge was asked' >/dev/null
is 'once it is settled the seal comes next' "$(contest show | grep -c 'contest seal')" 1
is 'and the files that do not count are no difference' \
    "$(contest verify --records "$file.records" 2>&1 | grep -c 'ballot: it says')" 0
cp -r "$file.records" "$TMPDIR/neither"
ballot "$rival" right right >"$TMPDIR/neither/1/$rival-judge.ballot"
is 'but one of them has to say what the contest has' \
    "$(contest verify --records "$TMPDIR/neither" 2>&1 | grep -c "$rival-judge.ballot: it says")" 1
mv "$file.records/1/$rival-judge.journal" "$TMPDIR/rival"
refused_for() { contest seal 2>&1 | sed "s/.*journal $rival.*/named/" | grep -cE '^named|^boothlink.*records are missing'; }
is 'a missing record refuses the seal, by its name' "$(refused_for)" 2
: >"$file.records/1/$rival-judge.journal"
is 'so does one that the disk has lost' "$(refused_for)" 2
mv "$TMPDIR/rival/$rival-judge.journal" "$file.records/1"
cp -r "$file.records" "$TMPDIR/sealed.db.records"
"$bl" contest copy "$file" "$TMPDIR/sealed.db" >/dev/null
ok 'with all of them it is taken' quiet "$bl" contest seal "$TMPDIR/sealed.db"
tickets >/dev/null
is 'tickets without ranks take the folders away' "$(find "$stick" -name '*rank*')" ''

# Folders for import and publish.
other=$TMPDIR/other.db
"$bl" contest copy "$file" "$other" >/dev/null
is 'import takes folders, too, and ballots alone' "$("$bl" contest import "$other" "$TMPDIR/judges" "$judges" 2>&1 |
    grep -c 'refused\|recorded') $(find "$TMPDIR" -maxdepth 1 -name 'other.db*' -printf %f)" '0 other.db'

# A session that is held again: its spoiled records are kept, and the new ones missing.
contest repeat "$session" --why 'a cable' >/dev/null
collect "$TMPDIR/judges"
is 'the records of the repeated session are missing' "$(missing | grep -c -- "$session-2")" 3
ballot "$session-2" right >"$judges/booth-2-judge/$session-2-judge.ballot"
collect "$TMPDIR/judges"
is 'its ballot counts' "$(missing | grep -c "the ballot")" 0

# Killed anywhere.
if strace -o "$TMPDIR/trace" true 2>"$TMPDIR/why"; then
    run=$TMPDIR/run
    mkdir "$TMPDIR/start"
    for part in db people.ini venue.ini; do cp "$work"/*."$part" "$TMPDIR/start" 2>/dev/null; done
    cp "$other" "$TMPDIR/start/contest.db"
    ballot "${sessions[1]}" left right >"$judges/booth-1-judge/${sessions[1]}-judge.ballot"
    prepare_collect() {
        rm -rf "$run" && mkdir "$run" && cp "$TMPDIR/start/contest.db" "$run" &&
            cp -r "$file.records" "$run/contest.db.records" && rm -r "$run/contest.db.records/2"
        journal judge "$session" "the judge's journal" >"$run/contest.db.records/1/$session-judge.journal"
    }
    # That one is refused which the contest has otherwise.
    run_collect() {
        "$@" "$bl" contest collect "$run/contest.db" "$TMPDIR/judges" "$TMPDIR/back" >"$TMPDIR/said" 2>&1
        local status=$?
        ((status == 65 || status == 0)) && return 0
        return "$status"
    }
    collected() {
        [[ ! $(find "$run" -name '*.part') && $(find "$run" -name '*-entity.journal' | wc -l) == 8 &&
            $("$bl" contest export "$run/contest.db" --json | jq '[.acts[] | select(.kind == "ballot")] | length') == 8 ]] &&
            cmp -s "$at" "$run/contest.db.records/1/$session-judge.journal" &&
            "$bl" contest verify "$run/contest.db" >/dev/null
    }
    killed collect prepare_collect run_collect collected
    prepare_settle() {
        rm -rf "$run" && mkdir "$run" && cp "$TMPDIR/start/contest.db" "$run" &&
            cp -r "$file.records" "$run/contest.db.records"
    }
    run_settle() { "$@" "$bl" contest settle "$run/contest.db" "$session" 2 --why asked >"$TMPDIR/said" 2>&1; }
    settled() {
        [[ $("$bl" contest export "$run/contest.db" --json | jq -c '[[.acts[] | select(.kind == "settle")][-1].body.file,
            ([.acts[] | select(.kind == "ballot")][-1].body.human == '"$voted"')]') == '[2,false]' ]] &&
            "$bl" contest verify "$run/contest.db" >/dev/null
    }
    killed settle prepare_settle run_settle settled
else
    skip 'killed at any moment' "strace may not trace here: $(head -n 1 "$TMPDIR/why")"
fi
plan
