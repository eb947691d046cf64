# shellcheck shell=bash
# The client library of Entries of 2016 to 2019: source this after tests/tap.sh.

# needs_npm DESCRIPTION: without it a script ends here, with that test skipped.
needs_npm() {
    local why=
    command -v node >/dev/null || why='node is not installed; make deps NPM=1 does that'
    [[ -d build-npm/node_modules/socket.io-client ]] ||
        why=${why:-'socket.io-client is not installed; make deps NPM=1 does that'}
    export NODE_PATH=$PWD/build-npm/node_modules
    [[ $why ]] || return 0
    skip "$1" "$why"
    plan
}
