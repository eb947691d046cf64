#!/bin/bash
# The collector of benchmark rows.
. tests/tap.sh

bench=$PWD/tests/bench/run
cd "$TMPDIR" || exit 1
export BUILD=$TMPDIR/build

# program NAME TEXT: writes a script.
program() {
    printf '#!/bin/bash\n%s\n' "$2" >"$1"
    chmod +x "$1"
}
program a 'echo "{\"name\":\"key, p50\",\"value\":1.25,\"unit\":\"us\",\"peer\":\"pumps\",
    \"peer_value\":1,\"ratio\":1.25,\"low\":1.2,\"high\":1.3,
    \"pairs\":200,\"latency\":true,\"goal\":\"<= 1.5\",\"ok\":true}" | tr -d "\n"'
program b 'echo "{\"name\":\"memory\",\"value\":9,\"unit\":\"MiB\"}"'
program missed 'echo "{\"name\":\"memory\",\"value\":99,\"unit\":\"MiB\",\"ok\":false}"'
program nameless 'echo "{\"value\":9,\"unit\":\"MiB\"}"'
program words 'echo hello'
program silent true
program fails 'echo "{\"name\":\"memory\",\"value\":9,\"unit\":\"MiB\"}"; exit 1'

out=$("$bench" ./a ./b 2>/dev/null)
is 'good rows are good' $? 0
is 'all in a table' "$out" 'name      value  unit  peer   peer value  ratio  low  high  goal    met
key, p50   1.25  us    pumps           1   1.25  1.2   1.3  <= 1.5  yes
memory        9  MiB   -               -      -    -     -  -       -
2 rows, 0 goals missed'
is 'and in a list' "$(jq -c '.[1]' build/bench.json)" '{"name":"memory","value":9,"unit":"MiB",'\
'"peer":null,"peer_value":null,"ratio":null,"low":null,"high":null,"pairs":null,"latency":null,'\
'"goal":null,"ok":null}'
for p in missed nameless words silent fails nowhere; do
    "$bench" ./b ./$p >out 2>&1
    is "$p is a failure" $? 1
    is 'and the other rows are kept' "$(jq '.[0].value' build/bench.json)" 9
done
program missing 'echo "no browser here" >&2; exit 77'
out=$("$bench" ./b ./missing 2>/dev/null)
is 'one that cannot run here is no failure' $? 0
ok 'and the reason is told' grep -qx 'SKIP  ./missing: no browser here' <<<"$out"
ok 'no benchmark at all is a failure' test "$("$bench" >/dev/null 2>&1; echo $?)" = 1
plan
