#!/bin/bash
# The manual of a contest's file says what is in it: its examples are run, and no kind of act is
# left out.
. tests/tap.sh

page=$PWD/host/share/man/boothlink-contest.5
cd_to=$TMPDIR/venue
mkdir "$cd_to"

# example N: the page's Nth example, as a reader sees it.
example() {
    sed -n '/^\.SH EXAMPLES/,$p' "$page" | awk -v n="$1" '/^\.nf/ { i++; next } /^\.fi/ { on = 0 }
        { if (i == n && !/^\.fi/ && !done) print } /^\.fi/ { if (i == n) done = 1 }' |
        sed 's/\\-/-/g; s/\\(dq/"/g; s/\\e/\\/g'
}
run() { (cd "$cd_to" && example "$1" | bash); }
contest() {
    local verb=$1
    shift
    "$BUILD/boothlink" contest "$verb" "$cd_to/loebner.db" "$@" --author 'Ann | Bob'
} >/dev/null

prepare() {
    local i
    contest new --name 'Ü, "quoted"' --ruleset loebner-2004 || return
    for i in 1 2; do
        contest add judge "Judge $i" && contest add entry "Entry $i" --submitter "S$i" --comms comms &&
            contest add confederate "C$i" || return
    done
    contest draw commit && contest schedule && contest draw reveal || return
    for i in 1 2 3 4; do
        contest begin "$i" || return
    done
    contest ballot J2 E1C1 60:40 || contest ballot J2 E1C2 60:40
} 2>/dev/null

ok 'a contest' prepare
is 'the acts are listed' "$(run 1 | wc -l) $(run 1 | grep -cF '|"Ann | Bob"|')" \
    "$("$BUILD/boothlink" contest export "$cd_to/loebner.db" --json | jq '.acts | length') \
$("$BUILD/boothlink" contest export "$cd_to/loebner.db" --json | jq '.acts | length')"
is 'and the votes of a judge' "$(run 2 | cut -d '|' -f 2)" '[60,40]'
is 'the chain of hashes is as it says' "$(run 3)" ''
cp "$cd_to/loebner.db" "$TMPDIR/kept.db"
is 'what is apart is never changed' "$(sqlite3 "$TMPDIR/kept.db" 'DELETE FROM personal' 2>&1 | grep -c 'never deleted')" 1
sqlite3 "$TMPDIR/kept.db" 'DROP TRIGGER personal_stays; DROP TRIGGER personal_remains'
for change in "UPDATE personal SET value = '\"X\"' WHERE act = 2 AND member = 'name'" \
    "UPDATE personal SET salt = zeroblob(32) WHERE act = 2 AND member = 'name'" \
    "DELETE FROM personal WHERE act = 2 AND member = 'name'" \
    "INSERT INTO personal VALUES (2, 'why', zeroblob(32), '1')"; do
    cp "$TMPDIR/kept.db" "$TMPDIR/changed.db"
    sqlite3 "$TMPDIR/changed.db" "$change"
    is "found: ${change%% *}" "$("$BUILD/boothlink" contest show "$TMPDIR/changed.db" 2>&1 |
        grep -c 'of act 2 is not what was committed to')" 1
done
sqlite3 "$cd_to/loebner.db" "DROP TRIGGER act_stays; UPDATE act SET author = 'X' WHERE number = 4"
is 'and shows what was changed' "$(run 3)" 'act 4'

kinds=$(sed -n '/^#define EACH_ACT/,/[^\\]$/p' host/contest/act_body.h |
    grep -oE '_\([a-z]+' | cut -d '(' -f 2)
ok 'there are kinds of acts' test "$(wc -w <<<"$kinds")" -gt 20
told=$(sed -n '/^\.SS Acts/,/^\.SS Who/p' "$page" | sed -nE 's/^\.BR? //p' | tr -d '",' |
    tr ' ' '\n')
is 'each is in the manual' "$(for kind in $kinds; do
    grep -qx "$kind" <<<"$told" || echo "$kind"
done)" ''
is 'the key of a public value is as the page has it' \
    "$({ head -c 32 /dev/zero && printf 'ab—3 14'; } | b2sum -l 256 | grep -cf - <(sed -n 's/^\([0-9a-f]\{64\}\)\.$/\1  -/p' "$page"))" 1
plan
