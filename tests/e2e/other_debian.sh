#!/usr/bin/env bash
# other_debian.sh [bookworm|trixie] [COMMAND...]: a clean clone of HEAD on a fresh Debian of that release (default: the
# one that this machine does not run), then COMMAND in it (default: tests/run.sh). Needs root, debootstrap and 4 GB.
# The system is kept under build/ for the next run, which then only installs what is new.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
. server/packages.sh

case "$(cat /etc/debian_version)" in
  12*) suite=trixie ;;
  *) suite=bookworm ;;
esac
if [ $# -gt 0 ]; then
  suite=$1
  shift
fi
[ "$(id -u)" -eq 0 ] || { echo "other_debian.sh: run it as root, it makes a chroot" >&2; exit 1; }
notbad_install debootstrap git ca-certificates

root=$PWD/build/debian/$suite
if [ ! -e "$root/etc/debian_version" ]; then
  free=$(df --output=avail -k . | tail -n 1)
  [ "$free" -gt 4000000 ] || { echo "other_debian.sh: $((free / 1024)) MB free, 4 GB are needed" >&2; exit 1; }
  mkdir -p "$root"
  echo "Making a bare Debian $suite ..."
  debootstrap --variant=minbase "$suite" "$root.new" >"$root.log" 2>&1 || { tail -n 20 "$root.log" >&2; exit 1; }
  rmdir "$root"
  mv "$root.new" "$root"
fi
rm -rf "$root/src"
git clone --quiet --no-hardlinks . "$root/src"

# A mount namespace of its own: what is mounted here is gone when the command ends.
exec unshare --mount --propagation private bash -c '
  set -e
  root=$1
  shift
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  cp /etc/resolv.conf /etc/hosts "$root/etc/"
  # The certificates that this machine trusts, for npm behind a proxy of its own.
  cp /etc/ssl/certs/ca-certificates.crt "$root/etc/host-certificates.crt"
  exec chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
    NODE_EXTRA_CA_CERTS=/etc/host-certificates.crt \
    bash -c "cd /src && exec \"\$@\"" bash "$@"
' bash "$root" "${@:-tests/run.sh}"
