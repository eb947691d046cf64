#!/bin/bash
# tools/deps.sh against a dpkg and an apt that are scripts: what it asks for, and when.
. tests/tap.sh

# Another user must be able to read it, which TMPDIR does not let.
STATE=$(mktemp -d /tmp/bl-deps.XXXXXX) || exit 1
trap 'rm -rf "$STATE"' EXIT
chmod 755 "$STATE"
cp tools/deps.sh tools/packages.txt "$STATE"
deps=$STATE/deps.sh
cd "$STATE" || exit 1
mkdir bin
export STATE PATH=$STATE/bin:$PATH
touch installed calls
chmod 777 . installed calls

cat >bin/dpkg-query <<'END'
#!/bin/bash
while read -r package; do echo "installed $package"; done <"$STATE/installed"
END
cat >bin/apt-get <<'END'
#!/bin/bash
args=" $* "
case $args in
*" update "*) verb=update; touch "$STATE/updated" ;;
*" --dry-run "*) verb=dry-run ;;
*) verb=install ;;
esac
echo "$verb" >>"$STATE/calls"
if [[ $verb != update && -e $STATE/old && ! -e $STATE/updated ]] || [[ -e $STATE/offline ]]; then
    echo "E: no route to the mirror" >&2
    exit 100
fi
[[ $verb == install ]] && tr ' ' '\n' <<<"${args##*--no-install-recommends}" >>"$STATE/installed"
exit 0
END
cat >bin/sudo <<'END'
#!/bin/bash
[[ -e $STATE/no-sudo ]] && exit 1
[[ $1 == -n ]] && shift
exec "$@"
END
chmod +x bin/*

# fresh FLAG...: nothing installed, nothing asked, and the flags set.
fresh() {
    rm -f updated old offline no-sudo
    : >installed
    : >calls
    (($# == 0)) || touch "$@"
}

fresh
out=$("$deps" lint)
is 'says what it installs, in one line' "$out" \
    'deps: installing clang-format cppcheck mandoc shellcheck'
is 'asks for no lists that it has' "$(xargs <calls)" 'dry-run install'
: >calls
out=$("$deps" lint)
is 'says nothing when nothing is missing' "$out" ''
is 'and does not touch apt' "$(<calls)" ''

fresh old
"$deps" lint >/dev/null
is 'fetches the lists when they lack a package' "$(xargs <calls)" 'dry-run update install'

fresh offline
out=$("$deps" lint 2>&1)
is 'fails without a network' $? 69
ok "shows apt's reason" grep -q 'no route' <<<"$out"
ok 'and the command to give' grep -q 'run: sudo apt-get install -y' <<<"$out"

if ((EUID == 0)); then
    user=(setpriv --reuid 65534 --clear-groups)
else
    user=()
fi
fresh no-sudo
out=$("${user[@]}" "$deps" lint 2>&1)
is 'neither root nor sudo is not permitted' $? 77
is 'with one line for an administrator' "$out" "deps: packages are missing; ask an administrator \
to run: apt-get install -y --no-install-recommends clang-format cppcheck mandoc shellcheck"
is 'and nothing tried' "$(<calls)" ''
fresh
"${user[@]}" "$deps" lint >/dev/null 2>&1
is 'sudo is used where there is one' "$(xargs <calls)" 'dry-run install'
plan
