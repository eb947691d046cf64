#!/bin/bash
# An Entry behind a form of 2003, held against its rules at home: its documents (r29), its own delay
# (r30) and its log (r27), each of which a program that breaks that one alone fails. Where there is a
# browser its documents are looked at, too, beside the template's.
. tests/tap.sh
. tests/support/validate.sh

mkdir "$work/entry"
cp tests/entrants/form.pl "$work/entry"

if ! unshare -Urnm true 2>/dev/null; then
    skip 'an Entry behind a form' 'namespaces are not allowed'
    plan
fi

template=()
# validate NAME ENVIRONMENT CHECKS: its report is $work/NAME.json.
validate() {
    (cd "$work/entry" && exec "$bl" validate entry --ruleset loebner-2003 --start-time 60 --answer 60 \
        --quiet 0.3 --silence 0.5 --json "${template[@]}" --cgi "$2 exec ./form.pl" --only "$3" >"$work/$1.json" 2>"$work/$1.err")
}
# of NAME JQ
of() { jq -r "$2" "$work/$1.json"; }
verdicts() { of "$1" '[.checks[] | .id + " " + .verdict] | join(", ")'; }

# All at once: it is nearly all waiting.
validate good DELAY=5 talk.first,web.template,web.delay,web.log &
validate looks DELAY=0 talk.first,web.look &
validate quick DELAY=0 talk.first,web.delay &
validate colour FAULT=colour talk.first,web.template &
sed 's/%%HIDDEN%%<\/p>/&%%MORE%%/' host/form/page.html >"$work/open.html"
template=(--template "$work/open.html")
validate open FAULT=signed talk.first,web.template,web.look &
template=()
validate silent FAULT=log talk.first,web.log,files.outside,start.folder &
wait
looks=PASS
[[ -x /usr/bin/chromium ]] || looks=SKIP
is 'one that keeps the rules passes' "$(verdicts good)" \
    'talk.first PASS, web.template PASS, web.delay PASS, web.log PASS'
is 'and looks as the template does' "$(verdicts looks)" "talk.first PASS, web.look $looks"
is 'by their numbers' "$(jq -r '.checks[] | select(.id | test("^web")) | .rule' "$work/good.json" \
    "$work/looks.json" | xargs)" 'r29 r30 r27 r29'
is 'one that answers at once' "$(verdicts quick)" 'talk.first PASS, web.delay FAIL'
is 'whose page has another colour' "$(verdicts colour)" 'talk.first PASS, web.template FAIL'
ok 'which is told' grep -q 'is not as the template: .*was not found' "$work/colour.json"
is 'and one that keeps no log; what is kept of it by us is no file of its own' "$(verdicts silent)" \
    'talk.first PASS, start.folder PASS, files.outside PASS, web.log FAIL'
is 'and no check of a form is left out here' \
    "$("$bl" validate list --json | jq -r '.[] | select(.kind == "entry").id' | grep '^web[.]' | sort | xargs)" \
    'web.delay web.log web.look web.template'
if [[ $looks == PASS ]]; then
    is 'it is looked at, side by side' "$(of looks '.checks[] | select(.id == "web.look").what')" \
        '2 documents are the same pixels as the template with its words'
    # Where the template leaves something open, that fits, and may be seen.
    is 'what fits the template, and does not look like it' "$(verdicts open)" \
        'talk.first PASS, web.template PASS, web.look FAIL'
    is 'no page of it is left' "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'pages.*')" ''
else
    skip 'the documents in a browser' 'chromium is not installed; make deps BROWSER=1 does that'
fi
is 'a program and a form are two' \
    "$("$bl" validate entry --ruleset loebner-2003 --folder "$work/entry" --program x --cgi y 2>&1 | tail -1)" \
    "boothlink validate entry: expected one of --program 'CMD', --lpp DIR, --lpp2 PORT, --web URL, --cgi 'CMD' and --chat URL"
plan
