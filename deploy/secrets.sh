#!/bin/sh
# Makes the secrets that compose.yaml mounts, in the ignored folder deploy/secrets.
# What is there already is kept.
set -eu
cd "$(dirname "$0")"
mkdir -p secrets
# The folder keeps other users of this machine out; the files must be readable to the
# user of the container, which owns nothing here.
chmod 700 secrets
cd secrets

random() { head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }

if [ ! -e postgres_password ]; then
	random >postgres_password
fi
if [ ! -e database_url ]; then
	printf 'postgres://skillregistry:%s@postgres:5432/skillregistry?sslmode=disable' \
		"$(cat postgres_password)" >database_url
fi
if [ ! -e admin_key ]; then
	random >admin_key
	echo "The admin key is in deploy/secrets/admin_key."
fi
chmod 444 postgres_password database_url admin_key
