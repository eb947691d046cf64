#!/bin/bash
# What entities say, out of transcripts: the opening words of 2004, and answers that are alike.
. tests/tap.sh

boothlink=$BUILD/boothlink

# log PROGRAM HUMAN-SIDE ROUND: a transcript of 2012 out of lines "SIDE WHO TEXT", Return after each.
log() {
    printf 'Loebner 2012\r\nThese transcripts are in the public domain\r\n'
    printf 'Transcripts of judge 1 program %s round %s\r\n' "$1" "$3"
    [[ $2 == left ]] && printf 'Left =human \r\n' || printf 'Left =program \r\n'
    perl -CS -ne '
        BEGIN { $t = 1337015238; %name = (" " => "space", "," => "comma", "." => "period",
            "?" => "question", "<" => "BackSpace") }
        my ($side, $who, $text) = /^(\S+) (\S+) (.*)/;
        printf "J1 %011d0000000 %s %s %s\r\n", $t++, $who, $side, $name{$_} // $_
            for split(//, $text), "Return"' | sed "s/ entity / $1 /"
}

mkdir "$TMPDIR/logs"
log Elbot left 1 >"$TMPDIR/logs/1.log" <<'END'
left entity hello, my name is Mary and I am the human.
left judge What did you do last weekend?
left entity I slept.
right judge Hi
right entity Hello, my nane<<me is Bob and I am the human
right judge What did you do last weekend?
right entity I went fishing with my brother
END
log Ultra right 2 >"$TMPDIR/logs/2.log" <<'END'
left judge What did you do last WEEKEND
left entity I went fishing with a brother.
right entity I am the human
right judge What did you do last weekend?
right entity We painted the house
END

said=$("$boothlink" contest opening "$TMPDIR"/logs/*.log --ruleset loebner-2004 --names 'Mary,Ann' \
    2>"$TMPDIR/errors")
is 'an opening that does not hold fails' "$?" 65
cp "$TMPDIR/logs/1.log" "$TMPDIR/"$'turned\xe2\x80\xae.log'
is 'what turns a line around is not printed' "$("$boothlink" contest opening "$TMPDIR"/turned*.log \
    --ruleset loebner-2004 2>/dev/null | grep -c 'turned?.log round 1 left')" 1
is 'each entity on each side' "${said//"$TMPDIR/logs/"/}" \
    '1.log round 1 left: held, as Mary
1.log round 1 right: Bob is no name that was approved
2.log round 2 left: other words: I went fishing with a brother.
2.log round 2 right: other words: I am the human'
is 'and how many' "$(cat "$TMPDIR/errors")" \
    'boothlink contest opening: 3 of 4 entities did not begin with the words (2004 A3)'
contest() { "$boothlink" contest "$1" "$TMPDIR/c.db" "${@:2}"; }
{
    contest new --name 'A contest' --ruleset loebner-2004
    contest add entry Elbot --submitter A --comms c && contest add confederate Carol
    contest approve E1 Mary && contest approve C1 Ann
} >/dev/null
is 'the names that a contest approved' "$("$boothlink" contest opening "$TMPDIR"/logs/1.log \
    --contest "$TMPDIR/c.db" 2>/dev/null | cut -d: -f2- | paste -sd,)" \
    ' held, as Mary, Bob is no name that was approved'
contest approve C1 Bob >/dev/null
ok 'and now both' "$boothlink" contest opening "$TMPDIR/logs/1.log" --contest "$TMPDIR/c.db"
for more in '' "--contest $TMPDIR/c.db --ruleset loebner-2004" "--contest $TMPDIR/c.db --names Ann"; do
    # shellcheck disable=SC2086 # several options
    "$boothlink" contest opening "$TMPDIR/logs/1.log" $more >/dev/null 2>&1
    is "not with '${more//"$TMPDIR/"/}'" "$?" 64
done
ok 'with every name approved' "$boothlink" contest opening "$TMPDIR/logs/1.log" \
    --ruleset loebner-2004
is 'rules without such words' "$("$boothlink" contest opening "$TMPDIR/logs/1.log" \
    --ruleset loebner-2009 2>&1)" 'boothlink contest opening: loebner-2009 requires no opening words'

said=$("$boothlink" contest similar "$TMPDIR/logs")
is 'one question, what two Entries answered, and no human' "$said" \
    'What did you do last weekend? 
  Elbot                       I went fishing with my brother 
  Ultra                 71 %  I went fishing with a brother. 
1 question was put to more than one Entry. A panel decides.'
# 2003 r38: also of what people read, beside the others or alone.
mkdir "$TMPDIR/read"
{
    echo 'A notice before it.'
    "$boothlink" transcript convert "$TMPDIR/logs/1.log" --to text
} >"$TMPDIR/read/elbot.txt"
printf '%s\n' '*** session x, in UTC' '[10:00:00] Judge: Hi' '[10:00:01] Entity: Hello' \
    '[10:00:05] Judge: What did you do' '[10:00:09] Judge: last weekend?' \
    '[10:00:20] Entity: I went fishing' '*** 2009-09-06 10:00:22 part 1 closed' \
    '[10:00:23] Entity:  with my brother' >"$TMPDIR/read/one.txt"
is 'the text form of transcripts' "$("$boothlink" contest similar "$TMPDIR/read" | grep -c 'fishing')" 2
ok 'all of an answer, over several lines' grep -q '^  one.txt left .*%  I went fishing with my brother $' \
    <("$boothlink" contest similar "$TMPDIR/read")
echo 'no transcript' >"$TMPDIR/read/none.txt"
is 'a text that is none' "$("$boothlink" contest similar "$TMPDIR/read" 2>&1 | cut -d' ' -f4-11)" \
    "$TMPDIR/read/none.txt looks like no journal and no known"
is 'a folder that is not there' "$("$boothlink" contest similar "$TMPDIR/none" 2>&1)" \
    "boothlink contest similar: $TMPDIR/none: No such file or directory"
plan
