#!/bin/bash
# What a terminal hands over of what is typed, and how it gives the terminal back.
. tests/tap.sh
. tests/golden/lib.sh

# typed: the log since it was ready, in one line.
typed() { sed -n '1d; s/^key U+0*//; p' "$work/log" | tr '\n' ' '; }

begin 80 24
say 'active L yes'
keys a Enter Tab BSpace DC Space Up F5 S-F2 M-x C-a
bytes 7f c3 a9 e4 b8 ad f0 9f 99 82 # DEL and é 中 🙂
bytes ff c3 41                      # no UTF-8
bytes 1b 5b 39 39 3b 39 39 7e 42    # an escape sequence that nobody knows
bytes 1b 5b 32 30 30 7e 70 0d 0a 71 1b 5b 32 30 31 7e # a bracketed paste
keys z
told 'key U\+007A'
is 'keys, and what is none' "$(typed)" \
    "61 D 9 8 ignored 20 ignored ignored ignored ignored ignored \
8 E9 4E2D 1F642 ignored ignored 41 ignored 42 70 D 71 7A "

keys Escape
told ignored
pause 0.2
before=$(count ignored)
keys Escape
more_ignored() { (($(count ignored) > before)); }
eventually more_ignored
keys y
ok 'a lone Escape does not eat the next key' told 'key U\+0079'

# A burst: every key, in order.
tm set-buffer -b burst "$(printf '%01000d' 7)END"
tm paste-buffer -t golden -b burst
told 'key U\+0044'
is 'a paste gives its keys one by one' "$(count 'key U\+0030')" 999

keys C-l
say 'log idle'
told idle
eventually still
switches() { sed -n 's/^voluntary_ctxt_switches:\t//p' "/proc/$pid/status"; }
sleeps() { # for two seconds, when all that was before is done
    before=$(switches)
    pause 2
    (($(switches) - before <= 1))
}
ok 'an idle screen never wakes' eventually sleeps

kill -STOP "$pid"
kill -CONT "$pid"
say 'message after a stop'
ok 'stopped and continued' eventually has 'after a stop' 'F12 steward'

# A stopped terminal (Scroll Lock) must not stop the line: we go on, and show it all later.
say 'stop'
for i in {1..200}; do
    say "say L entity line $i of a page that nobody sees\n"
done
say 'log alive'
ok 'a stopped terminal does not stop us' told alive
say 'go'
ok 'and shows everything when it goes on' eventually has 'line 200 of a page'

# refused WORDS COMMAND: the demo does not take the terminal, and says so.
refused() {
    shell 80 24
    keys "$2; echo status \$?" Enter
    ok "refused: $1" eventually has "$1" 'status 69'
}

refused 'TERM=nonsense is not known' "TERM=nonsense $demo control log"
refused 'TERM=dumb cannot place the cursor' "TERM=dumb $demo control log"
refused 'standard input is no terminal' "$demo control log </dev/null"
refused 'standard output is no terminal' "$demo control log | cat; (exit \${PIPESTATUS[0]})"

begin 80 24 LC_ALL=C
say 'say L entity naïve 中文'
ok 'a locale without UTF-8 is not used' eventually has 'naïve 中文'

begin 80 24 --ignore-signal=HUP
tm kill-session -t golden
ok 'a terminal that goes away is said to be lost' told lost
ok 'and all is put away' told 'end 0'

# restored HOW COMMAND...: the command ends the demo; then the shell has its terminal as it was.
restored() {
    local how=$1
    shift
    shell 80 24
    rm -f "$work/before" "$work/after"
    keys 'echo what was there' Enter
    eventually has $'\nwhat was there'
    run_demo "$settings"
    say 'role judge' 'active L yes' 'reach L no of a test'
    eventually has 'THE PARTNER CANNOT BE REACHED'
    "$@"
    eventually has 'status '
    ok "$how: modes" eventually cmp -s "$work/before" "$work/after"
    # shellcheck disable=SC2016 # for the other shell
    keys 'echo $((6 * 7))' Enter
    # shellcheck disable=SC2016
    ok "$how: the keyboard echoes" eventually has $'$ echo $((6 * 7))\n42\n'
    ok "$how: screen and cursor" test \
        "$(tm display-message -p -t golden '#{alternate_on} #{cursor_flag} #{mouse_any_flag}')" = '0 1 0'
    if [[ $how != *vt100* ]]; then
        ok "$how: what was there" has 'what was there'
    else
        ok "$how: an empty screen" test "$(screen | grep -c 'REACHED')" = 0
    fi
}

leave() {
    keys F10 l e a v e Enter
    told 'end 0'
}

signal_demo() { kill -s "$1" "$pid"; }

settings=''
restored leaving leave
ok 'leaving leaves nothing behind' has $'\nstatus 0'
restored closing say close
ok 'nor does closing' has $'\nstatus 0'
restored exit say 'exit 3'
for signal in TERM HUP INT QUIT SEGV ABRT BUS FPE PIPE USR1 RTMIN; do
    restored "SIG$signal" signal_demo "$signal"
done
restored 'stack overflow' say overflow
restored raise say 'raise 11'
settings='TERM=vt100'
restored 'SIGTERM on a vt100' signal_demo TERM

plan
