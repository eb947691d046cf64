# shellcheck shell=bash
# Chromium and its driver: source this after tests/tap.sh and tests/support/booth.sh.

# needs_browser DESCRIPTION: without one a script ends here, with that test skipped.
needs_browser() {
    local why
    why=$(python3 -c 'import sys; sys.path.insert(0, "tests/support"); import browser
print(browser.missing() or "")')
    [[ $why ]] || return 0
    skip "$1" "$why"
    plan
}
