#!/bin/bash
# One key to the page in a browser, held beside the console's way.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/browser.sh

if why=$(no_browser); then
    echo "$why" >&2
    exit 77
fi

cable one
cable two
start judge judge --left "serial:$work/one.a" --starts either --session bench --journal judge --screen web
start entity entity --line "serial:$work/one.b" --keyboard --journal entity --headless
start other entity --line "serial:$work/two.b" --keyboard --journal other --headless
eventually test -s "$work/judge/judge.url"
BOOTHLINK_SIM=$cables python3 tests/bench/bench_browser.py "$work" "$bl" "$sim/shim.so"
