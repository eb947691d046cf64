#!/bin/bash
# Puts a build under a prefix, and takes away exactly what it put there.
#
#   tools/install.sh install DESTDIR PREFIX BUILD
#   tools/install.sh uninstall DESTDIR PREFIX
#
# What was put, folders that had to be made included, is listed in share/boothlink/installed.txt;
# a new installation takes the old one away first.
set -eu
umask 022 # whoever installs it: it is for all

verb=$1 dest=$2 prefix=$3
root=$dest$prefix
list=share/boothlink/installed.txt

uninstall() {
    local kind path
    # Backwards, so that a folder comes after what is in it.
    while read -r kind path; do
        if [[ $kind == f ]]; then
            rm -f "$root/$path"
        elif [[ -d $root/$path ]]; then
            rmdir --ignore-fail-on-non-empty "$root/$path"
        fi
    done < <(tac "$root/$list")
}

# folder PATH: makes it with those above it, and remembers which had not been there.
folder() {
    [[ ! -d $root/$1 ]] || return 0
    [[ $1 != */* ]] || folder "${1%/*}"
    mkdir -m 755 "$root/$1"
    installed+=("d $1")
}

# put MODE SOURCE PATH: installs a file; the sources' @PREFIX@ becomes the prefix.
put() {
    folder "${3%/*}"
    if [[ $2 == *.in ]]; then
        sed "s|@PREFIX@|$prefix|g" "$2" >"$root/$3.new"
        chmod "$1" "$root/$3.new"
        mv "$root/$3.new" "$root/$3"
    else
        install -m "$1" "$2" "$root/$3"
    fi
    installed+=("f $3")
}

if [[ $verb == uninstall ]]; then
    if [[ ! -f $root/$list ]]; then
        echo "uninstall: nothing is installed in $root" >&2
        exit 1
    fi
    uninstall
    exit
fi

build=$4
[[ ! -f $root/$list ]] || uninstall
mkdir -p "$root"
installed=()
put 755 "$build/boothlink" bin/boothlink
for adapter in host/adapter/*/; do
    adapter=boothlink-$(basename "$adapter")
    put 755 "$build/$adapter" "libexec/$adapter"
done
put 755 "$build/boothlink-courier" libexec/boothlink-courier
put 755 "$build/boothlink-desk" libexec/boothlink-desk
put 755 "$build/boothlink-audience" libexec/boothlink-audience
put 755 "$build/boothlink-referee" libexec/boothlink-referee
for page in "$build"/share/man/man1/*.1; do
    put 644 "$page" "share/man/man1/${page##*/}"
done
for page in host/share/man/*.[57]; do
    put 644 "$page" "share/man/man${page##*.}/${page##*/}"
done
for ticket in host/share/tickets/*.ini; do
    put 644 "$ticket" "share/doc/boothlink/tickets/${ticket##*/}"
done
# The demo's simulated cable.
put 755 "$build/sim/nullmodem" libexec/boothlink/nullmodem
put 644 "$build/sim/shim.so" libexec/boothlink/shim.so
put 755 "$build/sim/hub" libexec/boothlink/hub
# The controller's chip, which needs more than the rest, where it was built.
if [[ -x $build/sim/controller ]]; then
    put 755 "$build/sim/controller" libexec/boothlink/controller
fi
for firmware in "$build"/firmware/*/boothlink.elf; do
    [[ -f $firmware ]] || continue
    board=${firmware%/*}
    put 644 "$firmware" "share/boothlink/firmware/${board##*/}.elf"
done
put 644 "$build/share/boothlink.bash" share/bash-completion/completions/boothlink
put 644 host/share/completion/boothlink.zsh share/zsh/vendor-completions/_boothlink
put 644 host/share/completion/boothlink.fish share/fish/vendor_completions.d/boothlink.fish
for unit in host/share/systemd/*.{service.in,socket,mount}; do
    name=${unit##*/}
    put 644 "$unit" "lib/systemd/system/${name%.in}"
done
put 644 host/share/systemd/boothlink.sysusers lib/sysusers.d/boothlink.conf
put 644 host/share/systemd/boothlink.tmpfiles lib/tmpfiles.d/boothlink.conf
put 644 host/share/udev/70-boothlink.rules lib/udev/rules.d/70-boothlink.rules
put 755 host/share/kiosk/kiosk share/boothlink/kiosk/kiosk
put 644 host/share/kiosk/policy.json share/boothlink/kiosk/policy.json
put 644 host/share/wireshark/boothlink.lua share/boothlink/wireshark/boothlink.lua
for example in host/share/examples/*; do
    mode=644
    [[ ! -x $example ]] || mode=755
    put $mode "$example" "share/boothlink/examples/${example##*/}"
done
put 644 README.md share/doc/boothlink/README.md
put 644 LICENSE share/doc/boothlink/LICENSE
folder "${list%/*}"
printf '%s\n' "${installed[@]}" "f $list" >"$root/$list"
