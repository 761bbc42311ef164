# SPDX-License-Identifier: GPL-3.0-or-later
# `./dev setup`: every step is skipped when its stamp matches the pins, so a second call costs next to nothing.
deps=$PWD/.deps
conf=packaging/dependencies.conf

# The packages of one section of dependencies.conf, one per line.
section() { awk -v s="[$1]" '/^\[/{on=($1==s);next} on{sub(/#.*/,"");gsub(/[ \t]+$/,"");if($0!="")print}' "$conf"; }

# step NAME COMMAND...: run a step, saying what it does and how long it took.
step() {
  local name=$1 began=$SECONDS; shift
  printf '· %s ...\n' "$name" >&2
  "$@" || { local code=$?; printf '✗ %s failed\n' "$name" >&2; return $code; }
  printf '✓ %s (%d s)\n' "$name" $((SECONDS - began)) >&2
}

stamped() { [ -f "$deps/stamps/$1" ] && [ "$(cat "$deps/stamps/$1")" = "$2" ]; }
stamp() { mkdir -p "$deps/stamps"; printf '%s' "$2" > "$deps/stamps/$1"; }
digest() { section "$1" | sha256sum | cut -c1-16; }

headless_only() { [ "$preset" = headless ]; }

missing_apt() {
  local want; want=$(section apt; section apt-test; headless_only || section apt-gui)
  { dpkg-query -W -f='${db:Status-Abbrev} ${Package}\n' 2>/dev/null; echo; echo "$want"; } |
    awk 'NF==0{wanted=1;next} !wanted{if($1=="ii")have[$2]=1;next} !have[$1]++{print $1}' | sort
}

# quietly LOG COMMAND...: its output goes to LOG; the end of it is shown when the command fails.
quietly() { "${@:2}" >"$1" 2>&1 || { tail -n 20 "$1" >&2; return 1; }; }

setup_apt() {
  command -v dpkg-query >/dev/null || { echo "dev: this is not a Debian or Ubuntu system; install the packages named in $conf by hand" >&2; return 3; }
  local missing; missing=$(missing_apt) || return 1
  [ -z "$missing" ] && return 0
  local as=()
  if [ "$(id -u)" != 0 ]; then
    if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then as=(sudo); else
      { echo "dev: these packages are missing and neither root nor sudo is available. Ask an administrator for:"
        echo "  apt-get install $(tr '\n' ' ' <<<"$missing")"; } >&2
      return 3
    fi
  fi
  step "apt: package lists" "${as[@]}" apt-get update -qq
  step "apt: installing $(wc -w <<<"$missing") packages" quietly "$deps/apt.log" "${as[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends $missing
}

# The system's Python: one interpreter for every virtual environment, whatever else is on PATH.
base_python() { if [ -x /usr/bin/python3 ]; then echo /usr/bin/python3; else command -v python3; fi; }

venv() { [ -x "$1/bin/pip" ] || "$(base_python)" -m venv "$1"; }

# pip_section SECTION VENV [pip options]
pip_section() {
  local sum; sum=$(digest "$1")
  stamped "$1" "$sum" && return 0
  venv "$2" && section "$1" > "$deps/$1.txt" &&
    "$2/bin/pip" install --quiet --disable-pip-version-check --no-compile "${@:3}" -r "$deps/$1.txt" && stamp "$1" "$sum"
}

setup_libraries() {
  stamped pypi "$(digest pypi)" && [ -e "$deps/site-packages/torch/lib/libtorch_cpu.so" ] && return 0
  step "PyPI: libtorch and Arrow (about 4.7 GB)" pip_section pypi "$deps/python" &&
    ln -sfn "$(cd "$deps/python"/lib/python3*/site-packages && pwd)" "$deps/site-packages"
}

# One that is there and new enough; an older one stays what it is, for others.
has_nvcc() {
  local one release
  for one in nvcc /usr/local/cuda/bin/nvcc; do
    release=$("$one" --version 2>/dev/null | sed -n 's/.*release \([0-9]*\).*/\1/p')
    [ "${release:-0}" -lt 13 ] || return 0
  done
  return 1
}

setup_nvcc() {
  has_nvcc && return 0
  stamped pypi-nvcc "$(digest pypi-nvcc)" && return 0
  step "PyPI: CUDA compiler" pip_section pypi-nvcc "$deps/python" ||
    echo "· no CUDA compiler: the GPU plugin will be left out of the build" >&2
}

# Reference implementations live apart from the libraries, and see torch through a path file.
setup_oracle() {
  stamped pypi-oracle "$(digest pypi-oracle)" && stamped pypi-oracle-alone "$(digest pypi-oracle-alone)" && return 0
  venv "$deps/oracle" &&
    readlink -f "$deps/site-packages" > "$(echo "$deps"/oracle/lib/python3*/site-packages)/libraries.pth" &&
    step "PyPI: reference implementations for the tests" pip_section pypi-oracle "$deps/oracle" &&
    step "PyPI: the official reader's messages" pip_section pypi-oracle-alone "$deps/oracle" --no-deps
}

verb_setup() {
  mkdir -p "$deps"
  setup_apt && setup_libraries && setup_nvcc && setup_oracle || return $?
  [ "${quiet_setup:-}" ] || echo "✓ everything is in place" >&2
}

ensure_setup() { quiet_setup=1 verb_setup; }
