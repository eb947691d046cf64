#!/bin/bash
# Installs what the tests use of npm, the client library of Entries of 2016 to 2019, into build-npm/:
# just the files whose hashes stand in tests/npm/package-lock.json. Nothing of it is run or kept
# here, and nothing that is installed needs it.
set -eu

to=build-npm
lock=tests/npm/package-lock.json
[[ ! $to/package-lock.json -nt $lock || ! -d $to/node_modules ]] || exit 0
command -v npm >/dev/null || tools/deps.sh npm
mkdir -p "$to"
cp tests/npm/package.json "$lock" "$to/"
if ! log=$(npm ci --prefix "$to" --ignore-scripts --no-audit --no-fund --fetch-retries=1 \
    --fetch-timeout=30000 2>&1); then
    rm -rf "$to"
    printf '%s\n' "$log" >&2
    echo "npm: could not install; it needs a network, or npm's registry in its cache" >&2
    exit 69
fi
touch "$to/package-lock.json"
echo "npm: installed $(find "$to/node_modules" -mindepth 1 -maxdepth 1 -name '[a-z]*' | wc -l) packages into $to"
