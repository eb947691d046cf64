#!/bin/bash
# The firmware as it is built: its size on every board, its boards' rules, and its sentences in the
# README. Limits: flash 8 KiB, static memory 1 KiB.
. tests/tap.sh

# sizes BOARD: bytes of flash and of static memory.
sizes() {
    make -s firmware BOARD="$1" BUILD="$TMPDIR" CI=1 >/dev/null 2>"$TMPDIR/log" || cat "$TMPDIR/log" >&2
    avr-size "$TMPDIR/firmware/$1/boothlink.elf" | awk 'NR == 2 { print $1 + $2, $2 + $3 }'
}

for board in boards/*/; do
    board=$(basename "$board")
    is "$board: no rule is broken" "$(tools/board.pl check "$board" 2>&1)" ''
    [[ $(tools/board.pl get "$board" mcu) == atmega328p ]] || continue # system/pico.sh has the other
    read -r flash memory < <(sizes "$board")
    echo "# $board: flash $flash, memory $memory"
    ok "$board: at most 8,192 bytes of flash" test "${flash:-9999}" -le 8192
    ok "$board: at most 1,024 bytes of static memory" test "${memory:-9999}" -le 1024
done

is 'the core has no line for any MCU' "$(grep -nE '^ *# *(if|ifdef|elif)\b|AVR|RP2040' firmware/core/*.[ch])" ''
# near A B: they differ by a tenth of B at most.
near() { ((10 * ($1 > $2 ? $1 - $2 : $2 - $1) <= $2)); }
read -r files lines avr_files avr_lines < <(tr '\n' ' ' <firmware/README.md | grep -oE 'took [0-9]+ files and [0-9]+ +lines in .hal/. \(the ATmega328P has [0-9]+ and [0-9]+\)' | grep -oE '[0-9]+' | sed '/^328$/d' | paste -sd ' ')
lines_of() { cat "firmware/hal/$1"/* | wc -l; }
files_of() { find "firmware/hal/$1" -type f | wc -l; }
is 'the README counts the files of each MCU' "$files $avr_files" "$(files_of rp2040) $(files_of atmega328p)"
ok "and their lines: $lines" near "$(lines_of rp2040)" "$lines"
ok "and $avr_lines" near "$(lines_of atmega328p)" "$avr_lines"

# Each program that tests a promise of DESIGN.md, "Controller", runs on the other chip too.
for program in $(grep -l 'void test_point_' tests/unit/*.c) tests/unit/test_controller_storm.c; do
    name=$(basename "$program" .c)
    ok "tests/pico has ${name#test_}" test -f "tests/pico/${name#test_}.c"
    ok "and its README tells of $name" grep -q "\`$name\`" tests/pico/README.md
done
is 'every point has a test' "$(grep -ohE 'void test_point_[0-9]' tests/unit/*.c | grep -oE '[0-9]$' | sort -u | paste -sd ' ')" \
    '1 2 3 4 5 6'

is 'a board that is none is told' "$(make -s firmware BOARD=mega 2>&1 | head -1)" \
    'there is no board mega: give BOARD= one of nano pico uno'

# broken SED: what the checker says of the Uno's description with that change.
broken() {
    mkdir -p "$TMPDIR/boards/broken" "$TMPDIR/firmware"
    ln -sfn "$PWD/firmware/hal" "$TMPDIR/firmware/hal"
    sed -E "$1" boards/uno/board.txt >"$TMPDIR/boards/broken/board.txt"
    (cd "$TMPDIR" && "$OLDPWD/tools/board.pl" check broken 2>&1) | sed -E 's/^[^:]*:[0-9]+: //'
}

is 'a pin that is used twice' "$(broken 's/^pin PD4/pin PD5/')" 'pin PD5 is used twice'
is 'a net without a pin' "$(broken '/ KEY /d')" 'no pin has the net KEY'
is 'a relay that is driven at rest' "$(broken 's/(A_PUMP)/\1/; s/low  A_PUMP/high A_PUMP/')" \
    "net A_PUMP must be 'out low', not 'out high'"
is 'a line that is none' "$(broken 's/^title/titel/' | head -1)" \
    "'titel Arduino Uno R3, or any board with its crystal, bootloader and header' is no line of a board; boards/README.md tells which there are"
is "a fuse's bit that is there twice" "$(broken 's/^fuse low 7/fuse low 6/')" 'bit 6 of fuse low is there twice'
is 'the fuses' "$(tools/board.pl get uno fuses)" '-U lfuse:w:0xFF:m -U hfuse:w:0xD6:m -U efuse:w:0xFC:m'
ok 'the drawing is well formed' xmllint --noout <(tools/board.pl drawing uno)

# Every word of the codec stands in the description of the sentences, and its example is right.
words=$(sed -n '/^static const SENTENCE_ROM char words/,/;$/p' firmware/core/sentence.c |
    grep -oE '[A-Z]{3,}' | grep -vE '^(SENTENCE|ROM)$' | sort -u)
missing=$(for word in $words; do grep -qw "$word" firmware/README.md || echo "$word"; done)
is 'every word is described' "$missing" ''
ok 'the example has its checksum' grep -qF "\`\$BLHEL,0001*62\`" firmware/README.md
plan
