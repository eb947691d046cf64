#!/bin/bash
# Makes pictures of the page in a browser, in $BUILD/pictures: `make pictures`.
. tests/tap.sh
. tests/support/booth.sh

why=$(python3 -c 'import sys; sys.path.insert(0, "tests/support"); import browser
print(browser.missing() or "")')
if [[ $why ]]; then
    echo "pictures: none of the page in a browser: $why" >&2
    exit 0
fi
mkdir -p "$BUILD/pictures"
number=0
for style in 'split columns=78' scroll web split; do
    cable c$number
    sides=(--left "serial:$work/c$number.a")
    if [[ $number == 3 ]]; then
        cable other
        sides+=(--right "serial:$work/other.a" --ruleset loebner-2009 --starts either --plan '300 both,600 review'
            --begin ready)
        start right entity --line "serial:$work/other.b" --keyboard --journal right --screen web
        eventually test -s "$work/right/entity.url"
    else
        sides+=(--style "$style" --starts either)
    fi
    start judge$number judge "${sides[@]}" --session p$number --journal judge$number --screen web
    start entity$number entity --line "serial:$work/c$number.b" --keyboard --journal entity$number \
        --screen web
    eventually test -s "$work/judge$number/judge.url"
    eventually test -s "$work/entity$number/entity.url"
    ((number++))
done
python3 tests/pictures/browser.py "$work" "$BUILD/pictures" "$sim" || exit 1
echo "pictures of the page in a browser are in $BUILD/pictures"
