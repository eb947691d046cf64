#!/bin/bash
# Text that somebody else made, names of files, people and contests, reaches no terminal as it is:
# nothing of it is obeyed, nothing turns a line around.
. tests/tap.sh

bl=$BUILD/boothlink
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
esc=$'\e]0;owned\a\e[2J' turn=$'\xE2\x80\xAE\xC2\x9B'
evil=$esc$turn

# is_plain WHAT COMMAND...: its output and errors have nothing that a terminal obeys.
is_plain() {
    "${@:2}" >"$work/out" 2>&1 </dev/null
    ok "$1: something is said" test -s "$work/out"
    is "$1: nothing of it is obeyed" \
        "$(LC_ALL=C grep -cP '[\x00-\x08\x0B-\x1F\x7F]|\xE2\x80[\xAA-\xAE]|\xC2[\x80-\x9F]' "$work/out")" 0
}

mkdir "$work/logs"
printf 'no transcript %s\n' "$evil" >"$work/logs/$evil.log"
is_plain 'an unknown command' "$bl" "$evil"
is_plain 'an unknown verb' "$bl" contest "$evil" x
is_plain 'an unknown option' "$bl" judge "--$evil"
is_plain 'a file that is not there' "$bl" journal show "$work/$evil.journal"
is_plain 'a transcript that is none' "$bl" transcript check "$work/logs/$evil.log"
is_plain 'a folder of such' "$bl" contest similar "$work/logs"
"$bl" contest new "$work/c.db" --name "Evil $evil" --ruleset loebner-2009 >"$work/new" 2>&1
if [[ -e $work/c.db ]]; then
    is_plain 'a contest with such a name' "$bl" contest show "$work/c.db"
else
    is_plain 'a contest with such a name is refused' cat "$work/new"
fi
# A name's newline begins no line of ours.
mkdir "$work/records"
printf 'not a ballot' >"$work/records/x
differs: all is well
-judge.ballot"
printf 'Zero' >"$work/records/y
2 records, 0 of them new-judge.journal"
"$bl" contest new "$work/d.db" --name Plain --ruleset loebner-2009 >/dev/null
"$bl" contest collect "$work/d.db" "$work/records" >"$work/out" 2>/dev/null
is 'a newline in a name begins no line' "$(grep -c '^differs\|^2 records, 0 of them new-' "$work/out") $(grep -c ^refused "$work/out")" '0 2'
plan
