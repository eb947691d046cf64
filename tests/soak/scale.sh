#!/bin/bash
# The load of 1,000 booths at one desk that has one core: copies equal, little memory; how soon keys are on
# the manager's page is told, not asserted. In the same run a bare TCP log with the same syncing
# (tests/scale/crowd, tests/scale/bare). BOOTHS and SECONDS_OF take others.
. tests/tap.sh

said=$(tests/scale/scale.py --build "$BUILD" --booths "${BOOTHS:-1000}" --seconds "${SECONDS_OF:-15}" 2>&1)
status=$?
printf "# %s\n" "${said//$'\n'/$'\n'# }"
ok 'each copy is equal, and little memory taken' test $status = 0
ok 'the figures are there' grep -q "^from key to the manager's page: p50 [0-9.]* s, p99 [0-9.]* s" <<<"$said"
ok 'and those of the bare log' grep -q 'the bare log [0-9]* %, ratio' <<<"$said"
plan
