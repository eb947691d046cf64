#!/bin/bash
# What a machine of the image asks at its first start: the keyboard's layout and the time, once. The
# kernel's keymap and clock are not touched: loadkeys, date -s and hwclock only say what they would do.
. tests/tap.sh

first=$PWD/host/share/image/root/usr/local/sbin/boothlink-first
work=$TMPDIR/work
mkdir -p "$work/bin" "$work/configuration/keyboards"
cp host/share/image/root/etc/boothlink/layouts "$work/configuration/"
for layout in us de; do
    : >"$work/configuration/keyboards/$layout.map.gz"
done
touch -d '2026-11-01 00:00' "$work/configuration/made"
cat >"$work/bin/loadkeys" <<'SH'
#!/bin/bash
[[ -f ${!#} ]] && basename "${!#}" .map.gz >>"$DONE"
SH
cat >"$work/bin/date" <<'SH'
#!/bin/bash
case "$*" in
+%s) echo "$NOW" ;;
"-s "*) echo "clock ${2#@}" >>"$DONE" ;;
*) exec /bin/date "$@" ;;
esac
SH
cat >"$work/bin/hwclock" <<'SH'
#!/bin/bash
echo rtc >>"$DONE"
SH
chmod +x "$work"/bin/*
mkdir "$work/records"

# start TIME ANSWER...: the machine's start at that time by its clock; into $done, what it did. Without
# an answer there is none, as after Ctrl-D.
start() {
    local at=$1
    shift
    : >"$work/done"
    { (($# == 0)) || printf '%s\n' "$@"; } | PATH=$work/bin:$PATH DONE=$work/done NOW=$(/bin/date -d "$at" +%s) \
        "$first" "$work/records" "$work/configuration" >"$work/said" 2>&1
    status=$?
    done=$(grep -v rtc "$work/done" | xargs)
}
said() { grep -qF -- "$1" "$work/said"; }
again() { rm -f "$work/records"/*; }
clock() { echo "clock $(/bin/date -d "$1" +%s)"; }

start '2026-11-20 09:00' '' ''
is 'Enter alone: American, and nothing of the time' "$status $done" '0 us'
ok 'it lists the layouts' said 'German'
is 'it is kept' "$(cat "$work/records/keyboard")" us
touch -d '2026-11-20 09:00' "$work/records/keyboard"
start '2026-11-20 10:00'
is 'the second start asks nothing' "$status $done" '0 us'
is 'nor does it say anything' "$(tr -d '\033' <"$work/said")" '[H[2J'

again
start '2026-11-20 09:00' xx 99 DE 'zyäöü' 0 3 ''
is 'what is not in the list is told, a trial may go back to it' "$done" 'de de'
ok 'and what would be right' said '"xx" is not in the list: expected 1 to 21, or two letters such as de.'
ok 'a number too' said '"99" is not in the list'
again
start '2026-11-20 09:00' fr '' us ''
ok 'a layout that cannot be loaded is told' said 'The layout "fr" cannot be loaded'

again
start '1999-01-01 00:00' 3 '' yesterday '2026-10-31 09:00' '2026-11-23 25:00' '2062-11-23 17:30' \
    '2027-11-23 17:30' no '2026-11-23 17:30' ''
is 'a clock before the image: the time is asked for' "$done" "de $(clock '2026-11-23 17:30')"
ok 'what is no time is told' said 'Expected year-month-day hour:minute, not before 2026-11-01'
ok 'nor is 2062 one' said 'and not after 2036-11'
is 'nor is it asked back' "$(said '23 November 2062' && echo asked)" ''
ok 'what is taken is asked back' said 'Monday, 23 November 2026, 17:30. Enter if that is right'
touch -d '2026-11-23 18:02:03' "$work/records/newest"
touch -d '2026-11-23 17:31' "$work/records/keyboard"
start '1999-01-01 00:00'
is 'a power cut later: on from the newest record, without a question' "$done" \
    "de $(clock '2026-11-23 18:02:03')"
start '2027-12-01 00:00'
is 'a clock that is ahead stays' "$done" de
touch -d '2062-11-23 18:02:03' "$work/records/newest"
start '1999-01-01 00:00'
is 'a record of 2062 sets no clock' "$done" "de $(clock '2026-11-23 17:31')"
# The folder is not root's: what it holds may be anything.
mkdir "$work/elsewhere"
: >"$work/elsewhere/us.map.gz"
for odd in ../../elsewhere/us /etc/passwd de/../de 'de x'; do
    again
    echo "$odd" >"$work/records/keyboard"
    start '2026-11-20 09:00' us ''
    is "no layout: $odd" "$done" us
done
again
: >"$work/elsewhere/mine"
ln -s "$work/elsewhere/mine" "$work/records/keyboard.new"
start '2026-11-20 09:00' us ''
is 'a link is not written through' "$(cat "$work/elsewhere/mine")$(cat "$work/records/keyboard")" us

again
start '1999-01-01 00:00'
is 'Ctrl-D, or nobody there: it ends, and the terminal begins' "$status" 0
ok 'the time was asked for too' said 'The clock of this machine says'
is 'and the layout is asked for at the next start' "$(ls "$work/records")" ''
plan
