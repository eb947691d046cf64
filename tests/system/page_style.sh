#!/bin/bash
# The style sheet of the page in a browser: contrast, light and dark.
. tests/tap.sh

results python3 tests/system/page_style.py
is 'both palettes were reckoned' "$tap_count" 8
plan
