#!/bin/bash
# An Entry of LPP v2 is tried at home: a good one passes, by Python's standard library and by the client
# library of those years, and each check of LPP v2 is failed by one that breaks just that.
. tests/tap.sh
. tests/support/npm.sh

program=$(realpath "${BUILD:-build}/boothlink")
work=$(mktemp -d)
trap 'jobs -p | xargs -r kill -KILL 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

# refused DESCRIPTION WHY OPTION...
refused() {
    is "$1" "$("$program" validate entry --ruleset loebner-2009 --folder "$work" "${@:3}" 2>&1 | tail -1)" \
        "boothlink validate entry: $2"
}
refused 'an address is not for the sandbox' "--lpp2 0.0.0.0:8080: an Entry in the sandbox reaches us at \
127.0.0.1 alone; expected --lpp2 PORT" --program true --lpp2 0.0.0.0:8080
refused 'a port that is none' \
    '--lpp2 x: expected PORT, 1 to 65535, or ADDRESS:PORT, as 192.168.7.1:8080' --program true --lpp2 x
refused 'it speaks in one way' "expected one of --program 'CMD', --lpp DIR, --lpp2 PORT, --web URL, --cgi 'CMD' \
and --chat URL" \
    --cgi true --lpp2 8080

if ! unshare -Urnm true 2>/dev/null; then
    skip 'an Entry of LPP v2 at home' 'namespaces are not allowed'
    plan
fi

mkdir "$work/entry"
cp tests/support/lpp2_client.py "$work/entry"
# FAULT is what it does wrong.
cat >"$work/entry/faulty.py" <<'END'
import os
import sys
import lpp2_client

fault = os.environ["FAULT"]
ask = lpp2_client.Connection.ask
if fault == "page":  # as a page in a browser without an address, which is none
    lpp2_client.Connection.ask = lambda self, method, target, body=None, headers=(): ask(
        self, method, target, body, (*headers, "Origin: null"))
if fault == "revision":  # as socket.io-client 3 and 4
    lpp2_client.Client.TARGET = "/socket.io/?EIO=4&b64=1&transport="


class Faulty(lpp2_client.Entry):
    def say(self, what, **body):
        if fault == "astray" and what == "message":
            super().say(what, **{**body, "to": "judge3"})
        if fault == "controls" and what == "message":
            body["content"] += "\x07\x1b"
        super().say(what, **body)

    def register(self):
        if fault == "once" and self.heard:
            sys.stdin.read()
        super().register()


Faulty(8080, "ai0", "any", sys.argv[1]).run()
END

# validate NAME COMMAND CHECKS: its report is $work/NAME.json.
validate() {
    (cd "$work/entry" && exec "$program" validate entry --ruleset loebner-2009 --start-time "${start:-60}" \
        --answer "${answer:-60}" --quiet 0.3 --silence 0.5 --json --lpp2 8080 --program "$2" --only "$3" \
        >"$work/$1.json" 2>"$work/$1.err")
}
verdicts() { jq -r '[.checks[] | .id + " " + .verdict] | join(", ")' "$work/$1.json"; }
came() { jq -r ".checks[] | select(.id == \"$2\").came" "$work/$1.json"; }

# All at once: it is nearly all waiting.
validate good 'FAULT= exec python3 faulty.py polling' start,talk,lpp2,judge,cut,keys,net &
validate astray 'FAULT=astray exec python3 faulty.py websocket' talk.first,lpp2 &
validate controls 'FAULT=controls exec python3 faulty.py polling,websocket' talk.first,lpp2 &
start=5 validate once 'FAULT=once exec python3 faulty.py websocket' talk.first,lpp2 &
validate page 'FAULT=page exec python3 faulty.py polling,websocket' talk.first &
start=5 answer=5 validate revision 'FAULT=revision exec python3 faulty.py websocket' talk.first &
if [[ -d build-npm/node_modules ]] && command -v node >/dev/null; then
    mkdir "$work/npm"
    cp -r tests/npm/entry.js build-npm/node_modules "$work/npm"
    (cd "$work/npm" && exec "$program" validate entry --ruleset loebner-2009 --start-time 60 --answer 60 \
        --quiet 0.3 --silence 0.5 --json --lpp2 8080 --only talk,lpp2,judge,cut \
        --program 'exec node entry.js http://127.0.0.1:8080 ai0 any polling,websocket' \
        >"$work/library.json" 2>"$work/library.err") &
fi
wait
is 'a good one fails nothing' "$(jq -c '[.checks[] | select(.verdict == "FAIL" or .verdict == "WARN")]' \
    "$work/good.json")" '[]'
is 'and is known by what it says' "$(verdicts good | grep -o 'lpp2[^,]*' | xargs)" \
    'lpp2.words PASS lpp2.keys PASS lpp2.again PASS'
is 'what is whole in LPP v2 is not looked at' "$(verdicts good | grep -oE '(keys.single|net.frames) [A-Z]*' | xargs)" \
    'keys.single SKIP net.frames SKIP'
is 'one that speaks to somebody else' "$(verdicts astray)" \
    'talk.first PASS, lpp2.words FAIL, lpp2.keys PASS, lpp2.again PASS'
is 'is told so' "$(came astray lpp2.words)" \
    'a message of the Entry is not taken: it is to somebody else than its partner, judge0'
is 'one that says what nobody can type' "$(verdicts controls)" \
    'talk.first PASS, lpp2.words PASS, lpp2.keys FAIL, lpp2.again PASS'
is 'one that does not come back' "$(verdicts once)" \
    'talk.first PASS, lpp2.words PASS, lpp2.keys PASS, lpp2.again FAIL'
is 'one that is a page, which nobody else reaches in the sandbox' "$(verdicts page)" 'talk.first PASS'
is 'one of socket.io 3 or 4 is not let in' "$(verdicts revision)" 'talk.first FAIL'
is 'and is told why' "$(jq -r '.checks[].evidence[]' "$work/revision.json" | grep 'not taken')" \
    'not taken by LPP v2: not let in: no Engine.IO 3; use socket.io-client 1.x or 2.x'
is 'and without such an Entry nothing is said of LPP v2' "$(cd "$work/entry" && "$program" validate entry \
    --ruleset loebner-2004 --program true --only start.time --json 2>/dev/null | grep -c lpp2)" 0
needs_npm 'the client library of those years at home'
is 'the client library of those years fails nothing' \
    "$(jq -c '[.checks[] | select(.verdict == "FAIL" or .verdict == "WARN")]' "$work/library.json")" '[]'
is 'and comes back' "$(verdicts library | grep -o 'lpp2[^,]*' | xargs)" \
    'lpp2.words PASS lpp2.keys PASS lpp2.again PASS'
plan
