# Sourced by the end-to-end tests: starts the real program on a free port, and ends only what it started.

scratch=$(mktemp -d)
server_pid=
trap 'stop_server; rm -rf "$scratch"' EXIT

fail() {
  echo "FAILED: $*" >&2
  [ -s "$scratch/server.log" ] && tail -n 20 "$scratch/server.log" >&2
  exit 1
}

# start_server COMMAND [ARG...]: sets server_pid and url once the program says where it listens.
start_server() {
  : >"$scratch/server.log"  # On a busy machine the program may open it later than we read it.
  "$@" >"$scratch/server.log" 2>&1 &
  server_pid=$!
  local tries
  for tries in $(seq 600); do
    url=$(sed -n 's/.*listening on \(http:[^ ]*\).*/\1/p' "$scratch/server.log" | head -n 1)
    [ -n "$url" ] && return 0
    kill -0 "$server_pid" 2>/dev/null || fail "$1 ended before it listened"
    sleep 0.1  # The program has no other way to say that it listens; 60 s at most.
  done
  fail "$1 did not listen within 60 s"
}

# Ends the server with SIGTERM and sets exit_code.
stop_server() {
  [ -n "$server_pid" ] || return 0
  kill -TERM "$server_pid" 2>/dev/null
  exit_code=0
  wait "$server_pid" || exit_code=$?
  server_pid=
}

# expect_exit CODE PATTERN COMMAND...: the command ends with that code and says PATTERN.
expect_exit() {
  local expected=$1 pattern=$2 code=0
  shift 2
  timeout 60 "$@" >"$scratch/out" 2>&1 || code=$?
  [ "$code" -eq "$expected" ] || fail "$*: exit code $code, expected $expected: $(cat "$scratch/out")"
  grep -qE -- "$pattern" "$scratch/out" || fail "$*: does not say '$pattern': $(cat "$scratch/out")"
}
