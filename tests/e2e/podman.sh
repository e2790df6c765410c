# Sourced by container.sh: podman as an engine for one user and one tree, without a daemon, a bridge or a change to the
# system. Images and the compiler's cache stay under build/container for the next run.

container_state=$PWD/build/container
container_run=/run/notbad-container # short: the paths of sockets are
mkdir -p "$container_state/tmp"
exec 8>/run/notbad-container.lock
flock -w 7200 8
rm -rf "$container_run"
mkdir -p "$container_run"
# Without CAP_SYS_RESOURCE podman's own limits cannot be set; crun refuses a hybrid cgroup layout.
cat >"$container_run/containers.conf" <<CONFIG
[containers]
default_ulimits = ["nofile=1024:$(ulimit -Hn)", "nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
tmp_dir = "$container_run/tmp"
CONFIG

# A program and no function, for `timeout` to run.
mkdir "$container_run/bin"
cat >"$container_run/bin/podman" <<WRAPPER
#!/bin/sh
# Without systemd no timer runs a health check, which podman says at each step.
level=fatal
[ "\$1" != build ] || level=warn
export CONTAINERS_CONF=$container_run/containers.conf TMPDIR="$container_state/tmp"
exec $(command -v podman) --log-level \$level --root "$container_state/storage" --runroot $container_run/root --storage-driver overlay "\$@" 8>&-
WRAPPER
chmod +x "$container_run/bin/podman"
PATH=$container_run/bin:$PATH

# import_debian SUITE: debian:SUITE-slim, made from Debian's packages.
import_debian() {
  local name=docker.io/library/debian:$1-slim
  podman image exists "$name" && return 0
  debian_system "$1" "$container_state/$1.tar" || return 1
  podman import --quiet --change 'CMD ["bash"]' "$container_state/$1.tar" "$name" >/dev/null
}
