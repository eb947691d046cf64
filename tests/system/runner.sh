#!/bin/bash
# The runner itself: nothing that goes wrong in a test program may pass for a pass.
. tests/tap.sh

cd "$TMPDIR" || exit 1
runner=$OLDPWD/tests/run
export BUILD=$TMPDIR/build SKIPS=$TMPDIR/skips.txt TIMEOUT=60 RETRY=0
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
program litter 'sleep 300 & echo $! >"'"$TMPDIR"'/litter.pid"'
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
for _ in {1..600}; do
    kill -0 "$(<litter.pid)" 2>/dev/null || break
    sleep 0.1
done
ok 'is ended' test ! -d "/proc/$(<litter.pid)"
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

# What fails at its first run alone.
# shellcheck disable=SC2016 # these are for the other shell
{
    once='echo 1..1; [[ -e $0.ran ]] && echo ok 1 - a && exit; : >"$0.ran"; echo not ok 1 - a'
    never='echo x >>"$0.runs"; echo not ok 1 - a; echo 1..1'
    slow='sleep 0.5; : >"$0.ended"; echo ok 1 - a; echo 1..1'
    alone='[[ -e ${0%/*}/slow.ended ]]'
}
program system/once "$once"
program golden/once "$once"
program fuzz/fuzz_once "$once"
program system/never "$never"
program system/slow "$slow"
program system/alone "$alone"
is 'a script that fails is not run again' "$(totals system/once)" '0 passed, 1 failed, 0 skipped; 1'
rm system/once.ran
export RETRY=1
is 'with RETRY it is' "$(totals system/once)" '1 passed, 0 failed, 0 skipped; 0'
ok 'keeping the log of its failure' grep -q '^not ok 1' build/tests/log/system/once.first.log
ok 'and the log of its success' grep -q '^ok 1' build/tests/log/system/once.log
rm system/once.ran
rm -f golden/once.ran
is 'is told loudly' "$("$runner" system/once golden/once | awk '/^[A-Z]/ { print $1, $2 }' | sort)" \
    $'AGAIN golden/once\nAGAIN system/once\nLATER golden/once\nLATER system/once'
is 'alone, after the others' "$(totals system/alone system/slow)" \
    '2 passed, 0 failed, 0 skipped; 0'
is 'once' "$(totals good system/never)" '2 passed, 1 failed, 0 skipped; 1'
is 'and not thrice' "$(wc -l <system/never.runs)" 2
is 'a fuzzer gets no second run' "$(totals fuzz/fuzz_once)" '0 passed, 1 failed, 0 skipped; 1'
plan
