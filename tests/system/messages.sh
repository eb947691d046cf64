#!/bin/bash
# Each message of a screen and each line of errors stands in its room's table with its reader and what he is to
# do, and is printed by "boothlink help messages"; a text for people elsewhere in those rooms fails.
. tests/tap.sh

bl=$BUILD/boothlink

# outside DIR: sentences in the sources of those rooms below DIR that no table has. A sentence begins with a
# capital and has two words; lines of errors are looked for below; records and lists begin small.
outside() {
    (cd "$1" && perl -0777 -ne '
        s{/\*.*?\*/}{ my $t = $&; $t =~ tr/\n//cd; $t }gse;
        while (/((?:"(?:\\.|[^"\\\n])*"\s*)+)/g) {
            my $text = join "", $1 =~ /"((?:\\.|[^"\\\n])*)"/g;
            print "$ARGV: $text\n" if $text =~ /^ *[A-Z][a-z]*[a-z ,].*? [a-z]+/ && $text =~ /[a-z]{2}.* .*[a-z]{2}/;
        }' host/{session,booth,screen,terminal,web}/*.[ch]) | grep -v '/messages\.h: '
}
is 'no message stands outside of a table' "$(outside .)" ''
mkdir -p "$TMPDIR/copy"
cp -r host "$TMPDIR/copy"
sed -i 's/say_it_is_on_record_thank/"It is on record. Thank you."/' "$TMPDIR/copy/host/booth/balloting.c"
is 'one that does is found' "$(outside "$TMPDIR/copy")" 'host/booth/balloting.c: It is on record. Thank you.'

# of_errors DIR: lines of errors there that no table has. What only hands another text on is none.
of_errors() {
    (cd "$1" && perl -0777 -ne 'while (/\bbl_fail\([^,;"]*,[^,;"]*,\s*("(?:\\.|[^"\\\n])*")/g) {
            my $text = $1;
            print "$ARGV: $text\n" if $text !~ /^"(%s: )?%s"$/;
        }' host/{session,booth,screen,terminal,web}/*.[ch])
}
is 'nor does a line of errors' "$(of_errors .)" ''
sed -i 's/say_fail_expected_a_folder/"%s: expected a folder"/' "$TMPDIR/copy/host/booth/stick_files.c"
is 'and one that does is found' "$(of_errors "$TMPDIR/copy")" 'host/booth/stick_files.c: "%s: expected a folder"'

# words_of DIR: words in the sources that draw screens and boards, which no table has; names of keys and words
# that are typed are none, and those that are spoken of to the compiler.
words_of() {
    (cd "$1" && perl -0777 -ne '
        s{/\*.*?\*/}{}gs; s{^\s*#include.*$}{}gm; s{_Static_assert\(.*?\);}{}gs;
        while (/((?:"(?:\\.|[^"\\\n])*"\s*)+)/g) {
            my $text = join "", $1 =~ /"((?:\\.|[^"\\\n])*)"/g;
            (my $plain = $text) =~ s/\\x[0-9A-F]{2}//g;
            print "$ARGV: $text\n" if $plain =~ /[A-Za-z]{2}/ && $plain !~
                /^(Enter|Return|Return Return|Tab|Space|Down|End|PgUp|PgUp PgDn|over|again|older|epoch|leave|\.ticket)$/;
        }' host/screen/{dialog,hints,form}.c host/terminal/{draw,form_draw}.c host/booth/day.c)
}
is 'nor a word of a screen or board' "$(words_of .)" ''
sed -i 's/say_no_place_yet/"no place yet"/' "$TMPDIR/copy/host/booth/day.c"
is 'one that does is found, too' "$(words_of "$TMPDIR/copy")" 'host/booth/day.c: no place yet'

# printed DIR: what the five rooms print or tell, such as the referee's listener, which no table has. The listing of
# a journal is none.
printed() {
    (cd "$1" && perl -0777 -ne 'while (/\b(?:tell|puts|printf|fprintf|log_warnx?|booth_say)\(((?:[^;"]|"(?:\\.|[^"\\\n])*")*?)\);/g) {
            for my $text ($1 =~ /"((?:\\.|[^"\\\n])*)"/g) { print "$ARGV: $text\n" if $text =~ /[a-z]{2,} [a-z]{2}/ }
        }' host/{session,booth,screen,terminal,web}/*.c) | grep -v '^host/booth/journal_show\.c: '
}
is 'nor what is printed' "$(printed .)" ''
sed -i 's/say_listening/"listening; ^C ends it"/' "$TMPDIR/copy/host/booth/tap_booth.c"
is 'and such a one is found' "$(printed "$TMPDIR/copy")" 'host/booth/tap_booth.c: listening; ^C ends it'

# The page in a browser has texts of its own: the table has the same.
page_texts() { # of the script and the document, a text a line
    perl -0777 -ne 's{/\*.*?\*/}{}gs; s{"\s*\+\s*"}{}g; print "$1\n" while /"((?:\\.|[^"\\\n])*)"/g' host/web/page.js
    sed -n 's|.*<noscript>\(.*\)</noscript>.*|\1|p' host/web/page.html
}
page_rows() { perl -0777 -ne 'print join("", $1 =~ /"((?:\\.|[^"\\])*)"/g), "\n" while /SAY\(page_\w+,\s*((?:"(?:\\.|[^"\\])*"\s*)+),/g' host/web/messages.h; }
is 'the page in a browser says what its table has' "$(page_rows | grep -vxFf <(page_texts))" ''
is 'and no other sentence' "$(page_texts | grep -E '^ ?[A-Z]?[a-z]+ [a-z]+.*[a-z] [a-z]' | grep -vxFf <(page_rows))" ''

"$bl" help messages >"$TMPDIR/said"
rows=$(grep -cE '^SAY(_CALL)?\(' host/{session,booth,screen,terminal,web}/messages.h | cut -d: -f2 | paste -sd+)
is 'all are printed, a text and what to do' "$(grep -c '^  .*\]$' "$TMPDIR/said") $(grep -cE '^      ([A-Z]|\(a part)' "$TMPDIR/said")" \
    "$((rows)) $((rows))"
is 'each has a reader' "$(grep -c '\[\]$' "$TMPDIR/said")" 0
is 'room by room' "$(grep '^[a-z]' "$TMPDIR/said" | xargs)" 'session booth screen terminal web'
ok 'such as this one' grep -A1 -F 'Not begun: press F9, then type.  [judge]' "$TMPDIR/said"
is 'who has called is not asked to call: each that asks has the other words' \
    "$(grep -c 'all the steward (F12)' "$TMPDIR/said") $(grep -c '^      once called: .*the steward has been called' "$TMPDIR/said")" '8 8'
ok 'such as this line of errors' grep -A1 -F "this is the stick of the %s: take that of the %s  [attendant]" "$TMPDIR/said"
is 'no word of F9 for an entity but where it starts its program' \
    "$(grep -F '[entity]' "$TMPDIR/said" | grep F9)" '  The communications program has ended. F9 starts it again.  [entity]'
is 'no name of a key that the screen of a judge does not have is in its texts' \
    "$(grep '\[judge' "$TMPDIR/said" | grep -oE '\bF[0-9]+' | sort -u | xargs)" 'F1 F10 F12 F2 F3 F8 F9'
is 'none is blank' "$(grep -c '^  *\[' "$TMPDIR/said")" 0
is 'one can be looked for by its words' "$("$bl" help messages 'THE STICK is full' | sed 's/:.*//' | xargs)" \
    'booth The stick is full; make room on it or take another Make room on the stick, or take another.'
is 'one with a gap in it by the words that a person reads' \
    "$("$bl" help messages 'LEFT is being connected' | grep -c '^  %s is being connected')" 1
refusal 64 "no message has 'qqq'" "$bl" help messages qqq
plan
