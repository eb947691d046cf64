# shellcheck shell=bash
# Demos whose programs are stopped (STALL): source this behind tests/tap.sh, with $bl.

# demo_waited WORDS: a demo with these words on its standard error waited for its entity's terminal in vain,
# and nothing was lost until then. A judge's end that is stopped may have the line cut at the end of a part,
# which the entity's end then waits to be told.
demo_waited() {
    local dir end count least=
    dir=$(sed -n "s/^boothlink demo: the entity's terminal did not end within [0-9]* s; see //p" "$1")
    [[ $dir ]] || return 1
    for end in judge entity; do
        "$bl" transcript convert "$dir/$end"/*.journal --to keys | awk '!/^#/ { print $1, $3, $6 }' >"$dir/$end.keys"
        count=$(wc -l <"$dir/$end.keys")
        least=$((${least:-count} < count ? least : count))
    done
    ((least > 10)) && cmp <(head -n "$least" "$dir/judge.keys") <(head -n "$least" "$dir/entity.keys")
}
