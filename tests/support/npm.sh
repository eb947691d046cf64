# shellcheck shell=bash
# Packages of npm that the tests alone use: source this after tests/tap.sh.

# needs_npm DESCRIPTION [PACKAGE]: without it a script ends here, with that test skipped.
needs_npm() {
    local why='' package=${2:-socket.io-client}
    command -v node >/dev/null || why='node is not installed; make deps NPM=1 does that'
    [[ -d build-npm/node_modules/$package ]] ||
        why=${why:-"$package is not installed; make deps NPM=1 does that"}
    export NODE_PATH=$PWD/build-npm/node_modules
    [[ $why ]] || return 0
    skip "$1" "$why"
    plan
}
