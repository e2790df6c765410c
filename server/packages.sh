# Sourced by server/run.sh and tests/run.sh: installs what is missing, says what it would need otherwise.

# Debian packages that build and run the service; the same names on Debian 12 and 13.
notbad_build_packages=(g++ cmake ninja-build libdnnl-dev libcpp-httplib-dev nlohmann-json3-dev
  libsentencepiece-dev libcli11-dev libspdlog-dev libexpected-dev libutfcpp-dev libssl-dev zlib1g-dev prometheus-cpp-dev libgtest-dev libgmock-dev)

# Runs "$@" as root, or fails where neither root nor sudo is to be had.
notbad_as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null 2>&1 && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    sudo "$@"
  else
    return 1
  fi
}

# notbad_install PACKAGE...: quiet and quick where all of them are there.
notbad_install() {
  local missing=() package
  for package in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  echo "Installing ${missing[*]} ..."
  local log
  log=$(mktemp)
  if notbad_as_root true; then
    if notbad_as_root apt-get update -qq >"$log" 2>&1 &&
      notbad_as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y -qq \
        --no-install-recommends "${missing[@]}" >>"$log" 2>&1; then
      rm -f "$log"
      return 0
    fi
    tail -n 20 "$log" >&2
    echo "notbad: installing failed (above). Try: apt-get install ${missing[*]}" >&2
  else
    echo "notbad: packages are missing and there is neither root nor sudo to install them." >&2
    echo "        Ask an administrator to run: apt-get install ${missing[*]}" >&2
  fi
  rm -f "$log"
  return 1
}

# notbad_build PRESET [TARGET...]: configures and builds. Shows ninja's progress on a terminal; elsewhere
# only what goes wrong. A lock keeps two runs in one tree from building at the same time. With ccache, where it is
# installed, a second checkout builds in a minute.
notbad_build() {
  local preset=$1 log
  shift
  mkdir -p build
  exec 9>build/.lock
  flock 9
  if command -v ccache >/dev/null 2>&1; then
    # Whatever the folder of the checkout is.
    export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-ccache} CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
  fi
  log=build/build.log
  if ! cmake --preset "$preset" >"$log" 2>&1; then
    cat "$log" >&2
    return 1
  fi
  local arguments=(--build --preset "$preset")
  [ $# -gt 0 ] && arguments+=(--target "$@")
  if [ -t 1 ]; then
    cmake "${arguments[@]}" || return 1
  else
    echo "Building (preset $preset) ..."
    if ! cmake "${arguments[@]}" >>"$log" 2>&1; then
      tail -n 60 "$log" >&2
      return 1
    fi
  fi
  exec 9>&-
}
