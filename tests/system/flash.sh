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
# A Pico's loader is a drive, here a folder and a table of mounts that names it; it goes when the board
# has taken the file.
uf2() { perl firmware/hal/rp2040/uf2.pl "$@"; }
head -c 700 /dev/urandom >"$work/pico.bin"
printf '\0\0\0\0' | dd of="$work/pico.bin" bs=1 seek=252 conv=notrunc status=none
uf2 make "$work/pico.bin" "$work/pico.uf2"
drive=$work/media/RPI-RP2
mkdir -p "$drive" "$work/other"
echo "/dev/sda1 $work/other vfat rw 0 0" >"$work/mounts"
is 'without a drive it says what to do' "$(uf2 copy "$work/pico.uf2" "$work/mounts" 0 2>&1; echo $?)" \
    "Waiting for the drive RPI-RP2, 0 s: hold BOOTSEL and plug the board's own USB socket in.
uf2: no drive RPI-RP2 (a folder with INFO_UF2.TXT) in 0 s; hold BOOTSEL while the board is plugged in
69"
uf2 copy "$work/pico.uf2" "$work/mounts" 60 >"$work/said" 2>&1 &
pid_of[uf2]=$!
eventually grep -q Waiting "$work/said"
printf 'UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n' >"$drive/INFO_UF2.TXT"
echo "/dev/sdb1 $drive vfat rw 0 0" >>"$work/mounts"
eventually cmp -s "$drive/boothlink.uf2" "$work/pico.uf2"
equal 'it waits for the drive, and the board has what was built' "$drive/boothlink.uf2" "$work/pico.uf2"
sed -i '/sdb1/d' "$work/mounts"
ended uf2
is 'a Pico: and it ends well' $? 0
is 'with the name of the drive' "$(sed -n '2,$p' "$work/said")" "Copying $work/pico.uf2 to $drive ...
The board has taken it, and runs it."

programs flash PORT="$work/none"
is 'with one that is not there it fails' $(($? != 0)) 1
plan
