#!/bin/bash
# "boothlink help": the commands, their verbs, and the pages that the program brings with it.
. tests/tap.sh

boothlink=$BUILD/boothlink
cp "$boothlink" "$TMPDIR/alone" # nothing is beside it

# words: the text without its blanks.
words() { sed 's/\xc2\xa0//g' | tr -d ' \n'; }

is 'the pages name files where a package has them' "$(grep -oh '/usr/local/[^ ]*' host/share/man/*.[57])" ''
for after in 'What it signs' 'Until then'; do # where a command ends is seen
    ok "a line break before '$after' is one" grep -q "^ *$after" <("$TMPDIR/alone" help day.7)
done
for page in host/share/man/*.[57]; do
    name=${page##*/} section=${page##*.}
    topic=${name#boothlink-}
    topic=${topic%.*}
    "$TMPDIR/alone" help "$topic.$section" >"$TMPDIR/ours"
    is "$name: its name stands above" "$(head -n 1 "$TMPDIR/ours")" "boothlink-$topic($section)"
    is "$name: no line is too wide" "$(awk 'length($0) > 100' "$TMPDIR/ours")" ''
    if [[ $(command -v mandoc) ]]; then
        # The first and last line are the formatter's own.
        mandoc -T utf8 -O width=400 "$page" | col -bx | sed '1d; $d' | words >"$TMPDIR/theirs"
        is "$name: the text is that of mandoc" "$(sed 1d "$TMPDIR/ours" | words)" \
            "$(cat "$TMPDIR/theirs")"
    else
        skip "$name: the text is that of mandoc" 'mandoc is not installed'
    fi
    is "$name: boothlink(1) names it" \
        "$(grep -cF "boothlink\\-$topic ($section)" "$BUILD/share/man/man1/boothlink.1")" 1
done
is 'a page is found by its short name' "$("$TMPDIR/alone" help lpp)" "$("$TMPDIR/alone" help lpp.5)"
is 'and by its whole one' "$("$TMPDIR/alone" help 'boothlink-contest(5)')" \
    "$("$TMPDIR/alone" help contest.5)"
is 'a command comes before a page of its name' "$("$TMPDIR/alone" help contest)" \
    "$("$TMPDIR/alone" contest --help)"
is 'tags of one text stand each in its line' \
    "$("$TMPDIR/alone" help venue | grep -A1 -x '    entry1.own, entry1.comms, entry1.why' | tail -1)" \
    '        What the options of boothlink contest add say; yes or no where these'
ok 'a section that it is not in' bash -c "! '$TMPDIR/alone' help lpp.7 2>/dev/null"
is 'the list has all pages' "$("$TMPDIR/alone" help | sed -n '/^Pages:/,/^$/p' | grep -c '^  [a-z]')" \
    "$(find host/share/man -name '*.[57]' | wc -l)"

# The example of the page of scripts is one that is taken.
sed -n '/^\.nf/,/^\.fi/p' host/share/man/boothlink-script.5 | sed '1d; $d; s/\\e/\\/g; s/\\-/-/g' \
    >"$TMPDIR/script"
ok 'the example of boothlink-script(5) has text' grep -q '^await-turn' "$TMPDIR/script"
echo "wrong" >>"$TMPDIR/script"
is 'and its only fault is the one put into it' \
    "$("$boothlink" judge --left lpp:"$TMPDIR" --headless --script "$TMPDIR/script" \
        --journal "$TMPDIR" 2>&1 | grep -o 'script:[0-9]*: "[a-z]*"')" \
    "script:$(wc -l <"$TMPDIR/script"): \"wrong\""

# Options that a verb does not know, in every command that has verbs.
checked=0
for command in $("$boothlink" help --names); do
    for verb in $("$boothlink" help "$command" | sed -n '/^Verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
        said=$("$boothlink" "$command" "$verb" --no-such-option 2>&1)
        is "$command $verb refuses what it does not know" "$? $said" "64 boothlink $command $verb: \
unknown option --no-such-option; \"boothlink help $command $verb\" lists them"
        is "$command $verb: help both ways" "$("$boothlink" help "$command" "$verb")" \
            "$("$boothlink" "$command" "$verb" --help)"
        ((checked++))
    done
done
ok 'there are verbs' test "$checked" -gt 55
plan
