# shellcheck shell=bash
# A venue's cluster of three nats-servers: source this behind tests/support/post.sh.
# shellcheck disable=SC2154,SC2034

# As boothlink-network(7) has it: clients' and routes' addresses of each, the routes' password, the desk's file.
nodes=(1 2 3)
declare -A client route
urls='' routes=''
for n in "${nodes[@]}"; do
    client[$n]=$(free_port) route[$n]=$(free_port)
    urls+=${urls:+,}nats://127.0.0.1:${client[$n]}
    routes+="${routes:+, }nats://route:word@127.0.0.1:${route[$n]}"
done
for n in "${nodes[@]}"; do
    cat >"$work/node-$n.conf" <<END
server_name: "hall-$n"
listen: "127.0.0.1:${client[$n]}"
cluster {
  name: venue
  listen: "127.0.0.1:${route[$n]}"
  authorization { user: route, password: word }
  no_advertise: true
  routes: [ $routes ]
}
include "contest.db.inbox/server/cluster.conf"
END
done
begin_node() {
    "$nats_server" --config "$work/node-$1.conf" 2>"$work/node-$1.log" &
    pid_of[node-$1]=$!
}
