#!/bin/bash
# Transcripts of every format, encoding, line end and kind of damage by the command line: the exit code says
# what was lost, the words count it, and what was written of it gives the same keys. SEED chooses the
# encodings and line ends.
. tests/tap.sh

seed=${SEED:-$RANDOM}
echo "# SEED=$seed"
sound=0 lost=0 odd=0 wrong=()
keys() { "$BUILD/boothlink" transcript convert "$1" --to keys 2>"$TMPDIR/said" >"$2"; }
while read -r format damage encoding ends; do
    what="corpus $format $damage $encoding $ends"
    "$BUILD/tests/system/corpus" "$format" "$damage" "$encoding" "$ends" >"$TMPDIR/file"
    keys "$TMPDIR/file" "$TMPDIR/keys"
    rc=$? expected=65
    case $damage in
    [0-3])
        expected=0
        sound=$((sound + 1))
        ;;
    [4-7])
        grep -qE 'file is damaged: ([0-9]+ (record|byte|key)(, )?)+; see' "$TMPDIR/said" || wrong+=("$what: it says $(<"$TMPDIR/said")")
        lost=$((lost + 1))
        ;;
    *) # a last line that breaks off: damaged, or odd, for it may be whole
        "$BUILD/boothlink" transcript check "$TMPDIR/file" >"$TMPDIR/checked"
        grep -qE ': (damaged, (cut|record|byte|key)|odd, end)' "$TMPDIR/checked" || wrong+=("$what: $(tail -n 1 "$TMPDIR/checked")")
        grep -q ' 0 damaged' "$TMPDIR/checked" && expected=0
        odd=$((odd + 1))
        ;;
    esac
    ((rc == expected)) || wrong+=("$what: exit code $rc, not $expected")
    keys "$TMPDIR/keys" "$TMPDIR/again"
    ((rc == $?)) || wrong+=("$what: another exit code from its keys")
    cmp -s <(grep -v '^# @lost' "$TMPDIR/keys") <(grep -v '^# @lost' "$TMPDIR/again") ||
        wrong+=("$what: other keys from its keys")
done < <("$BUILD/tests/system/corpus" "$seed")
is 'the exit codes, the words and the keys of all' "${wrong[*]}" ''
ok 'there were files of each kind' test "$sound" -ge 36 -a "$lost" -ge 30 -a "$odd" -ge 18
plan
