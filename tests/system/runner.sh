#!/bin/bash
# The runner itself: nothing that goes wrong in a test program may pass for a pass.
. tests/tap.sh

cd "$TMPDIR" || exit 1
runner=$OLDPWD/tests/run
METER=$(cd "$OLDPWD" && realpath "${BUILD:-build}/tests/runner/meter")
export METER BUILD=$TMPDIR/build SKIPS=$TMPDIR/skips.txt TIMEOUT=300
echo 'allowed: no modem lines* -- a pty has none' >"$SKIPS"

# program NAME TEXT: writes a script.
program() {
    printf '#!/bin/bash\n%s\n' "$2" >"$1"
    chmod +x "$1"
}

# totals PROGRAM...: the runner's last line and its exit status.
totals() {
    local out status
    out=$("$runner" "$@" 2>&1)
    status=$?
    echo "${out##*$'\n'}; $status"
}

program good 'echo 1..2; echo ok 1 - a; echo ok 2 - b'
program bad 'echo 1..2; echo ok 1 - a; echo not ok 2 - b; exit 1'
program lenient 'echo 1..2; echo ok 1 - a; echo not ok 2 - b'
program plain true
program plain_bad 'exit 3'
program dies 'echo 1..2; echo ok 1 - a; kill -SEGV $$'
program talks 'echo 1..9; echo not ok 1 - a; echo "# because"; printf "ok %d\n" {2..9} {1..90}; exit 1'
program stops 'echo 1..2; echo ok 1 - a'
program late_bad 'echo 1..1; echo ok 1 - a; exit 1'
program hangs 'echo 1..1; sleep 600'
program stubborn 'trap "" TERM; echo 1..1; echo ok 1 - a; while :; do read -rt 1 <> <(:); done'
program bails 'echo "Bail out! no"; exit 1'
program allowed 'echo 1..2; echo ok 1 - a; echo "ok 2 - no modem lines # SKIP on a pty"'
program sneaky 'echo 1..2; echo ok 1 - a; echo "ok 2 - no modem lines # SKIP on a pty"'
program cmocka 'echo 1..1; echo "not ok 1 # SKIP other"'
program all 'echo "1..0 # SKIP no root"'
program litter 'setsid sleep 300 & echo $! >"'"$TMPDIR"'/litter.pid"'
# shellcheck disable=SC2016 # for the other shell
program env '[[ $HOME == "$TMPDIR" && -d $TMPDIR && -z $(ls -A "$TMPDIR") && ! -s /dev/stdin ]]'

is 'counts what passes' "$(totals good plain)" '3 passed, 0 failed, 0 skipped; 0'
is 'counts what fails' "$(totals good bad)" '3 passed, 1 failed, 0 skipped; 1'
is 'believes the lines, not the status' "$(totals lenient)" '1 passed, 1 failed, 0 skipped; 1'
is 'a status stands for a silent program' "$(totals plain_bad)" '0 passed, 1 failed, 0 skipped; 1'
is 'a crash is a failure' "$(totals dies)" '1 passed, 1 failed, 0 skipped; 1'
cp dies dies_too
is 'crashes beside others are failures' "$(totals bad dies dies_too good)" \
    '5 passed, 3 failed, 0 skipped; 1'
is 'what failed is shown, whatever follows' "$("$runner" talks | grep '|' | xargs)" \
    '| not ok 1 - a | # because'
is 'a broken plan is a failure' "$(totals stops)" '1 passed, 1 failed, 0 skipped; 1'
is 'a status beside good lines is a failure' "$(totals late_bad)" '1 passed, 1 failed, 0 skipped; 1'
is 'a timeout is a failure' "$(TIMEOUT=1 totals hangs)" '0 passed, 1 failed, 0 skipped; 1'
is 'a bail-out is a failure' "$(totals bails)" '0 passed, 1 failed, 0 skipped; 1'
is 'a missing program is a failure' "$(totals nowhere)" '0 passed, 1 failed, 0 skipped; 1'
is 'a listed skip is a skip' "$(totals allowed)" '1 passed, 0 failed, 1 skipped; 0'
is 'an unlisted skip is a failure' "$(totals sneaky)" '1 passed, 1 failed, 0 skipped; 1'
is "cmocka's unlisted skip too" "$(totals good cmocka)" '2 passed, 1 failed, 0 skipped; 1'
is 'and a whole program' "$(totals good all)" '2 passed, 1 failed, 0 skipped; 1'
is 'nothing run is a failure' "$(totals)" '0 passed, 0 failed, 0 skipped; 1'
is 'each has a folder of its own' "$(totals env env)" '2 passed, 0 failed, 0 skipped; 0'
is 'what a program leaves behind' "$(totals litter)" '1 passed, 0 failed, 0 skipped; 0'
ok 'is ended, whatever its session is' test ! -d "/proc/$(<litter.pid)"
is 'a program that ignores the timeout is killed' "$(TIMEOUT=4 totals stubborn)" \
    '1 passed, 1 failed, 0 skipped; 1'

mkdir system golden unit fuzz
# Which of them start first.
program golden/early 'echo early >>order'
program system/late 'echo late >>order'
printf '%s\n' system/never_heard_of golden/early >long.txt
JOBS=1 LONG=long.txt totals system/late golden/early >/dev/null
is 'what is long starts first' "$(xargs <order)" 'early late'

# What is not built is said at once.
mkdir -p tests build/tests/system
cp "$OLDPWD/tests/needs" tests/
printf '%s\n' "$PWD/build/tests/system/there" "$PWD/build/tests/system/gone" >build/tests/tools
program build/tests/system/there true
# shellcheck disable=SC2016 # for the other shell
program wants.sh '"$BUILD/tests/system/there"; "$BUILD/tests/system/gone"; sleep 600'
is 'a script that wants what is not built' "$(totals wants.sh)" '0 passed, 1 failed, 0 skipped; 1'
is 'is told so' "$(<build/tests/log/wants.sh.log)" \
    'Bail out! not built: build/tests/system/gone; "make test T=wants" builds what it needs'
# shellcheck disable=SC2016
program wants.sh '"$BUILD/tests/system/there"'
is 'and runs if all is there' "$(totals wants.sh)" '1 passed, 0 failed, 0 skipped; 0'
rm -r tests build/tests/tools

# Processor time, of all descendants.
# shellcheck disable=SC2016 # for the other shell
program spins_awhile 'until (($(awk "{ print \$14 }" /proc/$$/stat) > 45)); do for i in {1..30000}; do :; done; done'
program spins '(setsid ./spins_awhile); echo ok 1 - a; echo 1..1'
processor() { awk '/ processor +[0-9]/ { sub(/.*processor +/, ""); sub(/ s.*/, ""); print int($0 * 10) }'; }
ok 'the processor time of a child in its own session is counted' test "$("$runner" spins | processor)" -gt 3
is 'nobody may take more than the budget' "$(BUDGET=0 totals spins) $(BUDGETS=budgets.txt BUDGET=1 totals good)" \
    '1 passed, 0 failed, 0 skipped; 0 2 passed, 0 failed, 0 skipped; 0'
# shellcheck disable=SC2016 # for the other shell
program spins_long 'end=$(($(awk "{ print \$14 + \$16 }" /proc/$$/stat) + 110))
until (($(awk "{ print \$14 + \$16 }" /proc/$$/stat) > end)); do for i in {1..30000}; do :; done; done; echo ok 1 - a; echo 1..1'
ok 'who does fails, with the reason' grep -q '^FAIL .*more than 1 processor seconds' <(BUDGET=1 "$runner" spins_long)
echo 'spins_l* 60 -- it counts' >budgets.txt
is 'but for those that have a reason' "$(BUDGETS=budgets.txt BUDGET=1 totals spins_long)" '1 passed, 0 failed, 0 skipped; 0'
ok 'the sum is told' grep -qE '^processor: [0-9]+\.[0-9] s$' <("$runner" good plain)

# What needs the machine for itself.
# shellcheck disable=SC2016 # for the other shell
program system/alone '[[ $(<order) == "slow end" ]] && echo alone >>order'
program system/slow 'echo -n "slow " >>order; read -rt 0.5 <> <(:); echo end >>order'
rm -f order
echo 'system/alone -- it asserts a duration' >alone.txt
is 'it runs when all others have ended' "$(ALONE=alone.txt totals system/alone system/slow) $(xargs <order)" \
    '2 passed, 0 failed, 0 skipped; 0 slow end alone'

# Stopped at random, and let go on.
# shellcheck disable=SC2016 # for the other shell
program stopped 'echo 1..1; ms() { echo $((${EPOCHREALTIME/./} / 1000)); }; most=0
for ((i = 0; i < 400; i++)); do
    from=$(ms); read -rt 0.01 <> <(:); took=$(($(ms) - from)); ((took <= most)) || most=$took
    ((most < 300)) || break
done
((most >= 300)) && echo ok 1 - a'
# shellcheck disable=SC2016 # for the other shell
program told '[[ ${STALLED-} ]]'
is 'STALL stops programs, which go on' "$(STALL=3 totals stopped)" '1 passed, 0 failed, 0 skipped; 0'
is 'and tells them' "$(STALL=3 totals told) $(totals told)" \
    '1 passed, 0 failed, 0 skipped; 0 0 passed, 1 failed, 0 skipped; 1'

# A process that is ended before its program begins: the script's own end is not for it.
# shellcheck disable=SC2016 # for the other shell
program early '. tests/tap.sh; . tests/support/booth.sh
for i in {1..20}; do sleep 60 & kill $!; wait $!; done 2>/dev/null
ok "what the script has is still there" test -d "$work"; plan'
is 'who is ended before his program begins ends nothing else' "$(cd "$OLDPWD" && "$TMPDIR/early" 2>&1)" \
    $'ok 1 - what the script has is still there\n1..1'

# listed PYTHON: what results() makes of a program with such lines.
listed() { (. "$OLDPWD/tests/tap.sh" && cd / && results python3 -c "$1" | sed 's| ends well.*||' | paste -sd ,); }
is 'the last line of a program counts without its newline' "$(listed 'print("0 a\n1 b", end="")')" \
    'ok 1 - a,not ok 2 - b,ok 3 - -c'
is 'a program that prints no result has failed' "$(listed 'print("# hello")')" '# # hello,not ok 1 - -c'
is 'and so has one that ends badly' "$(listed 'print("0 a"); raise SystemExit(3)')" 'ok 1 - a,not ok 2 - -c'
plan
