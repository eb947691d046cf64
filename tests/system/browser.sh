#!/bin/bash
# The screens in a browser: a judge with two sides, of which one is an entity in a browser too, the
# other one at a console; and a judge at a console with an entity in a browser. Chromium is driven by
# its driver; tests/system/browser.py types and looks, and asks here for what is of terminals. The
# long form has KEYS=2000 and CABLES=20 (tests/soak/browser.sh).
. tests/tap.sh
. tests/support/booth.sh
. tests/support/browser.sh

needs_browser 'screens in a browser'
. tests/support/windows.sh

judge() {
    start judge judge --left "serial:$work/one.a" --right "serial:$work/two.a" --starts either \
        --session web --journal judge --screen web --json
}
entity() { start entity entity --line "serial:$work/one.b" --keyboard --journal entity --screen web --json; }
addressed() { [[ -s $work/$1/$1.url ]]; }

for name in one two three; do
    cable $name
done
judge
entity
start guest entity --line "serial:$work/three.b" --keyboard --journal guest --screen web
window console 100 60 entity --line "serial:$work/two.b" --keyboard --journal console
window bench 100 60 judge --left "serial:$work/three.a" --starts either --session bench \
    --style 'split columns=38' --journal bench
for name in judge entity; do
    ok "the $name's address is kept" eventually addressed $name
done
ok "and the guest's" eventually test -s "$work/guest/entity.url"

asked_kill() { slay "$1"; }
asked_start() { "$1"; }
asked_cable() { tell one "$1"; }
asked_screen() { screen "$1" >"$work/screen"; }
asked_type() { keys "$1" -l "$(<"$work/typed")"; }
serve tests/system/browser.py "$work" "$bl" "${KEYS:-240}" "${CABLES:-1}"

for name in judge entity; do
    kill -TERM "${pid_of[$name]}"
    ok "the $name ends when it is told to" ended $name
done
is 'both records have the same page' "$(jq -r .sides.left.digest "$work/judge.out")" \
    "$(jq -r .digest "$work/entity.out")"
is 'no difference was ever found' "$(jq -r '.sides[].differences' "$work/judge.out" | sort -u)" 0
record=$work/judge/web-judge.journal
for key in U+65E5 U+672C U+6F22; do # committed by an input method, and pasted
    ok "$key was a key of its own" grep -qx "$key" <(typed_in "$record" judge)
done
plan
