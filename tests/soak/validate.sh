#!/bin/bash
# No false alarm: good Entries are validated twenty times while both cores are busy; then every bad
# one with all checks, of which it must fail one. ROUNDS (20); JOBS: how many at once (6).
. tests/tap.sh
. tests/entrants/entrants.sh

if ! can_validate; then
    skip 'good Entries give no false alarm' 'a sandbox needs root or user namespaces'
    plan
fi

for _ in 1 2; do
    (while :; do :; done) &
done
burners=$(jobs -p)
JOBS=${JOBS:-6}

mapfile -t rows < <(entrants_rows ' good')
perl -MChatbot::Eliza -e 1 2>/dev/null && rows+=('other/eliza 2009 good')
if command -v emacs >/dev/null; then
    rows+=('other/doctor 2009 good')
else
    skip 'the doctor of Emacs gives no false alarm' 'emacs is not installed'
fi
for ((round = 1; round <= ${ROUNDS:-20}; round++)); do
    running=0
    for number in "${!rows[@]}"; do
        read -ra words <<<"${rows[number]}"
        entrant_validate "$stage/$number" "${words[@]:0:2}" "${words[@]:3}" &
        validators[number]=$!
        ((++running < JOBS)) || {
            wait -n
            ((running--))
        }
    done
    wait "${validators[@]}"
    for number in "${!rows[@]}"; do
        read -ra words <<<"${rows[number]}"
        is "round $round: ${words[0]}, ${words[1]}: nothing is found" \
            "$(entrant_findings "$stage/$number")" ''
    done
done
# shellcheck disable=SC2086 # several numbers
kill $burners
ok 'every bad one fails one check and no other' \
    env FULL=1 JOBS="$JOBS" "${BASH_SOURCE[0]%/*}/../system/validate_bad.sh"
plan
