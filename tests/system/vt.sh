#!/bin/bash
# What boothlink does with a Linux console: the largest type of console-setup's that fits, given back on
# every way out, and pages that the kernel's messages do not stay on. There is no console here: vt.c
# answers in its place, to boothlink and to the real setfont.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh
double=$BUILD/tests/system/vt.so
fonts=/usr/share/consolefonts
cable c
export ASAN_OPTIONS=detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS} # it is ended by signals

# console NAME ACROSSxDOWN [NAME=VALUE...] [-- OPTION...]: a judge on a console of so many dots.
console() {
    local name=$1 across=${2%x*} down=${2#*x} more=()
    shift 2
    while (($#)) && [[ $1 != -- ]]; do
        more+=("$1")
        shift
    done
    shift $(($# > 0))
    rm -f "$work/$name".*
    printf '%-32s' "$across $down" | tr ' ' '\0' | sed 's/\x00/ /' >"$work/$name.state"
    eventually window_gone "$name"
    tm new-session -d -s "$name" -x $((across / 8)) -y $((down / 16)) \
        "cd '$work' && exec env -u TMUX TERM=linux BOOTHLINK_SIM=$cables VT_STATE=$work/$name.state ${more[*]@Q} \
        LD_PRELOAD='$double $sim/shim.so' $bl judge --left serial:$work/c.a --starts either \
        --session $name --journal $work/$name.journals $* 2>$work/$name.err"
}
calls() { paste -sd';' "$work/$1.state.calls" 2>/dev/null; }
size() { stty size <"$(tm display-message -p -t "$1" '#{pane_tty}')"; }
# ended NAME SIGNAL: by that signal; what was called since.
ended() {
    local before
    before=$(wc -l <"$work/$1.state.calls")
    kill "-$2" "$(window_pid "$1")" && eventually window_gone "$1" &&
        tail -n +$((before + 1)) "$work/$1.state.calls" | paste -sd';'
}
said() { [[ $(calls "$1") == *"$2"* ]]; }

if ! command -v setfont >/dev/null || [[ ! -e $fonts/Uni2-TerminusBold32x16.psf.gz ]]; then
    skip 'the fonts of console-setup' 'console-setup and kbd are not installed'
else
    while read -r dots font rows columns; do
        console "big$dots" "$dots"
        reads "on a screen of $dots dots" "big$dots" 'F12'
        is "the type is $font, for $rows rows of $columns" \
            "$(grep -o 'font [0-9x]*, 512' "$work/big$dots.state.calls" | paste -sd';') $(size "big$dots")" \
            "font $font, 512 $rows $columns"
        is 'given back with its characters at the end' "$(ended "big$dots" TERM | grep -o 'font.*map [0-9]*')" \
            'font 8x16, 256 characters;map 2'
    done <<'SIZES'
1920x1080 16x32 33 120
1280x1024 16x32 32 80
1024x768 12x24 32 85
800x480 10x20 24 80
SIZES
    console crash 1920x1080
    reads 'another' crash 'F12'
    is 'after a crash too' "$(ended crash SEGV | grep -o 'font.*map [0-9]*')" 'font 8x16, 256 characters;map 2'
fi
console small 1920x1080 -- --small
reads 'with --small' small F12
is 'it is as it was' "$(calls small | grep -c font) $(size small)" '0 67 240'
is 'nothing was lost of it' "$(ended small TERM | grep -c font)" 0
console bare 1920x1080 PATH=/none
reads 'without setfont' bare F12
is 'its own is doubled' "$(grep font "$work/bare.state.calls") $(size bare)" 'font 16x32, 256 characters 33 120'
is 'and given back' "$(ended bare TERM | grep -o 'font[^;]*')" 'font 8x16, 256 characters'
console tight 1024x768 PATH=/none
reads 'where that leaves too little' tight F12
is 'nothing is done' "$(calls tight | grep -c font) $(size tight)" '0 48 128'
ended tight TERM >/dev/null

# -- the kernel's messages
message='ftdi_sio ttyUSB0: error from flowcontrol urb'
# complained NAME: on the screen, as the kernel writes.
complained() { printf '\e[8;3H%s\r\n\r\n' "$message" >"$(tm display-message -p -t "$1" '#{pane_tty}')"; }
spoiled() { screen "$1" | grep -qF "$message"; }
clean() { ! spoiled "$1"; }
level=$(cut -f1 /proc/sys/kernel/printk)
mkfifo "$work/log"
console log 800x480 "VT_LOG=$work/log" -- --small
reads 'a console whose log can be read' log F12
ok "the kernel's messages are off on it" said log 'klogctl 6'
before=$(screen log)
complained log
ok 'a message stands on the page' eventually spoiled log
if ((level > 7)); then
    skip 'one that is not for consoles draws nothing' 'every message of the kernel is written on its consoles here'
else
    printf '15,7,7000,-;not for consoles\n' >"$work/log"
    is 'one that is not for consoles draws nothing' "$(sleep 1; spoiled log; echo $?)" 0
fi
printf '3,8,8000,-;%s\n' "$message" >"$work/log"
ok 'and is gone when the kernel has logged it' eventually clean log
is 'with all as it was' "$(screen log)" "$before"
is 'the messages are on again at the end' "$(ended log TERM | grep -o 'klogctl 7')" 'klogctl 7'

console blind 800x480 -- --small
reads 'a console whose log may not be read' blind F12
complained blind
ok 'a message stands on that page, too' eventually spoiled blind
typed_until_clean() { keys blind -l x && clean blind; }
ok 'it goes with what changes' eventually typed_until_clean
ended blind TERM >/dev/null
plan
