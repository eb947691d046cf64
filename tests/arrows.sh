#!/bin/bash
# Who may include whom, who may do input and output, and who may ask a clock: the folder rules of
# DESIGN.md, "Rooms and arrows", looked up in the sources. Also private headers, how long functions are,
# how much is commented and in which words, names of machines, which tests ask a clock, and whether the
# sections of DESIGN.md that are cited and the tests that its threat model names are there. Prints how many
# lines there are, and where.
. tests/tap.sh

# A room may include itself and the rest of its row; a room without a row may not exist.
declare -A may=()
while IFS=: read -r row rest; do
    [[ $row == '#'* ]] || may[$row]=${rest# }
done <tests/rooms.txt

# Files without input and output, without a clock and without the loop, and all that they may ask
# of the system. What they include must be so too.
pure='^(host/(session|rules|contest|transcript|controller)/|host/post/[^/]+$|host/base/html\.|host/link/(frame|core|cable|probe|ether_frame|ether_peer)\.'
pure+='|host/adapter/(conversation|engine_io|lpp2_words)\.|firmware/(core|store)/)'
pure_headers=' assert.h ctype.h inttypes.h limits.h math.h stdalign.h stdarg.h stdbool.h stddef.h '
pure_headers+='stdint.h stdio.h stdlib.h string.h sodium/crypto_shorthash.h ini.h glpk.h '
pure_headers+='sodium/crypto_aead_xchacha20poly1305.h sodium/crypto_generichash.h sodium/crypto_sign_ed25519.h sodium/utils.h jansson.h strings.h '
# Calls that these headers offer besides; formatting into memory is pure, parsing it too.
impure_calls='v?f?printf|f?open|fd?open|popen|perror|remove|rename|tmpfile|f?puts|f?put(c|char)'
impure_calls+='|fread|fwrite|scanf|fscanf|fgets|getc|getchar|getline|getenv|system|exit|abort|s?rand|ini_parse|ini_parse_file'

# The one file that asks a clock.
clock='host/base/loop.c'
clock_calls='clock_gettime|clock|gettimeofday|timespec_get|time|uv_now|uv_hrtime|uv_gettimeofday'
clock_calls+='|uv_clock_gettime'

# The one file of host/contest that does input and output.
store=host/contest/store.

# Bounds: lines of a function from its heading to its brace, and the least share of comments, of all
# lines that are not empty.
longest=88
most_median=11
least_comments=6.2

# Bounds of tests/words.py: "what" in 1,000 words of comment, comments of 100 that begin with a question
# word, "it", "that" and "this" in 1,000 words.
most_what=3.0
most_questions=1.0
most_pronouns=30.0

mapfile -t sources < <(find host firmware tests -name '*.[ch]' 2>/dev/null | sort)
mapfile -t texts < <(find . -name '.?*' -prune -o -path './build*' -prune -o -type f -print | sort)

# All that may cite the design, but this file, which speaks of how.
mapfile -t citing < <(printf '%s\n' "${texts[@]}" |
    grep -E '^\./(host|firmware|boards|wiring|tests|tools)/' |
    grep -vE '^\./(tests/(arrows\.sh|data/|golden/|fuzz/seeds/)|host/link/secret_words_table\.h)')

# These answer in $REPLY: thousands of forks would take a minute on a busy machine.

# room FILE: the folder whose row counts.
room() {
    local rest=${1#*/*/}
    case $1 in
    tests/*) REPLY=tests ;;
    */*/*) REPLY=${1%"/$rest"} ;;
    *) REPLY=${1%%/*} ;;
    esac
}

# resolve FILE NAME: which file "NAME" in FILE is. A way up and down again is none.
resolve() {
    for REPLY in "${1%/*}/$2" "host/$2" "$2"; do
        [[ $2 == *..* || ! -v is_source[$REPLY] ]] || return
    done
    REPLY=
}

# What each file includes, as lines "NUMBER KIND NAME", KIND being " or <.
declare -A includes=() is_source=()
for file in "${sources[@]}"; do
    is_source[$file]=yes includes[$file]=
done
while IFS=: read -r file number line; do
    [[ $line =~ ^[[:space:]]*#[[:space:]]*include[[:space:]]*([\"<])([^\">]+) ]] &&
        includes[$file]+="$number ${BASH_REMATCH[1]} ${BASH_REMATCH[2]}"$'\n'
done < <(grep -nE '^[ \t]*#[ \t]*include' "${sources[@]}")

# Each of these prints a line for each offence.

arrows() {
    local file from number kind name target allowed row
    for file in "${sources[@]}"; do
        room "$file"
        from=$REPLY
        if [[ ! -v may[$from] ]]; then
            echo "$file: the room $from has no row in ${0##*/}"
            continue
        fi
        while read -r number kind name; do
            # What the build makes, of the tables of wiring/ and boards/, includes nothing.
            [[ $kind == '"' && $name != gen/* && $name != board.h ]] || continue
            resolve "$file" "$name"
            target=$REPLY
            allowed=
            for row in "$from" ${may[$from]}; do
                [[ $target == "$row" || $target == "$row"/* ]] && allowed=yes
            done
            [[ $allowed ]] || echo "$file:$number: $from may not include \"$name\""
            # What the files of a folder share is theirs alone.
            [[ $name != *_private.h || $file == "${target%/*}"/* ]] ||
                echo "$file:$number: \"$name\" is private to its folder"
        done <<<"${includes[$file]}"
    done
}

# impure FILE TRAIL: what a pure file includes that is not pure, other rooms' headers followed.
impure() {
    local number kind name target here
    room "$1"
    here=$REPLY
    while read -r number kind name; do
        if [[ $kind == '<' ]]; then
            [[ $pure_headers == *" $name "* ]] || echo "$2:$number: not pure: <$name>"
        elif [[ $name && $name != gen/* ]]; then
            resolve "$1" "$name"
            target=$REPLY
            room "$target"
            [[ $target && $REPLY != "$here" ]] && impure "$target" "$2:$number, $target"
        fi
    done <<<"${includes[$1]}"
}

impurities() {
    local file asked=()
    for file in "${sources[@]}"; do
        [[ $file =~ $pure && $file != "$store"* ]] || continue
        impure "$file" "$file"
        asked+=("$file")
    done
    calls "$impure_calls" "${asked[@]}"
}

# calls PATTERN FILE...: where functions are called; comments and strings do not count.
calls() {
    PATTERN=$1 perl -0777 -ne '
        s{/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"}{ my $t = $&; $t =~ tr/\n//cd; $t }gse;
        my $n = 0;
        for (split /\n/) { $n++; print "$ARGV:$n: $1\n" if /\b($ENV{PATTERN})\s*\(/ }' "${@:2}"
}

# Two structs or enums of one name in the host are one word for two things, but for the simulated chip,
# of which a program is linked with one.
twice() {
    grep -rhoE --include='*.[ch]' '^(struct|enum|union) [a-z_0-9]+ \{' host | grep -vx 'struct chip {' | sort | uniq -d
}

# A message says what it expected or what is missing, not what "is wanted".
wanted() {
    grep -rnE --include='*.[ch]' --include='*.p[my]' '"[^"]*\bwanted\b[^"]*"' host firmware tools
}

# Comments that are wider than the code may be; clang-format leaves them alone, for it would run what
# is laid out together.
wide() {
    LC_ALL=C.UTF-8 grep -nP '^(?=.{101,})\s*(/\*|\*) ' "${sources[@]}"
}

clocks() {
    local file asking=()
    for file in "${sources[@]}"; do
        [[ $file == host/* && $file != host/share/* && $file != "$clock" ]] && asking+=("$file")
    done
    calls "$clock_calls" "${asking[@]}"
}

# measure FILE...: functions, the median of their lengths, the longest and where it stands; lines, and
# the share of comments in those that are not empty.
measure() {
    awk '
        FNR == 1 { inside = 0; heading = 0 }
        /^\{$/ { heading = FNR - 1 }
        /^\}$/ && heading {
            length_of[++functions] = FNR - heading + 1
            if (length_of[functions] > longest) { longest = length_of[functions]; at = FILENAME ":" heading }
            heading = 0
        }
        /^[ \t]*$/ { empty++ }
        inside { comments++; if (/\*\//) inside = 0; next }
        /^[ \t]*\/\*/ { comments++; if (!/\*\//) inside = 1; next }
        /^[ \t]*\/\// { comments++ }
        END {
            for (i = 1; i <= functions; i++) count[length_of[i]]++
            for (median = 0; sum * 2 < functions; sum += count[median]) median++
            printf "%d %d %d %s %d %.2f\n", functions, median, longest, at, NR, 100 * comments / (NR - empty)
        }' "$@"
}

# under FOLDER [WITHOUT]: the sources in it.
under() {
    local file
    for file in "${sources[@]}"; do
        [[ $file != "$1"/* || ${2:+$file} == "${2-}"/* ]] || echo "$file"
    done
}

machines() {
    grep -nIE '(^|[^[:alnum:]_.}])/(home|root|work|Users)/' "${texts[@]}"
}

# The rooms in DESIGN.md and those of tests/rooms.txt, where they differ.
designed() {
    # shellcheck disable=SC2016 # the backquotes are those of the table
    diff <(sed -nE '/^\| room /,/^$/s/^\| `([a-z/]+)` \| .*/\1/p' DESIGN.md | sort) \
        <(printf '%s\n' "${!may[@]}" | sort)
}

# The picture of layers in DESIGN.md, where it is not the one of the sources.
drawn() {
    # shellcheck disable=SC2016 # the backquotes are those of the picture
    diff <(sed -n '/^```rooms$/,/^```$/p' DESIGN.md | grep -v '^```') <(tools/rooms.py)
}

# Folders of the sources that the map in the README lacks, and those of the map that are not there.
mapped() {
    local folder
    while read -r folder; do
        # shellcheck disable=SC2016 # the backquotes are those of the table
        grep -qE '^\| .*`'"$folder"'/`.* \|' README.md || echo "README.md has no row with $folder/"
    done < <(printf '%s\n' "${texts[@]#./}" | grep -oE '^(tests/[a-z0-9]+|host/(cli|command|share)|[a-z]+)/' |
        sed 's,/$,,' | grep -vxE 'host|tests' | sort -u)
    # shellcheck disable=SC2016 # and so are these
    while read -r folder; do
        [[ -d $folder ]] || echo "README.md has a row with $folder, which is not there"
    done < <(sed -n '/^## Map/,$p' README.md | grep -oE '^\| `.*` \|' | grep -oE '`[a-z/]+/`' | tr -d '`')
}

# The kinds of records, on the wire and in a journal, that the manual lacks or numbers otherwise.
formats=host/share/man/boothlink-formats.5
kinds() {
    local name number
    while read -r name number; do
        grep -qE "^$number +$name\b" "$formats" || echo "$formats has no row $number $name"
    done < <(sed -nE 's/^ *(WIRE|JOURNAL)_([A-Z_]+) = ([0-9]+).*/\2 \3/p' \
        host/session/wire.h host/session/event.h)
}

# Options of make, as DESK=1 on its command line, that would replace a variable of the Makefile's own.
clashes() {
    comm -12 <({
        grep '##' Makefile
        cat README.md CONTRIBUTING.md
    } | grep -oE '\b[A-Z]+=' | tr -d = | sort -u) \
        <(sed -nE 's/^([A-Z_]+) *:?= .*/\1/p' Makefile | sort -u)
}

# Tests that a script may skip, by names in plain words, and tests/skips.txt does not list as tests/run
# reads them, the reason behind the name: red on the machine where one is skipped.
unlisted() {
    local skip pattern
    while IFS= read -r skip; do
        while IFS= read -r pattern; do
            # shellcheck disable=SC2053 # the right side is a pattern
            [[ $skip == ${pattern%% -- *} ]] && continue 2
        done < <(grep -v '^#' tests/skips.txt)
        echo "$skip"
    done < <(perl -ne 'while (/\bskip (\x27([^\x27]*)\x27|"([^"\$]*)") /g) {
        print substr($ARGV, 6), ": ", $2 // $3, " for its reason\n" }' \
        tests/*/*.sh)
}

# A comment cites sections as DESIGN.md, "Link" and "Session"; the name of each is a heading there.
# Other ways to cite a design, or a document that is not here, are offences too.
citations() {
    perl -0777 -ne '
        BEGIN {
            open my $design, "<", "DESIGN.md" or die "DESIGN.md: $!\n";
            my $text = <$design>;
            $is_section{$1} = 1 while $text =~ /^#+ (.*)/mg;
        }
        sub line { 1 + substr($_, 0, $_[0]) =~ tr/\n// }
        my $gap = qr{(?:[ \t]|\n[ \t]*(?:\*|#|//)?)+};
        while (/DESIGN\.md((?:,$gap|$gap(?:and|or)$gap)"[^"]*")*/g) {
            my ($cited, $at) = ($&, line($-[0]));
            my @names = $cited =~ /"([^"]*)"/g;
            s/$gap/ /g for @names;
            print "$ARGV:$at: DESIGN.md without a section, as in DESIGN.md, \"Link\"\n" unless @names;
            $is_section{$_} or print "$ARGV:$at: DESIGN.md has no section \"$_\"\n" for @names;
        }
        while (/\bSource:${gap}design\b|\bdesign,$gap(?:"|contract)|\(design\)|\bfield${gap}report\b
                |\bissue${gap}of${gap}the\b/gx) {
            print "$ARGV:", line($-[0]), ": cites what is not in this repository\n";
        }' "${citing[@]}"
}

# Promises of the threat model that no test shows, and tests that it names and that do not exist.
threats() {
    local who row shown test
    while IFS='|' read -r _ who row; do
        shown=${row%|*}
        shown=${shown##*|}
        [[ $shown == *\`*\`* ]] || echo "DESIGN.md: no test shows what is promised against$who"
        # shellcheck disable=SC2016 # the backquotes are those of the table
        while read -r test; do
            [[ -e tests/$test || -e tests/$test.c || -e tests/$test.sh ]] ||
                echo "DESIGN.md: tests/$test, against$who, does not exist"
        done < <(grep -oE '`[^`]*`' <<<"$shown" | tr -d '\`')
    done < <(sed -n '/^## Threat model/,/^## /{ /^| /p }' DESIGN.md | tail -n +2)
}

# Scripts of tests that ask how late it is, or let a time limit decide. What runs alone may, and what
# tests/clocks.txt names; benchmarks, the soak, the audit and the rehearsal are not in these folders.
late='\bSECONDS\b|EPOCHREALTIME|EPOCHSECONDS|TIMEFORMAT|\bdate +(-u +)?.?\+%s|(^|[ (|!])timeout +[-0-9$"]'
timed() {
    local line file
    while IFS= read -r line; do
        file=${line%%:*}
        [[ ${line#*:*:} =~ ^[[:space:]]*# ]] || grep -qE "^($file|${file#tests/}) -- " tests/alone.txt tests/clocks.txt ||
            echo "$line"
    done < <(grep -nE "$late" -r tests/system tests/golden tests/support tests/tap.sh --include='*.sh')
    while read -r file _; do
        [[ $file == '#' || -e tests/${file#tests/} ]] || echo "$file, in tests/alone.txt or clocks.txt, does not exist"
    done < <(cat tests/alone.txt tests/clocks.txt)
}

# Pauses of scripts that start a process: tests/support/wait.sh has one that does not.
forked_pauses() { grep -nE '^ *sleep [0-9.]+( *#.*)?$' -r tests/system tests/golden tests/support --include='*.sh'; }

# Files of booth, cli and validate that may name a kind of Entry, and why; what stands in the place of a
# line is no kind. Texts for people and comments do not count, but a text that is such a name does.
named='^host/booth/(judge_lpp|entity_lpp)\.[ch]$'   # an organiser's program at a folder, no kind
named+='|^host/cli/lpp_judge\.c$'                    # our own program there
named+='|^host/cli/(demo|class)\.c$'                 # show kinds at home, by options
named+='|^host/validate/(lpp|lpp2)_judge\.[ch]$'     # the judge's side of a protocol, for the validator
named+='|^host/validate/(actor(_talk|_private)?|interview)\.[ch]$' # which play both of them
named+='|^host/validate/(entry_(lpp|lpp2|web|private)|checks)\.[ch]$' # checks that are for one kind
no_kind='judge_lpp|entity_lpp|lpp_judge|lpp_entry|lpp2?_judge_\w+|actor_lpp2?' # the same, as others call them
no_kind+='|take_lpp|text\.lpp|OPTION_(?:ROW|TAKEN)\( lpp' # --lpp without a folder looks for one

# Names of kinds, of host/rules/kind.c, in the code of those rooms. Keyboard, program and web are words
# of much else there: of those the table's own names alone are looked for, and texts in host/validate.
named_kinds() {
    local words file asked=()
    words=$(sed -nE 's/.*\.own = "([a-z0-9]+)".*/\1/p' host/rules/kind.c | grep -vxE 'keyboard|program|web' | paste -sd '|')
    for file in "${sources[@]}"; do
        [[ $file =~ ^host/(booth|cli|validate)/ && ! $file =~ $named ]] && asked+=("$file")
    done
    WORDS=$words NO_KIND=$no_kind perl -0777 -ne '
        s{/\*.*?\*/|//[^\n]*}{ my $t = $&; $t =~ tr/\n//cd; $t }gse;
        s{"(?:--)?(?:keyboard|program|web)"}{ KIND_IN_TEXT }g if $ARGV =~ m{^host/validate/};
        s{"(?:--)?($ENV{WORDS})"}{ $1 }g;
        s{"(?:\\.|[^"\\\n])*"}{""}g;
        my $n = 0;
        for (split /\n/) {
            $n++;
            next if /^\s*#\s*include/;
            s/\b(?:$ENV{NO_KIND})\b|\bstruct (?:judge_lpp|entity_lpp)\w*|\b(?:judge|entity)_lpp_\w+//g;
            print "$ARGV:$n: $1\n" if /(?<![a-zA-Z])((?i:$ENV{WORDS})(?![a-z0-9])|KIND_(?!KEYBOARD|PROGRAM|WORD|TEXT|FROM|AS_|REACHES|SERVED|NAMES)[A-Z0-9]+)/ }' "${asked[@]}"
}

# none DESCRIPTION FUNCTION: passes if the function prints nothing.
none() {
    is "$1" "$("$2")" ''
}

ok 'there are sources' test ${#sources[@]} -gt 0
none 'nobody includes who he may not' arrows
none 'no struct or enum of the host has a name that another one has' twice
none 'no message says that something is wanted' wanted
none 'no comment is wider than 100 columns' wide
is 'the README has at most 150 lines' "$(($(wc -l <README.md) <= 150))" 1
none 'what is pure includes nothing that is not' impurities
none "only $clock asks a clock" clocks
none 'no test asks how long something took' timed
none 'no script starts a process to pause' forked_pauses
none 'no file names a folder of one machine' machines
ok 'the table of kinds has names to look for' grep -q '\.own = "chat"' host/rules/kind.c
none 'kinds of Entries are named by their table alone' named_kinds
none 'DESIGN.md has the rooms that are checked here' designed
none 'and their layers as the sources have them: make map' drawn
none 'the map in the README has each folder' mapped
none 'boothlink-formats(5) has each kind of record' kinds
none 'each test that may be skipped is listed' unlisted
none 'no option of make is a variable of its own' clashes
none 'each section of DESIGN.md that is cited exists' citations
ok 'the threat model has a dozen rows' test "$(sed -n '/^## Threat model/,/^## /p' DESIGN.md | grep -c '^| ')" -gt 12
none 'and each of them names a test that exists' threats
ok 'each such test finds a hole that is planted' tests/holes/holes.py --check
ok 'and the mended faults fit the sources' tests/holes/holes.py --check --list tests/holes/mended.txt
ok "and the faults in results fit the sources" tests/holes/holes.py --check --list tests/contests/planted.txt
ok "and those of tests/world" tests/world/mutants/mutants.py --check

mapfile -t program < <(under host host/sim)
mapfile -t commands < <(under host/cli)
read -r functions median length where lines share < <(measure "${program[@]}")
echo "# host without host/sim: $lines lines; $functions functions, $share % comments"
read -r _ _ _ _ lines _ < <(measure "${commands[@]}")
ok "host/cli has $lines lines, at most 12000: command lines only" test "$lines" -le 12000
ok "the longest function, $where, has $length lines, at most $longest" test "$length" -le "$longest"
ok "half the functions have $median lines, at most $most_median" test "$median" -le "$most_median"
ok "of 100 lines $share are comments, at least $least_comments" \
    test "${share/./}" -ge "$((10#${least_comments/./} * 10))"
mapfile -t counted < <(tests/words.py)
for line in "${counted[@]}"; do
    read -r room _ words what questions pronouns <<<"$line" # those of all are last
    echo "# comments of $room: $words words; $what what, $pronouns it/that/this in 1,000; $questions % questions"
done
is "comments name things by nouns: $what, $questions, $pronouns, at most $most_what, $most_questions, $most_pronouns" \
    "$((10#${what/./} <= 10#${most_what/./} && 10#${questions/./} <= 10#${most_questions/./} && 10#${pronouns/./} <= 10#${most_pronouns/./}))" 1
read -r _ _ length where _ < <(measure "${sources[@]}")
ok "tests and firmware too: $where has $length lines" test "$length" -le "$longest"
plan
