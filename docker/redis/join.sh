#!/bin/sh
# usage: join.sh HOST:PORT...
#
# Make a Redis Cluster of running nodes: the first half are masters, each with a replica. An existing
# cluster stays as it is.
set -eu

REDISCLI_AUTH=$(cat "$REDIS_NODE_PASSWORD_FILE")
export REDISCLI_AUTH
ask() {
  redis-cli --no-auth-warning --user node -h "${1%:*}" -p "${1##*:}" cluster info
}
if ! ask "$1" | grep -q cluster_state:ok; then
  redis-cli --no-auth-warning --user node --cluster create "$@" --cluster-replicas 1 --cluster-yes
fi
for node in "$@"; do
  until ask "$node" | grep -q cluster_state:ok; do sleep 1; done
done
