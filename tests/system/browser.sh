#!/bin/bash
# The screens in a browser: a judge with an entity whose screen is one too, and with another at a
# console. Chromium is driven by its driver; tests/system/browser.py types and looks, and asks here
# for what is of terminals. KEYS=2000 is the long form.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/browser.sh

needs_browser 'screens in a browser'
. tests/support/windows.sh

judge() {
    start judge judge --left "serial:$work/one.a" --right "serial:$work/two.a" --starts either \
        --session web --journal judge --screen web --json
}
addressed() { [[ -s $work/$1/$1.url ]]; }

cable one
cable two
judge
start entity entity --line "serial:$work/one.b" --keyboard --journal entity --screen web --json
window console 100 30 entity --line "serial:$work/two.b" --keyboard --journal console
ok "the judge's address is kept" eventually addressed judge
ok "so is the entity's" eventually addressed entity

coproc SIM=$sim python3 tests/system/browser.py "$work" "$bl" "${KEYS:-300}"
driver=$COPROC_PID answers=${COPROC[1]} questions=${COPROC[0]}
while read -r what text <&"$questions"; do
    case $what in
    [01]) result "$what" "$text" ;;
    kill)
        slay "$text"
        echo go >&"$answers"
        ;;
    start)
        judge
        echo go >&"$answers"
        ;;
    console)
        eventually has console "$text"
        echo $? >&"$answers"
        ;;
    type)
        keys console -l "$text"
        echo go >&"$answers"
        ;;
    *) echo "$what $text" ;;
    esac
done
wait "$driver"

for name in judge entity; do
    kill -TERM "${pid_of[$name]}"
    ok "the $name ends when it is told to" ended $name
done
is 'both records have the same page' "$(jq -r .sides.left.digest "$work/judge.out")" \
    "$(jq -r .digest "$work/entity.out")"
is 'no difference was ever found' "$(jq -r '.sides[].differences' "$work/judge.out" | sort -u)" 0
plan
