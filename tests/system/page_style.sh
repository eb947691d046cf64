#!/bin/bash
# The style sheet of the page in a browser: contrast, light and dark.
. tests/tap.sh

results python3 tests/system/page_style.py
ok 'some was reckoned' test "$tap_count" -gt 6
plan
