#!/bin/bash
# "boothlink transcript" on files of every year: our own samples, and the real logs of 2012 where
# they are at hand (LOEBNER_2012, or ../shared/data/loebner-2012 beside the checkout).
. tests/tap.sh

bl=$(realpath "${BUILD:-build}/boothlink")
work=$(mktemp -d "${TMPDIR:-/tmp}/transcript.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

transcript() { "$bl" transcript "$@"; }

# same DESCRIPTION FILE FILE
same() { ok "$1" cmp "$2" "$3"; }

head='Our Prize 2012\r\nThese transcripts are in the public domain\r\n'
head+='Transcripts of judge 1 program eliza round 2\r\nLeft =human \r\n'
# shellcheck disable=SC2059 # its escapes are meant
printf "$head"'J1 013370152380273400 judge left H\r\nJ1 013370152390273400 judge left i\r\n'\
'J1 013370152400273400 judge left Return\r\nJ1 013370152410273400 eliza right Y\r\n'\
'J1 013370152410373400 eliza right p\r\nJ1 013370152410473400 eliza right BackSpace\r\n'\
'J1 013370152410573400 eliza right o\r\nJ1 013370152410673400 eliza right Return\r\n' >"$work/sound"

# Sound: there and back through each format that holds all of it.
for to in keys asciicast; do
    transcript convert "$work/sound" --to $to --output "$work/$to" 2>"$work/said"
    is "to $to nothing is lost" "$(cat "$work/said")" ''
    transcript convert "$work/$to" --to 2012 --output "$work/back"
    same "from $to it comes back, byte for byte" "$work/sound" "$work/back"
done
is 'nothing is wrong with it' "$(transcript check "$work/sound")" \
    "$work/sound: format 2012, 8 keys, 0 damaged, 0 odd"
is 'which is exit code 0' "$(transcript check "$work/sound" >/dev/null; echo $?)" 0
is 'the conversation' "$(transcript show "$work/sound")" 'Our Prize 2012
*** session judge 1, program eliza, round 2, on the left the human, judge'"'"'s record, times in UTC
[17:07:18] left  Judge: Hi
[17:07:21] right Entity: Yo'
is 'how they typed' "$(transcript stats "$work/sound")" \
    'side   party      keys   words  median gap  variation  BackSpace
left   judge         3       1   1000.0 ms       0.00      0.0 %
left   entity        0       0           -          -          -
right  judge         0       0           -          -          -
right  entity        5       1    100.0 ms       0.00     20.0 %'
is 'in JSON' "$(transcript stats "$work/sound" --json | jq -c '[.format, .right.entity.keys,
    .right.entity.backspace_share]')" '["2012",5,0.2]'
transcript stats "$work/sound" --svg >"$work/sound.svg"
is 'as a picture, well-formed: a strip for each who typed' \
    "$(xmllint --nonet --xpath "count(//*[local-name()='svg'])" "$work/sound.svg") $(grep -oE \
        '>(left|right) (judge|entity)<|keys [^<]*' "$work/sound.svg" | tr -d '<>' | paste -sd';')" \
    '1 left judge;keys 3, BackSpaces 0 (0.0 %), pauses 0;right entity;keys 5, BackSpaces 1 (20.0 %), pauses 0'
ok 'with whose it is' grep -qF '>judge 1, round 2, program eliza<' "$work/sound.svg"
if command -v rsvg-convert >/dev/null; then
    ok 'and it can be rendered' rsvg-convert -o "$work/sound.png" "$work/sound.svg"
else
    skip 'and it can be rendered' 'rsvg-convert is not installed'
fi
is 'JSON or a picture, not both' \
    "$(transcript stats "$work/sound" --svg --json 2>&1; echo $?)" \
    'boothlink transcript stats: --svg with --json: expected one of them
64'

# Lines of the screen.
is 'what 1996 cannot hold is said' "$(transcript convert "$work/sound" --to 1996 2>&1 >"$work/1996")" \
    "boothlink transcript convert: the format 1996 cannot hold: left and right; \
the time of each key: a line has that of its end, in seconds of a day; \
keys that were taken back, and the BackSpaces (2 keys); the line with the contest's name; rounds; \
who sat on the left"
is '1996' "$(cat "$work/1996")" $'(c)1995 Cambridge Center For Behavioral Studies all rights reserved\r
[eliza] []\r
Start at: [2012/05/14 17:07:18]\r
*** JUDGE01 ***\r
JUDGE01[17:07:20]Hi\r
PROGRAM[17:07:21]Yo\r'
is '2004 names no former holder' "$(transcript convert "$work/sound" --to 2004 --side right \
    --contestant 'J W' --eol lf 2>/dev/null)" 'This transcript is in the public domain
[eliza] [J W]
Start at: [2012/05/14 17:07:21]
*** JUDGE01 ***
PROGRAM[17:07:21]Yo'

# The first line is the ruleset's or the command line's, where they say one (spec 2d).
sed 's/^header-1 = [^;]*/header-1 = (c)2026 Our Prize /' host/share/rulesets/loebner-1996.ini >"$work/ours.ini"
first() { transcript convert "$@" 2>/dev/null | head -n 1 | tr -d '\r'; }
is "the ruleset's first line" "$(first "$work/sound" --to 1996 --ruleset "$work/ours.ini")
$(first "$work/sound" --to 2002 --ruleset loebner-1996)" '(c)2026 Our Prize
(c)1995 Cambridge Center For Behavioral Studies all rights reserved'
is "the command line's before it" "$(first "$work/sound" --to 1996 --ruleset "$work/ours.ini" \
    --notice '(c) me')
$(first "$work/1996" --to 1996 --notice '(c) me too')" $'(c) me\n(c) me too'

# A judge who types his number, and one who types what looks like a judge's line (spec 1a, 2e).
{
    echo '# boothlink keys 1'
    n=0
    while read -ra row; do
        party=${row[0]}
        for key in "${row[@]:1}"; do
            echo "$((++n)) left $party 1996-04-19T14:12:20.000000Z - $key"
        done
    done <<'KEYS'
judge H i Return Return
entity Y o Return
judge @ @ 0 4 Return Return
entity * * * J U D G E 0 5 * * * Return
judge * * * space J U D G E 0 6 space * * * Return
KEYS
} >"$work/two-judges"
is 'another judge has his own section' "$(transcript convert "$work/two-judges" --judge 3 --to 1996 \
    --program eliza 2>"$work/said" | tee "$work/two-1996" | sed -n 's/\r//; 4,$p')" '*** JUDGE03 ***
JUDGE03[14:12:20]Hi
JUDGE03[14:12:20]
PROGRAM[14:12:20]Yo
*** JUDGE04 ***
JUDGE04[14:12:20]@@04
JUDGE04[14:12:20]
PROGRAM[14:12:20]***JUDGE05***
JUDGE04[14:12:20]*** JUDGE06 ***'
ok 'which is said' grep -q "cannot hold: .*a typed @@nn" "$work/said"
is 'and back there are two judges, not four' "$(transcript convert "$work/two-1996" --to keys |
    grep '^# @judge'; transcript check "$work/two-1996" | sed 's/.*: //')" '# @judge 3
# @judge 4
format 1996, 43 keys, 0 damaged, 0 odd'
transcript convert "$work/two-1996" --to 1996 --output "$work/back"
same 'byte for byte' "$work/two-1996" "$work/back"

is 'its day comes back with it' "$(transcript convert "$work/1996" --to text | sed -n 's/.*begun/begun/p') \
$(transcript convert "$work/1996" --to keys | grep '^# @start')" \
    "begun 2012-05-14 17:07:18, judge's record, times in UTC # @start 2012-05-14T17:07:18.000000Z"

# Files of 1996 name themselves, one after the other, also when many do at once.
mkdir "$work/disk"
is 'the first is LP95-01.TXT' "$(transcript convert "$work/sound" --to 1996 --output "$work/disk" \
    2>/dev/null)" "$work/disk/LP95-01.TXT"
touch "$work/disk/LP95-03.TXT"
for i in 1 2 3 4 5 6 7 8; do
    transcript convert "$work/sound" --to 1996 --output "$work/disk" >>"$work/names" 2>/dev/null &
done
wait
is 'the next free ones, and none twice' "$(sort "$work/names")" \
    "$(printf "$work/disk/LP95-%02d.TXT\n" 2 4 5 6 7 8 9 10)"
sizes() { find "$work/disk" -type f -size +0 -exec cksum {} + | cut -d ' ' -f 1 | sort -u | wc -l; }
is 'each whole' "$(sizes)" 1
for ((i = 0; i < 100; i++)); do
    : >>"$(printf '%s/LP95-%02d.TXT' "$work/disk" $i)"
done
is 'when all are taken, that is said' "$(transcript convert "$work/sound" --to 1996 \
    --output "$work/disk" 2>&1; echo $?)" "boothlink transcript convert: $work/disk: LP95-00.TXT to \
LP95-99.TXT are all there; give another folder
74"

# Damaged: everything is named with its line, and the rest is kept.
# shellcheck disable=SC2059
printf "$head"'J1 013370152380273400 judge left H\r\nJ1 013370152380273401 eliza right  \r\n'\
'J1 013370152370273404 judge left i\r\nJ1 01337' >"$work/bad"
is 'damage by its line' "$(transcript check "$work/bad"; echo $?)" "$work/bad:6: odd, blank: \
the key's name is a blank: a space: \"J1 013370152380273401 eliza right  \"
$work/bad:7: odd, order: its time is before that of the key above: \"J1 013370152370273404 judge left i\"
$work/bad:8: damaged, cut: the file ends within a record: \"J1 01337\"
$work/bad: format 2012, 3 keys, 1 damaged, 2 odd
65"
is 'and in JSON' "$(transcript check "$work/bad" --json | jq -c '[.faults[] | [.line, .kind]]')" \
    '[[6,"blank"],[7,"order"],[8,"cut"]]'
is 'a conversion keeps the rest, and says so' "$(transcript convert "$work/bad" --to keys 2>&1 |
    sed -n '/^[0-9]/p; s/.*\(is damaged.*\);.*/\1/p' | awk '{ print $1, $NF }')" $'1 H\n1 space\n2 i\nis cut'
printf 'J1 013370152380273400 judge left H\r\n' >"$work/headless"
is 'headers that are missing are wrong, too' "$(transcript check "$work/headless" |
    grep -c 'odd, header:'; transcript check "$work/headless" >/dev/null; echo $?)" $'4\n1'

ok 'and so does its exit code' test "$(transcript convert "$work/bad" --to keys >/dev/null 2>&1; echo $?)" = 65

# Files as people keep them.
tr -d '\n' <"$work/sound" >"$work/cr"
is 'a line may end with CR alone' "$(transcript convert "$work/cr" --to keys | grep -v '^#')" \
    "$(transcript convert "$work/sound" --to keys | grep -v '^#')"
same 'which is kept' "$work/cr" <(transcript convert "$work/cr" --to 2012)
# shellcheck disable=SC2059 # it is a format
printf "$head"'J1 013370152380273400 judge left \x92\r\n' >"$work/windows"
# shellcheck disable=SC1112 # it is the letter
is 'a letter of Windows is one' "$(transcript convert "$work/windows" --encoding utf-8 --to text | tail -n 1)" \
    '[17:07:18] Judge: ’'
iconv -f UTF-8 -t UTF-16 "$work/sound" >"$work/wide"
is 'UTF-16 is read, and named' "$(transcript convert "$work/wide" --to text 2>/dev/null | grep -c Judge
transcript check "$work/wide" | head -n 1)" "1
$work/wide: odd, encoding: the file is UTF-16: it is written as UTF-8"
sed 's/Prize 2012/Prize 2011/; s/eliza/parry/' "$work/sound" | cat "$work/sound" - >"$work/runs"
is 'each of several runs has its header' "$(transcript convert "$work/runs" --to keys | grep -E '@(title|program)')" \
    $'# @title Our Prize 2012\n# @program eliza\n# @title Our Prize 2011\n# @program parry'
same 'and comes back with it' "$work/runs" <(transcript convert "$work/runs" --to 2012)
printf '{"version": 2}\n[0.5, "o", "x"]\n' >"$work/screen"
is 'a conversion that read nothing fails' "$(transcript convert "$work/screen" 2>&1 >/dev/null | grep -c 'no key and no header'
transcript convert "$work/screen" >/dev/null 2>&1; echo $?)" $'1\n65'
# shellcheck disable=SC2059 # it is a format
printf "$head" >"$work/silent"
is 'a session in which nobody typed does not' "$(transcript convert "$work/silent" --to 2012 2>&1 >"$work/back"; echo $?)" \
    "boothlink transcript convert: $work/silent has no key
0"
printf '%s\n' '{"content":"one","to":"ai1","id":"judge0","secret":""}' \
    '{"content":"two","to":"conf1","id":"judge0","secret":""}' \
    '{"content":"three","to":"judge0","id":"ai1","secret":""}' >"$work/round"
is 'messages without times keep their order' "$(transcript convert "$work/round" | sed 1d)" \
    $'left  Judge: one\nright Judge: two\nleft  Entity: three'
ok 'and to invent times for them is said' grep -q 'no time is known: 00:00:00 stands for each' \
    <(transcript convert "$work/round" --to 1996 2>&1 >/dev/null)

# What cannot be.
fails() {
    local description=$1 status=$2 text=$3 said got
    shift 3
    said=$(transcript "$@" 2>&1 >/dev/null </dev/null)
    got=$?
    is "$description" "$got: $(grep -cF -- "$text" <<<"$said")" "$status: 1"
}
echo hello >"$work/hello"
fails 'no transcript' 65 'looks like no journal and no known transcript' show "$work/hello"
fails 'no file' 66 'No such file' check "$work/none"
fails 'no format' 64 'there is no format "1066"' show "$work/sound" --from 1066
fails 'text is not read' 64 'is for people' show "$work/sound" --from text
fails 'no target' 64 'expected one of the formats' convert "$work/sound" --to 1066
fails 'a word' 64 'it is one word' convert "$work/sound" --to 2012 --judge 'x y'
fails 'no verb' 64 'no verb "weigh"' weigh "$work/sound"
fails 'no header' 64 'here it is --title' convert "$work/sound" --header x
fails 'a folder, for 2012' 64 'is a folder' convert "$work/sound" --to 2012 --output "$work/disk"
fails 'a ruleset, for 2004' 64 'expected --to 1996 or' convert "$work/sound" --to 2004 --ruleset loebner-2004
fails 'no ruleset' 66 'loebner-1996' convert "$work/sound" --to 1996 --ruleset loebner-1066
fails 'a full disk' 74 'writing fails' convert "$work/sound" --to 2012 --output /dev/full
fails 'a device' 65 'no known transcript' show /dev/zero
ok 'a pipe can be read' grep -qF 'Entity: Yo' <("$bl" transcript show /dev/stdin <"$work/sound")
is 'the formats, in JSON' "$(transcript formats --json | jq -r '[.[] | select(.reads) | .name] |
    join(" ")')" '1996 2002 2004 2007 2009 2012 2013 keys asciicast 2016'
ok 'of which one is lost' grep -q '^2003 .*lost' <(transcript formats)

# A huge line costs no more than its file.
{
    # shellcheck disable=SC2059
    printf "$head"
    head -c 30000000 /dev/zero | tr '\0' x
    printf '\nJ1 013370152380273400 judge left H\r\n'
} >"$work/huge"
is 'a line of 30 MB' "$(transcript check "$work/huge" | tail -n 1)" "$work/huge: format 2012, 1 key, 1 damaged, 1 odd"

# The real ones.
real=${LOEBNER_2012:-../shared/data/loebner-2012}
if [[ ! -d $real ]]; then
    skip 'the logs of 2012' 'they are not at hand: LOEBNER_2012 names their folder'
    plan
fi
# What a page of 2012 had at the end of a side, by a reader of its own: each party's keys, its
# BackSpaces applied, Returns included.
page() {
    perl -ne 's/\r?\n$//; next unless /^J\d* \d{18} (\S+) (left|right) (.+)$/;
        my ($who, $side, $key) = ($1 eq "judge" ? "Judge" : "Entity", $2, $3);
        BEGIN { %name = (space => " ", " " => " ", period => ".", question => "?", quoteright => "\x27",
            comma => ",", minus => "-", exclam => "!", slash => "/", parenright => ")",
            parenleft => "(", quotedbl => "\"", numbersign => "#", colon => ":", backslash => "\\",
            greater => ">", semicolon => ";", plus => "+", equal => "=", bracketleft => "[",
            ampersand => "&", at => "\@", Tab => "\t", Return => "\n") }
        my $page = \$page{"$side $who"};
        if ($key eq "BackSpace") { chop $$page if defined $$page } else { $$page .= $name{$key} // $key }
        END { for (sort keys %page) { (my $p = $page{$_}) =~ s/\s+//g; print "$_: $p\n" if $p ne "" } }' "$1"
}
# The same out of "text": its lines put together, without the blanks in between.
told() {
    transcript convert "$1" --to text 2>/dev/null | perl -ne 's/^\[\S+\] // or next;
        my $side = s/^(left|right) +// ? $1 : "'"$2"'";
        /^(Judge|Entity): ?(.*)$/ or die "not a turn: $_"; $page{"$side $1"} .= $2;
        END { for (sort keys %page) { (my $p = $page{$_}) =~ s/\s+//g; print "$_: $p\n" if $p ne "" } }'
}
files=0 keys=0 blank=0 cut=0 other=0 whole=0 # of the logs
for file in "$real"/*.log; do
    report=$(transcript check "$file" --json)
    ((files++))
    ((keys += $(jq .keys <<<"$report")))
    ((blank += $(jq '[.faults[] | select(.kind == "blank")] | length' <<<"$report")))
    ((cut += $(jq '[.faults[] | select(.kind == "cut")] | length' <<<"$report")))
    ((other += $(jq '[.faults[] | select(.damaged)] | length' <<<"$report")))
    # Each damaged record by its line, as another program finds them.
    is "damage in ${file##*.2012-05-}" \
        "$(jq -r '[.faults[] | select(.damaged) | .line] | join(" ")' <<<"$report")" \
        "$(perl -ne 'push @bad, $. if $. > 4 and !/^J\d* \d{18} \S+ (left|right) (\S+| )\r\n$/;
            END { print "@bad" }' "$file")"
    only=$(jq -rn --arg l "$(grep -c ' left ' "$file")" '$l | if . == "0" then "right" else "left" end')
    is "the conversation of ${file##*.2012-05-}" "$(told "$file" "$only")" "$(page "$file")"
    transcript convert "$file" --to keys --output "$work/keys" 2>/dev/null
    transcript convert "$work/keys" --to 2012 --output "$work/back" 2>/dev/null
    if (($(jq .damaged <<<"$report") == 0)); then
        ok "byte for byte: ${file##*.2012-05-}" cmp "$file" "$work/back"
        ((whole++))
    else
        # All but the damaged lines.
        perl -ne 'print if $. <= 4 or /^J\d* \d{18} \S+ (left|right) (\S+| )\r\n$/' "$file" >"$work/rest"
        ok "all the rest: ${file##*.2012-05-}" cmp "$work/rest" "$work/back"
    fi
done
is 'files, keys, blank and cut ones, no other damage, undamaged files' \
    "$files $keys $blank $cut $((other - cut)) $whole" '13 64765 16 1 0 12'
plan
