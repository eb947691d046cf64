#!/bin/bash
# The style sheet of the page in a browser: contrast, light and dark.
. tests/tap.sh

while read -r status text; do
    result "$status" "$text"
done < <(python3 tests/system/page_style.py)
ok 'some was reckoned' test "$tap_count" -gt 6
plan
