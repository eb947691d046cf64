#!/bin/bash
# "make flash" and "make fuses" with the real avrdude, at the other end of a simulated cable a
# bootloader that speaks its protocol: what arrives in a board is what was built.
. tests/tap.sh
. tests/support/booth.sh

# board: puts a board, waiting for its programmer, at the cable.
board() {
    rm -f "$work/flash" "$work/fuses"
    [[ ! -v pid_of[usb] ]] || slay usb
    cable usb
    mkfifo "$work/board.ready"
    LD_PRELOAD=$sim/shim.so BOOTHLINK_SIM=$cables perl tests/system/bootloader.pl "$work/usb.b" \
        "$work/flash" "$work/fuses" >"$work/board.ready" &
    pid_of[board]=$!
    read -r _ <"$work/board.ready"
    rm "$work/board.ready"
}

# programs MAKE-ARGUMENT...: the Makefile's recipe, with the cable for a USB port.
programs() {
    LD_PRELOAD=$sim/shim.so BOOTHLINK_SIM=$cables make -s BUILD="$BUILD" "$@" >"$work/said" 2>&1
}

# done_with DESCRIPTION MAKE-ARGUMENT...: a board is programmed by that. avrdude gives a board up that
# is silent for some seconds, which one on a machine that stands still may be: then once more.
done_with() {
    local try status
    for try in 1 2 3; do
        ((try == 1)) || slay board
        board
        programs "${@:2}"
        status=$?
        ((status != 0)) || break
        sed 's/^/# /' "$work/said"
    done
    is "$1: avrdude is content" $status 0
    ended board
    is "$1: the board too" $? 0
    slay usb
}

for name in uno nano; do
    done_with $name flash BOARD=$name PORT="$work/usb.a"
    avr-objcopy -O binary "$BUILD/firmware/$name/boothlink.elf" "$work/built"
    equal "$name: has what was built" "$work/flash" "$work/built"
    is "$name: and its fuses as they were" "$(cat "$work/fuses")" ''
done
done_with 'an ISP programmer' fuses BOARD=uno ISP="stk500v1 -P $work/usb.a"
is 'the fuses are those of the table of its board' "$(xargs <"$work/fuses")" \
    'efuse 04 hfuse D6 lfuse FF'

is 'without a port it says what is missing' "$(make -s flash 2>&1 | head -n 1)" \
    "flash: give PORT=, one of $(shopt -s nullglob; set -- /dev/ttyACM* /dev/ttyUSB*
        echo "${*:-/dev/ttyACM* or /dev/ttyUSB*: none is plugged in}")"
is 'of a board that there is not, it says which there are' "$(make -s flash BOARD=mega 2>&1 | head -n 1)" \
    'there is no board mega: give BOARD= one of nano pico uno'
programs flash PORT="$work/none"
is 'with one that is not there it fails' $(($? != 0)) 1
plan
