#!/bin/bash
# Keys of lines: making, typing and checking them. tests/world has what terminals do with them.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh

key=$work/line.key

# fails DESCRIPTION STATUS TEXT COMMAND...: one line, with this in it, and this exit status.
fails() {
    local description=$1 status=$2 text=$3 got said
    shift 3
    said=$("$@" 2>&1 >/dev/null </dev/null)
    got=$?
    [[ $got == "$status" && $said == 'boothlink '*"$text"* && $said != *$'\n'* ]]
    result $? "$description"
    [[ $got == "$status" && $said == *"$text"* ]] || echo "# exit status $got: ${said//$'\n'/$'\n# '}"
}

# Files.
words=$("$bl" key new "$key" 2>/dev/null)
is 'a new key is eight words' "$(wc -w <<<"$words")" 8
is 'in a file of its user alone' "$(stat -c '%a %u' "$key")" "600 $UID"
is 'whose words can be shown again' "$("$bl" key show "$key")" "$words"
ok 'and that can be checked' "$bl" key check "$key"
fails 'it is not overwritten' 64 'is there already' "$bl" key new "$key"
ok 'the words make the same key at the other end' "$bl" key new --words "$work/typed.key" <<<"$words"
ok 'byte for byte' cmp "$key" "$work/typed.key"
mistyped() { "$bl" key new --words "$work/bad.key" <<<"$1"; }
fails 'a mistyped word is named' 65 "word 1, 'x${words%% *}', is none of the list; is it '${words%% *}'?" \
    mistyped "x$words"
fails 'a missing word too' 65 '7 words were given, expected 8' mistyped "${words#* }"
ok 'nothing is left of a key that was not made' test ! -e "$work/bad.key"
cp "$key" "$work/other.key"
chmod 640 "$work/other.key"
fails 'a key that others may read is refused' 77 'others may read or write this key file (mode 0640)' \
    "$bl" key show "$work/other.key"
chmod 600 "$work/other.key"
truncate -s -1 "$work/other.key"
fails 'a cut one too' 65 'is no key file of a line, or is damaged' "$bl" key show "$work/other.key"
sed '2s/^./0/; t; 2s/^./1/' "$key" >"$work/other.key"
sed -i "2s/.*/$(printf '%064d' 0)/" "$work/other.key"
fails 'one that was changed' 65 'the secret is not that of its words' "$bl" key check "$work/other.key"
fails 'one that is not there' 66 "there is no key file $work/none" "$bl" key check "$work/none"
if ((UID == 0)); then
    cp "$key" "$work/theirs.key"
    chown nobody "$work/theirs.key"
    fails "another user's" 77 'belongs to another user' "$bl" key show "$work/theirs.key"
else
    skip "another user's" 'only root can make one'
fi

# Typed on a terminal: not shown, and the terminal shows again whatever happens.
window shell 80 24
keys shell "$bl key new --words $work/hand.key" Enter
reads 'the words are asked for' shell 'The eight words of the first end:'
keys shell -l 'hocuspocus'
keys shell Enter
reads 'a wrong one is named at once' shell "word 1, 'hocuspocus', is none of the list"
ok 'what was typed is not shown' test "$(screen shell | grep -c '^The eight.*hocuspocus')" = 0
keys shell C-c
prompts() { [[ $(screen shell | grep -v '^$' | tail -1) == '$'* ]]; }
eventually prompts
keys shell 'echo shown' Enter
reads 'after ^C the terminal shows again' shell 'echo shown'
keys shell "$bl key new --words $work/hand.key" Enter
asked_thrice() { (($(screen shell | grep -c '^.*The eight words') >= 3)); }
eventually asked_thrice
keys shell -l "$words"
keys shell Enter
reads 'the right words are taken' shell 'the words are right'
ok 'and give the key' cmp "$key" "$work/hand.key"
window_close shell

# A terminal on an encrypted line.
cable line
window entity 80 24 entity --line "serial:$work/line.b" --keyboard --key "$key" --journal entity
reads 'a terminal with a key waits for the other' entity 'waiting for the other terminal'
if ((UID == 0)); then
    skip 'a terminal with a key cannot be looked into by its user' 'root may look into all'
else
    is 'a terminal with a key cannot be looked into by its user' \
        "$(stat -c %u "/proc/$(window_pid entity)/mem")" 0
fi
window_close entity
cp "$key" "$work/open.key"
chmod 604 "$work/open.key"
fails 'a key that others may read does not start a terminal' 77 'others may read or write this key' \
    booth judge --left "serial:$work/line.a" --headless --journal "$work/no" \
    --key "$work/open.key"
plan
