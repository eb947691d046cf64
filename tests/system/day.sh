#!/bin/bash
# A day of two booths, from power-on to the result: see tests/rehearsal. Needs "$BUILD/sim/controller".
. tests/tap.sh
# The booths run with the cable's library before the sanitizer's.
export ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}

longer=1 patience=3 # sessions of 5 s
! is_stalled || longer=12 patience=12 # of 60 s where people and machines are stopped for 2 s

out=$(tests/rehearsal/rehearsal.py --build "$BUILD" --ruleset loebner-2004 --booths 2 \
    --patience "$patience" --longer "$longer" 2>&1)
is 'a rehearsal ends well' $? 0
ok 'with nothing lost, all ballots, and the result as expected' grep -qxE \
    'rehearsal loebner-2004 seed 1: 4 sessions, [1-9][0-9]+ keys, 0 lost, 4 of 4 ballots, result as expected' \
    <<<"$(tail -n 1 <<<"$out")"
is 'one key for each session and machine, each stick to its room and back, eight commands' \
    "$(jq -c '[.sessions, .enters, .stick_moves, .commands]' "$BUILD/rehearsal.json")" '[4,12,4,8]'
is 'the last line stands in the file as well' "$(jq -r .line "$BUILD/rehearsal.json")" \
    "$(tail -n 1 <<<"$out")"
ok 'an Entry on a terminal has talked, and one of LPP v2' \
    jq -e '[.entries[]] | length == 2 and all(. > 50)' "$BUILD/rehearsal.json"
is 'which they are' "$(jq -c '.entries | keys' "$BUILD/rehearsal.json")" '["lpp2","pty"]'
# excuses: whether 20 s of a stopped controller excuse parts that were planned for 60 s.
excuses() {
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=tests/rehearsal /usr/bin/python3 -c 'import records
print(*[s for s in (40, 54, 60, 80, 81) if records.is_late(f"part 1 was open for {s} s, planned are 60 s", 20)])'
}
is 'a stopped controller excuses a part that was too long by its time, never a short one' \
    "$(STALLED=1 excuses)" '60 80'
is 'and nothing where none is stopped' "$(unset STALLED; excuses)" ''
[[ $tap_bad == 0 ]] || echo "# ${out//$'\n'/$'\n'# }"
plan
