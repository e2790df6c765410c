# Sourced by container.sh and package.sh: bare Debian systems, made from Debian's packages.

# debian_system SUITE TAR: an archive of a bare Debian of that release, as its `slim` image has it: no documentation, no
# lists of packages, no name server. Kept for the next run.
debian_system() {
  local suite=$1 tar=$2 root free mirror
  [ -s "$tar" ] && return 0
  free=$(df --output=avail -k "$(dirname "$tar")" | tail -n 1)
  [ "$free" -gt 4000000 ] || { echo "$((free / 1024)) MB free, 4 GB are needed" >&2; return 1; }
  root=$(mktemp -d)
  chmod 755 "$root"
  echo "Making a bare Debian $suite ..."
  if ! timeout 1200 debootstrap --variant=minbase "$suite" "$root" >"$tar.log" 2>&1; then
    tail -n 20 "$tar.log" >&2
    rm -rf "$root"
    return 1
  fi
  cat >"$root/etc/dpkg/dpkg.cfg.d/docker" <<'CONFIG'
path-exclude /usr/share/doc/*
path-include /usr/share/doc/*/copyright
path-exclude /usr/share/info/*
path-exclude /usr/share/locale/*
path-include /usr/share/locale/locale.alias
path-exclude /usr/share/man/*
CONFIG
  find "$root/usr/share/doc" -mindepth 2 ! -name copyright ! -type d -delete
  rm -rf "$root"/usr/share/{info,locale,man}/* "$root"/var/lib/apt/lists/* "$root"/var/cache/apt/*.bin \
    "$root"/var/cache/apt/archives/*.deb "$root"/var/log/*.log "$root"/var/log/apt/*
  # The one that debootstrap chose; its security archive stands beside it.
  mirror=$(awk '$1 == "deb" {print $2; exit}' "$root/etc/apt/sources.list")
  rm -f "$root/etc/apt/sources.list"
  cat >"$root/etc/apt/sources.list.d/debian.sources" <<SOURCES
Types: deb
URIs: $mirror
Suites: $suite $suite-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: ${mirror%/}-security
Suites: $suite-security
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
SOURCES
  : >"$root/etc/resolv.conf"
  rm -f "$root/etc/hostname"
  tar -C "$root" --numeric-owner --one-file-system -cf "$tar.new" .
  rm -rf "$root"
  mv "$tar.new" "$tar"
}
