# SPDX-License-Identifier: GPL-3.0-or-later
jobs=$(nproc)
export CCACHE_SLOPPINESS=pch_defines,time_macros  # or sources with precompiled headers are never found again

# configure_and_build PRESET [TARGETS...]
configure_and_build() {
  local chosen=$1; shift
  local log="$deps/configure-$chosen.log"
  if [ ! -f "build/$chosen/build.ninja" ]; then
    cmake --preset "$chosen" >"$log" 2>&1 || { cat "$log" >&2; return 1; }
    sed -n 's/^-- \(The GPU plugin is left out.*\)/· \1/p' "$log" >&2
  fi
  cmake --build "build/$chosen" -j "$jobs" ${1:+--target "$@"}
}

verb_build() {
  ensure_setup
  step "building (${preset:-release})" configure_and_build "${preset:-release}" "$@"
}
