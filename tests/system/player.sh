#!/bin/bash
# transcript convert --to html: one page that plays a conversation, fetches nothing and runs nothing
# that was typed.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/browser.sh

# Two hundred keys a second, within one; the entity takes one back.
keys() {
    local side=$1 party=$2 at=$3 key
    for key in "${@:4}"; do
        printf 'J1 %018d %s %s %s\r\n' $((13370152380000000 + at * 50000)) "$party" "$side" "$key"
        ((at++))
    done
}
{
    printf 'A <b>prize</b>\r\nThese transcripts are in the public domain\r\n'
    printf 'Transcripts of judge 1 program P round 1\r\nLeft =human\r\n'
    keys left judge 0 less i greater H i Return
    keys left P 6 ampersand less slash s c r i p t greater x BackSpace o
} >"$work/log"

"$bl" transcript convert "$work/log" --from 2012 --to html --output "$work/page.html" 2>"$work/said"
is 'it is written' $? 0
ok 'the page needs no other file' test "$(grep -ciE '(src|href)=|url\(|@import' "$work/page.html")" = 0
ok 'nothing typed stands in it as markup' test "$(grep -ciE '<b>prize|<i>|</script>x' "$work/page.html")" = 0
is 'it may load nothing' "$(grep -c "default-src 'none'" "$work/page.html")" 1
ok 'who has no scripts can read it' grep -q '&lt;i&gt;Hi' "$work/page.html"

needs_browser 'the page in a browser'
results python3 tests/system/player.py "$work/page.html" $'&</script>o|<i>Hi\n'

# replay --screen web: the same conversation as the judge's page shows it, with long pauses.
{
    printf 'A <b>prize</b>\r\nThese transcripts are in the public domain\r\n'
    printf 'Transcripts of judge 1 program P round 1\r\nLeft =human\r\n'
    keys left judge 0 less b greater H i
    keys left P 2400 A
    keys left P 36000 Z
} >"$work/long"
start replay replay "$work/long" --from 2012 --screen web --paused --at 0
told() { grep -m 1 . "$(sed -n 's/.* whose address is in //p' "$work/replay.err")" 2>/dev/null; }
ok 'replay tells an address' eventually told
results python3 tests/system/player.py --replay "$(told)"
ok 'it ends when it is left' ended replay
plan
