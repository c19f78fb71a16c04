#!/bin/sh
# usage: start.sh [REDIS-SERVER ARGUMENT...]
#
# Start Redis with one user, who may do what a worker does and nothing else. The password comes from
# a file, and stands in no command line; the file of users lies in memory.
set -eu
umask 077

here=$(dirname -- "$0")
# The file of users has room for any password only as a hash.
password=$(cat "${REDIS_PASSWORD_FILE:-/run/secrets/redis_password}")
hash=$(printf %s "$password" | sha256sum | cut -d ' ' -f 1)
users=${REDIS_USERS_FILE:-/run/newsdedup/users.acl}
permissions=$(cat "$here/permissions")

cat >"$users" <<ACL
user default off
user newsdedup on #$hash ~{${REDIS_NAMESPACE:-news}}:* ~{${REDIS_NAMESPACE:-news}|*}:* $permissions
ACL
exec redis-server "$here/redis.conf" --aclfile "$users" "$@"
