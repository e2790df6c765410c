#!/usr/bin/env bash
# nginx.sh BIN_DIR: server/deploy/nginx.conf in a real nginx on loopback, with a certificate made for it. By hand: it
# installs nginx-light and openssl.
set -euo pipefail
bin=$(readlink -f "$1")
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
. "$here/../../server/packages.sh"
RUNLEVEL=1 notbad_install nginx-light openssl curl  # the run level of an installation: nothing is started
. "$here/server_process.sh"

start_server "$bin/notbad-server" --port 0
port=$(python3 -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])')
openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -addext subjectAltName=DNS:localhost \
  -keyout "$scratch/notbad.key" -out "$scratch/notbad.pem" 2>"$scratch/openssl.log" || fail "$(cat "$scratch/openssl.log")"
sed -e "s#127.0.0.1:8080#${url#http://}#; s#listen 443#listen 127.0.0.1:$port#" \
  -e "s#/etc/ssl/certs#$scratch#; s#/etc/ssl/private#$scratch#" "$here/../../server/deploy/nginx.conf" >"$scratch/site.conf"
cat >"$scratch/nginx.conf" <<CONFIG
pid $scratch/nginx.pid;
error_log $scratch/nginx.log;
events {}
http {
  access_log off;
  client_body_temp_path $scratch/body;
  proxy_temp_path $scratch/proxy;
  fastcgi_temp_path $scratch/fastcgi;
  uwsgi_temp_path $scratch/uwsgi;
  scgi_temp_path $scratch/scgi;
  include $scratch/site.conf;
}
CONFIG
chmod 755 "$scratch"
nginx -p "$scratch" -c "$scratch/nginx.conf" 2>"$scratch/server.log" || fail "nginx does not start"
trap 'kill "$(cat "$scratch/nginx.pid")" 2>/dev/null; stop_server; rm -rf "$scratch"' EXIT

ask() { curl -s --max-time 30 --cacert "$scratch/notbad.pem" "$@"; }
site=https://localhost:$port
classify=("$site/v1/classify" -H 'Content-Type: application/json')

ask "${classify[@]}" -d '{"inputs":"The movie was not bad"}' | grep -q '"label":"positive"' || fail "no answer through TLS"
# A proxy that buffers knows the length of what its client sends in pieces.
printf '{"inputs":"not bad"}' | ask "${classify[@]}" -H 'Transfer-Encoding: chunked' -d @- | grep -q '"label"' ||
  fail "no answer to a body in pieces"
code=$(head -c 300000 /dev/zero | ask -o /dev/null -w '%{http_code}' "${classify[@]}" --data-binary @-)
[ "$code" = 413 ] || fail "a body over the limit gave $code"
sleep 3  # the allowance fills up again
codes=$(ask -o /dev/null -w '%{http_code}\n' "$site/livez?[1-60]" | sort | uniq -c)
echo "$codes" | grep -q ' 429' || fail "sixty requests at once were not limited: $codes"
[ "$(echo "$codes" | awk '$2 == 200 { print $1 }')" -ge 20 ] || fail "the allowed requests were not served: $codes"
echo "4 passed, 0 failed"
