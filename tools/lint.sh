#!/bin/bash
# The lints, as TAP; `make lint` runs this. BUILD is where the manual pages were made.
. tests/tap.sh

mapfile -t sources < <(find host firmware tests -name '*.[ch]' 2>/dev/null | sort)
mapfile -t scripts < <(find .ci host tests tools -type f -exec grep -lIE -m1 '^#!/bin/(ba)?sh' {} +)
mapfile -t pages < <(find "$BUILD/share/man" host/share -name '*.[1-8]' | sort)

ok 'clang-format' clang-format --dry-run -Werror "${sources[@]}"
# Formats are gcc's affair: an enum is good for %u.
ok 'cppcheck' cppcheck --quiet --std=c11 --language=c -Ihost -I. -D_GNU_SOURCE -j "$(nproc)" \
    --enable=warning,performance,portability --inline-suppr \
    --suppress=invalidPrintfArgType_uint --error-exitcode=1 "${sources[@]}"
ok 'shellcheck' shellcheck "${scripts[@]}"
ok 'shellcheck of the completion' shellcheck -s bash "$BUILD/share/boothlink.bash"
# How long the lines of a page's source are is no reader's affair.
is 'mandoc' "$(mandoc -Tlint -W warning "${pages[@]}" 2>&1)" ''
plan
