#!/bin/sh
# usage: start.sh [REDIS-SERVER ARGUMENT...]
#
# Start Redis with one user, who has exactly the permissions of a worker. The password comes from a
# file and is in no command line; the file of users is in memory. REDIS_NAMESPACE lists the namespaces
# that the user may use, separated by spaces. If REDIS_NODE_PASSWORD_FILE is set, this is a node of a
# cluster and has a second user: the other nodes.
set -eu
umask 077

here=$(dirname -- "$0")
# Only as a hash can the file of users contain any password.
hash() {
  printf %s "$(cat "$1")" | sha256sum | cut -d ' ' -f 1
}
memory=${REDIS_MEMORY:-/run/newsdedup}
password=${REDIS_PASSWORD_FILE:-/run/secrets/redis_password}
# `newsdedup doctor --worker` asks for INFO.
permissions="$(cat "$here/permissions") +info"
keys=
for name in ${REDIS_NAMESPACE:-news}; do keys="$keys ~{$name}:* ~{$name|*}:*"; done
if [ "${REDIS_NODE_PASSWORD_FILE:-}" ]; then
  permissions="$permissions $(cat "$here/cluster_permissions")"
fi

{
  echo 'user default off'
  echo "user newsdedup on #$(hash "$password") $keys $permissions"
  if [ "${REDIS_NODE_PASSWORD_FILE:-}" ]; then
    echo "user node on #$(hash "$REDIS_NODE_PASSWORD_FILE") ~* &* +@all"
  fi
} >"$memory/users.acl"

if [ "${REDIS_NODE_PASSWORD_FILE:-}" ]; then
  # In hexadecimal, so that no character of it has a meaning for Redis.
  bytes=$(printf %s "$(cat "$REDIS_NODE_PASSWORD_FILE")" | od -An -v -tx1 | tr -d '\n' | sed 's/ /\\x/g')
  printf 'masteruser node\nmasterauth "%s"\n' "$bytes" >"$memory/replication.conf"
  set -- --include "$here/cluster.conf" --include "$memory/replication.conf" "$@"
fi
exec redis-server "$here/redis.conf" --aclfile "$memory/users.acl" "$@"
