#!/bin/bash
# The Debian packages without building them: each file that make install puts belongs to one of them,
# and version and architectures are said once. The packages themselves: make check-packages.
. tests/tap.sh

root=$TMPDIR/root
(umask 077 && make --no-print-directory BUILD="$BUILD" DESTDIR="$root" PREFIX=/usr install >&2)
is 'make install works' $? 0
is 'for all, also where its user keeps files to himself' "$(find "$root" ! -perm -o=r -o -type d ! -perm -o=x)" ''

# owners FILE: the packages whose list has it, or a folder above it.
owners() {
    local list line
    for list in debian/*.install; do
        while read -r line; do
            # shellcheck disable=SC2053 # a pattern
            [[ $1 != $line && $1 != $line/* ]] || echo "${list##*/}"
        done <"$list"
    done
}
none='' twice=''
while read -r file; do
    # What debian/rules takes away again: the list for make uninstall, and what is in debian/copyright.
    case $file in usr/share/boothlink/installed.txt | usr/share/doc/boothlink/LICENSE) continue ;; esac
    case $(owners "$file" | wc -l) in
    0) none+=" $file" ;;
    1) ;;
    *) twice+=" $file" ;;
    esac
done < <(cd "$root" && find . -type f -printf '%P\n')
is 'every installed file is in a package' "$none" ''
is 'and in one only' "$twice" ''
empty=$(cat debian/*.install | while read -r line; do
    compgen -G "$root/$line" >/dev/null || [[ $line == usr/share/boothlink/firmware ]] || echo "$line"
done)
is 'no package lists what is not installed' "$empty" ''

version=$(sed -n 's/.*BL_VERSION  *"\(.*\)"/\1/p' host/base/version.h)
is 'the package has the program'"'"'s version' "$(sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog)" "$version"
date=$(sed -n 's/.*BL_VERSION_DATE "\(.*\)"/\1/p' host/base/version.h)
is 'and its date' "$(date -u -d "$(sed -n '/^ -- /{s/.*>  //p;q}' debian/changelog)" +%F)" "$date"

built=$(sed -n 's/^build *\(lib[^ ]*-dev\).*/\1/p' tools/packages.txt | grep -v '^libc6-dev$' | sort -u)
asked=$(grep -oE 'lib[a-z0-9-]+-dev' debian/control | sort -u)
is 'the package is built with the libraries of make deps' \
    "$(comm -23 <(echo "$built") <(echo "$asked") | tr '\n' ' ')" ''
loaded=$(sed -n 's/^build *\(lib[^ ]*\).*/\1/p' tools/packages.txt | grep -v -e '-dev$')
is 'and depends on those that it loads itself' \
    "$(for name in $loaded; do grep -q "^Depends:.* $name," debian/control || echo "$name"; done)" ''
ok 'the libraries that are loaded late count for the dependencies' \
    grep -q 'dh_shlibdeps -pboothlink -- build/late.so' debian/rules
is 'no unit, rule or script of a package starts or stops a session' \
    "$(cat debian/*.postinst debian/*.prerm debian/*.postrm 2>/dev/null | grep -E 'systemctl|rm -' | head -1)" ''
ok 'and the units are not started, stopped or restarted by an upgrade' \
    grep -q 'dh_installsystemd --no-enable --no-start --no-stop-on-upgrade' debian/rules
plan
