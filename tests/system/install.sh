#!/bin/bash
# make install and uninstall: what is put where, and that nothing else is taken away.
. tests/tap.sh

root=$TMPDIR/root
mkdir -p "$root/opt/bl/share/man/man1"
echo kept >"$root/opt/bl/share/man/man1/other.1"
tree() { (cd "$root" && find . | sort); }
before=$(tree)
install=(make --no-print-directory BUILD="$BUILD" DESTDIR="$root" PREFIX=/opt/bl)

"${install[@]}" install >&2
is 'make install works' $? 0
installed=$(tree)
ok 'the program runs' "$root/opt/bl/bin/boothlink" version
ok 'there is a page boothlink-script(5)' test -s "$root/opt/bl/share/man/man5/boothlink-script.5"
for page in boothlink boothlink-help boothlink-version; do
    ok "there is a page $page(1)" test -s "$root/opt/bl/share/man/man1/$page.1"
done
is 'the units start the program that was installed' \
    "$(grep -ho '^ExecStart=[^ ]*' "$root"/opt/bl/lib/systemd/system/*.service | sort -u)" \
    $'ExecStart=/lib/systemd/systemd-socket-proxyd\nExecStart=/opt/bl/bin/boothlink\nExecStart=/opt/bl/libexec/boothlink-courier\nExecStart=/opt/bl/libexec/boothlink-referee\nExecStart=/opt/bl/share/boothlink/kiosk/kiosk'
is 'all units are there, sockets and mounts too' "$(ls "$root/opt/bl/lib/systemd/system")" \
    "$(find host/share/systemd -name '*.in' -o -name '*.socket' -o -name '*.mount' | sed 's/.*\///; s/\.in$//' | sort)"
is 'no file names the folder of the build' "$(grep -rl "$PWD/host" "$root" | head -3)" ''
is 'nor says @' "$(grep -rlIE '@[A-Z]+@' "$root" | head -3)" ''

ok 'an example for entrants compiles where it was put' \
    gcc -o "$TMPDIR/entry" "$root/opt/bl/share/boothlink/examples/entry.c"
ok 'and one that needs no compiler may be run' \
    test -x "$root/opt/bl/share/boothlink/examples/lpp_entry.pl"

"${install[@]}" install >&2
is 'a second time changes nothing' "$(tree)" "$installed"
touch "$root/opt/bl/bin/neighbour"
"${install[@]}" uninstall >&2
rm "$root/opt/bl/bin/neighbour" && rmdir "$root/opt/bl/bin"
is 'make uninstall leaves what it found, and no more' "$(tree)" "$before"
"${install[@]}" uninstall >&2
ok 'which it cannot do twice' test $? != 0

# The completion: words of the line, then what is offered.
complete_line() {
    # shellcheck source=/dev/null
    . "$BUILD/share/boothlink.bash"
    # shellcheck disable=SC2034 # read by the completion
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _boothlink
    # shellcheck disable=SC2153 # set by the completion
    echo "${COMPREPLY[*]}"
}
is 'commands are completed' "$(complete_line boothlink vers)" version
is 'a page is no command' "$(complete_line boothlink ticke)" ''
is 'help has pages, and messages' "$(complete_line boothlink help contest. ; complete_line boothlink help mess)" \
    'contest.5
messages'
is 'so is what help can explain' "$(complete_line boothlink help vers)" version
is 'and options' "$(complete_line boothlink version --j)" --json
is 'verbs, too' "$(complete_line boothlink contest bal)" ballot
is 'and what help can explain of them' "$(complete_line boothlink help contest bal)" ballot
is 'a verb has options of its own' "$(complete_line boothlink contest import c.db --)" \
    '--correct --author --help'
is 'and words for their values' "$(complete_line boothlink contest sheet c.db --for la)" labels
is 'rules by their names' "$(complete_line boothlink validate entry --ruleset loebner-1)" loebner-1996
is 'a check by its name' "$(PATH=$BUILD:$PATH complete_line boothlink validate entry --only start.t)" 'start.time'
is 'a style by its name' "$(complete_line boothlink judge --style s)" 'split scroll'
is 'a screen, too' "$(complete_line boothlink booth --screen '')" 'console web'
is 'a number by nothing' "$(complete_line boothlink contest template --booths '')" ''
mkdir "$TMPDIR/here" "$TMPDIR/here/people"
touch "$TMPDIR/here/people.ini" "$TMPDIR/here/contest.db"
cd "$TMPDIR/here" || exit
is 'a file by its name' "$(complete_line boothlink contest setup peo | xargs -n 1 | sort | xargs)" 'people people.ini'
is 'a file of rules ends as such' "$(complete_line boothlink judge --ruleset p | xargs -n 1 | sort | xargs)" 'people people.ini'
is 'and none else is offered' "$(complete_line boothlink judge --ruleset c)" class
is 'rules, or a file of them' "$(complete_line boothlink contest rulesets loebner-1)" loebner-1996
is 'a port by its file' "$(complete_line boothlink judge --left "serial:$PWD/people.")" "serial:$PWD/people.ini"
# The other shells ask bash's: what stands in their files is run as it is.
asked() { perl -0ne "print \$1 if /bash -c '(.*?)' bash /s" "$OLDPWD/host/share/completion/boothlink.$1"; }
for shell in zsh fish; do
    offers() { PATH=$BUILD:$PATH bash -c "$(asked $shell)" bash boothlink "$@" | grep . | sort | xargs; }
    is "$shell asks bash" "$(offers validate entry --ruleset loebner-1 | sed 's/^[*].ini //')" loebner-1996
done
is 'zsh is told of files' "$(shell=zsh && offers contest setup peo)" '* people people.ini'
is 'and of words that are none' "$(shell=zsh && offers contest setu)" setup
is 'a folder goes on, in fish' "$(shell=fish && offers contest setup peo)" 'people.ini people/'
cd "$OLDPWD" || exit
is 'a page is completed' "$(complete_line boothlink help ruleset)" ruleset
plan
