#!/bin/bash
# The tables of wiring/: the rules that the circuits keep, each broken once in a copy; what is drawn
# of them; and that the contacts of every board open in time.
# shellcheck disable=SC2016 # what is changed is said in Perl
. tests/tap.sh

work=$(mktemp -d "${TMPDIR:-/tmp}/wiring.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
tables=$work/wiring

# breaks TEXT FILE PERL: with this change of that table a rule is broken, and said with TEXT.
breaks() {
    rm -rf "$tables"
    cp -r wiring "$tables"
    perl -0pi -e "$3" "$tables/$2"
    if cmp -s "wiring/$2" "$tables/$2"; then
        result 1 "$1: nothing was changed"
        return
    fi
    WIRING=$tables tools/wiring.pl check 2>"$work/said"
    is "exit of: $1" $? 65
    ok "$1" grep -qF -- "$1" "$work/said" || sed 's/^/# /' "$work/said"
}

ok 'the tables keep the rules' tools/wiring.pl check

breaks 'has one end only' controller.txt 's/^(net H1_ANODE +R5.2) H1.A$/$1/m'
breaks 'has 2 drivers' controller.txt 's/^(net A_PUMP .*)$/$1 board.B_PUMP/m; s/board.B_PUMP R3/R3/'
breaks 'is on net' controller.txt 's/^(net KEY .*)$/$1 S2.1/m'
breaks 'there is no part' controller.txt 's/^(net KEY .*)$/$1 X9.1/m'
breaks 'there is no pin' controller.txt 's/^(net KEY .*)$/$1 S1.7/m'
breaks 'only normally-open ones may be wired' controller.txt 's/K1\.14/K1.12/'
breaks 'is heard by 2 inputs and driven by nothing' controller.txt \
    's/^(more GND +U1.*)$/$1\nnet LOOSE U1.5 U1.6/m'
breaks 'has no wire' controller.txt 's/^net BUZZER +board.BUZZER B1.*$//m'
breaks 'boards/pico: pin BUZZER has no wire' controller.txt 's/^net BUZZER +board.BUZZER Q3.*$/net BUZZER Q3.G R10.1/m'
breaks 'there is no pin board.ZOOM' controller.txt 's/^(net GND .*)$/$1\nnet ZOOM board.ZOOM X5.1/m'
breaks 'X1.3 reaches X2.2 past the relays' controller.txt \
    's/^(net A_THERE_OUT .*)$/$1 K2.14 X2.2/m; s/^net A_THERE_IN .*$//m'
breaks 'X1.7 reaches X2.8' controller.txt 's/^(net GND .*)$/$1\nnet COVERT X1.7 X2.8/m'
breaks 'X1.7 reaches X2.8 past the relays' controller.txt \
    's/^(net GND .*)$/$1\npart C99 capacitor 100n x\nnet P X1.7 C99.1\nnet Q C99.2 X2.8/m'
breaks 'X1.3 is joined with board.LAMP_A' controller.txt \
    's/X1\.3 K1\.11/X1.3 K1.11 board.LAMP_A/; s/^net LAMP_A .*$//m; s/^(net GND .*)$/$1 R5.1/m'
breaks '3-2 does not cross' controller.txt 's/^(net A_THERE_MID +K1\.14) K2\.11/$1 S2.2/m; s/S1\.4 S2\.2/S1.4/'
breaks 'a level passes' controller.txt 's/^part C1 capacitor/part C1 resistor/m'
breaks 'drive A: expected at least two relays' controller.txt 's/^drive A .*$/drive A A_PUMP K1/m'
breaks 'belongs to line A too' controller.txt 's/^drive B .*$/drive B B_PUMP K1 K3/m'
breaks 'is driven by no driver of it' controller.txt 's/^drive A .*$/drive A A_PUMP K3 K4/m; s/^drive B.*$//m'
breaks "is not on the key's supply" controller.txt 's/^net COILS +S1\.2/net COILS   R99.1/m; s/^(part S1 .*)$/$1\npart R99 resistor 1R x/m'
# The same of the circuit for boards of 3.3 V alone, and what holds for those alone.
breaks 'the coil of K1 is driven by no driver of it' controller.txt 's/^more A_COIL  Q1.D/more A_COIL  Q3.D/m; s/Q3.D B1.-/Q1.D B1.-/'
breaks 'board.A_PUMP and the driver' controller.txt 's/^more A_STORE Q1.G/more A_PUMP Q1.G/m'
breaks 'board.BUZZER reaches +5V: it bears 3.3 V' controller.txt \
    's/^more \+5V +M1.5V D7.A B1.\+ D8.K$/more +5V M1.5V D7.A B1.-/m; s/^net BUZZER_LOW.*$/net LOW Q3.D D8.A D8.K/m; s/board.BUZZER Q3.G/board.BUZZER Q3.G B1.+/'
breaks 'board.HOST_RX is driven by U2.12, which +5V feeds: it bears 3.3 V' controller.txt \
    's/^(more \+5V +M1.5V .*)$/$1 U2.16 C9.1/m; s/^net \+3V3.*$/net +3V3 board.3V3 R11.1/m; s/^(part R10 .*)$/$1\npart R11 resistor 10k x/m; s/^(more GND +M1.*)$/$1 R11.2/m'
breaks 'there is no pin board.VSYS' controller.txt 's/^(more \+5V +)board.5V/$1board.VSYS/m'

breaks 'J1.1 reaches J2.4' ethernet.txt 's/^(net FAR_1 K5\.14) J2\.1/$1 J2.4/m'
breaks 'later than 50' pump.txt 's/^store .*$/store 47 uF C2/m'
breaks 'may not stay closed' pump.txt 's/^pump .*$/pump 0.1 uF C1/m'
breaks 'boards/pico: the contacts open after' pump.txt 's/^bleed +3600/bleed 4700/m'
breaks 'boards/pico: the store falls to' pump.txt 's/^bleed +3600/bleed 1800/m'

# A board that lacks a pin, and one that does not say how it drives the pump.
rm -rf "$tables"
cp -r boards "$work/boards"
sed -i '/ BUZZER /d' "$work/boards/nano/board.txt"
sed -i 's/ of 250 Hz//' "$work/boards/uno/board.txt"
BOARDS=$work/boards tools/wiring.pl check 2>"$work/said"
ok 'a pin that one board lacks is told' grep -q 'nano has no BUZZER' "$work/said"
rm -r "$work/boards/nano"
BOARDS=$work/boards tools/wiring.pl check 2>"$work/said"
ok 'a pump without a frequency is told' grep -q 'does not say its frequency' "$work/said"

# Faults in the tables themselves have their line.
cp -r wiring "$tables"
echo 'join a1 z9' >>"$tables/cables.txt"
ok 'a wrong pin is told with its line' grep -q "cables.txt:$(wc -l <"$tables/cables.txt"): a pin is" \
    <(WIRING=$tables tools/wiring.pl cables 2>&1 >/dev/null)

cp -r wiring/. "$tables"
sed -i 's/^more A_COIL  Q1/more A_COLI  Q1/' "$tables/controller.txt"
ok 'more of a net that there is not' grep -q 'controller.txt:[0-9]*: there is no net A_COLI above' \
    <(WIRING=$tables tools/wiring.pl check 2>&1 >/dev/null)

# The time of each board, by the rule of the design.
for board in boards/*/; do
    name=$(basename "$board")
    ms=$(tools/wiring.pl opening "$name")
    ok "the contacts of $name are open within 50 ms: $ms" \
        awk -v ms="$ms" 'BEGIN { exit !(ms > 0 && ms <= 50) }'
done

# Drawings: one for each cable and each drawing of a circuit, all on the page.
mkdir "$work/out"
ok 'the drawings are made' tools/wiring.pl draw "$work/out"
is 'a drawing for each' "$(find "$work/out" -name '*.svg' | wc -l)" \
    "$((5 + $(grep -c '^cable ' wiring/cables.txt) + $(cat wiring/controller.txt wiring/ethernet.txt |
        grep -c '^draw ')))"
is 'all of them on the page' "$(grep -c '<svg ' "$work/out/index.html")" \
    "$(find "$work/out" -name '*.svg' | wc -l)"
page=$work/out/index.html
is 'a drawing for any board has nothing of one' "$(grep -lE 'U1|Q1|>R9|>any<' "$work"/out/*.svg | xargs -n1 basename | paste -sd ' ')" \
    'coil-A-3V3.svg coil-A.svg host-in.svg host-out.svg lamp.svg pump-A-3V3.svg pump-A.svg usb-in-3V3.svg'
is 'what staff needs comes first, a page each' \
    "$(grep -nE '<section class="staff">|<h1>' "$page" | sed 's/<[^>]*>//g; s/^[0-9]*://' | sed '/^$/d' | paste -sd '|')" \
    "A booth with the controller|A booth without the controller|A booth on Ethernet|From parts to a booth|Connectors, as one sees them who solders|For whoever builds the controller and its cables"
is 'and each ends its page' "$(grep -c '^.staff { break-after: page' "$page")" 1
for label in 'A-judge' 'A-entity' 'B-judge' 'B-entity' 'JUDGE A' 'ENTITY A' 'JUDGE B' 'ENTITY B'; do
    ok "the picture of a booth has $label" grep -qF ">$label</text>" "$work/out/staff-with.svg"
    ok "and so has its list or the box, $label" grep -q "$label" <<<"$(sed '/<svg/,/<\/svg>/d' "$page")"
done
is 'the sockets of the box are marked as there' "$(sed -nE 's/^part X([1-4]) de9 female (JUDGE A|ENTITY A|JUDGE B|ENTITY B),.*/\1 \2/p' wiring/controller.txt | paste -sd ';')" \
    '1 JUDGE A;2 ENTITY A;3 JUDGE B;4 ENTITY B'
# From the solder side a socket has pin 1 on the left, a plug pin 5.
pins() { grep -oE 'x="[0-9]+" y="[0-9]+" text-anchor="middle" fill="[^"]*" font-size="13" font-weight="bold">[1-9]<' "$1" |
    sed -E 's/x="([0-9]+)" y="([0-9]+)".*>([1-9])</\2 \1 \3/' | sort -n -k1,1 -k2,2 | awk '{ printf "%s", $3 }'; }
is 'pins from the solder side: a socket and a plug' "$(pins "$work/out/staff-1-1.svg")" 123455432167899876
is 'and two sockets' "$(pins "$work/out/staff-null-modem.svg")" 123451234567896789
is 'the wires of the null-modem cable cross' \
    "$(grep -oE '>[235] (brown|green|grey)<' "$work/out/staff-null-modem.svg" | tr -d '<>' | paste -sd ';')" \
    '2 brown;3 green;5 grey;2 green;3 brown;5 grey'
is 'the circuit is drawn in one scale' \
    "$(sed -nE 's/.*viewBox="0 0 ([0-9.]+) [0-9.]+" width="([0-9.]+)mm".*/\1 \2/p' "$page" |
        awk '{ printf "%.3f\n", $2 / $1 }' | sort -u)" 0.155
is 'a command is set as one' "$(grep -c '`' "$page") $(grep -o '<code>tools/wiring.pl check</code>' "$page" | wc -l)" '0 2'
is 'a table that has room on a page is whole there, with a head to each column' \
    "$(grep -c 'whole' "$page") $(grep -c '<th></th>' "$page")" '8 0'
is 'each trap with its cure' "$(grep -c '^[^#]* | ' wiring/traps.txt)" "$(grep -vc '^#' wiring/traps.txt)"
ok 'twice the same' sh -c "mkdir '$work/again' && tools/wiring.pl draw '$work/again' &&
    diff -r '$work/out' '$work/again'"
if command -v rsvg-convert >/dev/null; then
    bad=0
    for svg in "$work"/out/*.svg; do
        rsvg-convert -o "$work/picture.png" "$svg" 2>>"$work/said" && [[ -s $work/picture.png ]] || bad=1
    done
    is 'every drawing can be rendered' $bad 0
else
    skip 'every drawing can be rendered' 'rsvg-convert is not installed'
fi

plan
