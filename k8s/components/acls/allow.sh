#!/bin/sh
# usage: allow.sh SERVERS USER
#
# Grant a user of Kafka the permissions in acls.txt, with an administrator's
# /run/secrets/admin/admin.properties.
set -eu

while read -r kind name operations; do
  case $kind in '' | '#'*) continue ;; esac
  set -- "$1" "$2"
  for operation in $operations; do set -- "$@" --operation "$operation"; done
  servers=$1 user=$2
  shift 2
  /opt/kafka/bin/kafka-acls.sh --bootstrap-server "$servers" \
    --command-config /run/secrets/admin/admin.properties \
    --add --allow-principal "User:$user" "--$kind" "$name" "$@"
  set -- "$servers" "$user"
done <"$(dirname -- "$0")/acls.txt"
