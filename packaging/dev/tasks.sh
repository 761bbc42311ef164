# SPDX-License-Identifier: GPL-3.0-or-later
# What `./dev` does once things are built: run, test, fuzz, package, bench, screenshots, translate, format, lint, clean.

has_display() { [ -n "${DISPLAY:-}" ] || [ -n "${WAYLAND_DISPLAY:-}" ]; }

verb_run() {
  verb_build roadtune_programs
  local bin=build/${preset:-release}/bin
  if has_display && [ -x "$bin/roadtune-studio" ]; then
    exec "$bin/roadtune-studio" --demo "$@"
  fi
  echo "· no display: running the demo in the terminal" >&2
  exec "$bin/roadtune" demo "$@"
}

# The tests of one preset. Three more than there are cores, because many wait for a machine or a clock. The few that fail
# are tried once more, one after another: tests with real machines and trainers in them share the cores, and on a slow
# machine some of them come too late. The log has both tries.
run_ctest() {
  local chosen=$1; shift
  local failed=build/$chosen/Testing/Temporary/LastTestsFailed.log count
  local run=(ctest --test-dir "build/$chosen" --output-on-failure --no-tests=error)
  rm -f "$failed"
  ${before_ctest:-} "${run[@]}" -j $((jobs + 3)) "$@" && return
  count=$(sed -n '$=' "$failed" 2>/dev/null) || return 1
  [ "${count:-99}" -le 20 ] || return 1
  echo "$again $count"
  ${before_ctest:-} "${run[@]}" --rerun-failed -j 1 "$@"
}
again="· once more, one after another:"

# What runs again under the address and undefined-behaviour sanitizers: the libraries without torch, and the windows.
# All of it, programs included: ./dev test --preset asan
sanitized="test_unit_base test_unit_config test_unit_protocol test_unit_policy test_unit_runs test_unit_text
  test_unit_data test_unit_model test_gui"

# And under the thread sanitizer: what runs in several threads, SSH connections and the agent with its ranks among it.
threaded="test_unit_base test_unit_protocol test_unit_runs test_unit_remote test_integration_agent test_integration_ssh
  test_integration_transfer"

# What starts a program at fixed addresses, where that is allowed: GCC 12's thread sanitizer does not start where they
# are scattered widely.
fixed_addresses() { if setarch "$(uname -m)" -R true 2>/dev/null; then echo setarch "$(uname -m)" -R; fi; }

# Continuous integration cuts a run off after 90 minutes, and one that was cut off tells nothing. Parts that need more than
# is left, judged by how long this machine took for the first part, are left out, and the end says so.
minutes=80
left_out=()
fits() {
  local part=$1 percent_of_first=$2
  [ $((SECONDS + first_took * percent_of_first / 100)) -ge $((minutes * 60)) ] || return 0
  left_out+=("$part")
  return 1
}

# Every test with the release build; --all adds the sanitizers and a minute of each fuzzer, as continuous integration
# does. The last line adds up.
verb_test() {
  ensure_setup
  local all=""
  [ "${1:-}" != --all ] || { all=1; shift; }
  if [ -n "$preset" ]; then
    step "building ($preset)" configure_and_build "$preset"
    run_ctest "$preset" "$@"
    return
  fi
  local main=release; [ "${CI:-}" ] && main=ci
  local log; log=$(mktemp)
  local code=0
  step "building ($main)" configure_and_build "$main"
  run_ctest "$main" "$@" 2>&1 | tee "$log" || code=$?
  local first_took=$SECONDS
  if [ "$all" ]; then
    if fits "thread sanitizer" 25; then
      step "building (tsan)" configure_and_build tsan $threaded
      before_ctest=$(fixed_addresses) TSAN_OPTIONS=halt_on_error=1 run_ctest tsan -E NOT_BUILT "$@" 2>&1 | tee -a "$log" || code=$?
    fi
    if fits "fuzzers" 20; then
      FUZZ_SEED=1 run_fuzzers 2>&1 | tee -a "$log" || code=$?
    fi
    if fits "address sanitizer" 60; then
      step "building (asan)" configure_and_build asan $sanitized
      ASAN_OPTIONS=detect_leaks=0 run_ctest asan -E NOT_BUILT "$@" 2>&1 | tee -a "$log" || code=$?
    fi
  fi
  summarise "$log"
  rm -f "$log"
  return $code
}

# What failed for good, each with the end of what it printed last, and then the summary lines of several ctest runs
# added up: whoever sees only the end of a long log still sees why.
summarise() {
  awk -v again="$again" '/^ *[0-9]+\/[0-9]+ Test +#/ { name = ""; if (/\*\*\*/) { name = $0; sub(/^[^#]*#[0-9]+: /, "", name); sub(/ .*/, "", name); told[name] = 0 } }
    /^ +Start +[0-9]+: / { name = "" }
    name != "" { said[name, told[name]++ % 40] = $0 }
    /^[0-9]+% tests passed, / { failed += $4; total += second ? 0 : $NF; last = $4; second = 0; kept = lists }
    index($0, again) == 1 { failed -= last; lists = kept; second = 1 }  # the second try is what counts
    /^The following tests FAILED:/ { listing = 1; next }
    listing && /^\t/ { lists += 1; list[lists] = $3; next }
    { listing = 0 }
    END {
      for (l = 1; l <= lists; ++l) {
        print "✗ " list[l]
        lines = told[list[l]]
        for (i = (lines > 40 ? lines - 40 : 0); i < lines; ++i) print "  " said[list[l], i % 40]
      }
      print total - failed " passed, " failed + 0 " failed"
    }' "$1" > "$1.sum"
  sed '$d' "$1.sum"
  for part in "${left_out[@]}"; do echo "! left out, since $minutes minutes would pass: $part"; done
  tail -n 1 "$1.sum"
  rm "$1.sum"
}

# Each fuzzer for a while on top of its kept corpus; see tests/fuzz/README.md.
verb_fuzz() {
  ensure_setup
  local names=()
  while [ $# -gt 0 ]; do
    case $1 in
      --seconds) export FUZZ_SECONDS=$2; shift 2;;
      --keep) export FUZZ_KEEP=1; shift;;
      *) names+=("fuzz_$1"); shift;;
    esac
  done
  local only; only=$(IFS='|'; echo "${names[*]}")
  run_fuzzers ${only:+-R "^($only)\$"}
}

run_fuzzers() {
  step "building (fuzz)" configure_and_build fuzz roadtune_fuzzers
  ctest --test-dir build/fuzz --output-on-failure --no-tests=error -j "$jobs" "$@"
}

# What others install. The programs find everything beside themselves, so the folder may also be copied by hand.
verb_package() {
  ensure_setup
  local chosen=${preset:-release} parts=studio
  [ "${1:-}" != --gpu ] || parts="studio;gpu"
  local into=build/$chosen/packages
  step "building ($chosen)" configure_and_build "$chosen" roadtune_programs
  step "packing ${parts/;/ and }" quietly "$deps/package.log" cpack --config "build/$chosen/CPackConfig.cmake" -B "$into" -D "CPACK_COMPONENTS_ALL=$parts"
  ls -sh "$into"/*.deb
}

verb_bench() {
  ensure_setup
  step "building (${preset:-release})" configure_and_build "${preset:-release}" all roadtune_benchmarks
  packaging/dev/bench.sh "build/${preset:-release}" "$@"
}

# New words come in unfinished, those that are gone go; places are left out, or every edit would change the files.
# The sentences of the schema come from the command line, since core knows no Qt.
verb_translate() {
  ensure_setup
  local chosen=${preset:-release} words
  step "building ($chosen)" configure_and_build "$chosen" roadtune
  words=$(mktemp -d)
  "build/$chosen/bin/roadtune" config reference --sentences |
    sed 's/[\\"]/\\&/g; s/.*/const char* const k = QT_TRANSLATE_NOOP("Schema", "&");/' > "$words/schema.cpp"
  "$(qtpaths6 --query QT_HOST_BINS)/lupdate" -I . app/studio widgets "$words" -locations none -no-obsolete -ts resources/translations/*.ts
  rm -r "$words"
}

# Pictures of every page in both themes, at one pixel per point and, in a process of its own, at two. 256 well-chosen
# colours each keep the repository small.
verb_screenshots() {
  ensure_setup
  local chosen=${preset:-release}
  step "building ($chosen)" configure_and_build "$chosen" test_gui
  export QT_QPA_PLATFORM=offscreen ROADTUNE_SCREENSHOTS=$PWD/resources/docs/screenshots
  step "pictures" "build/$chosen/bin/test_gui" --gtest_brief=1 --gtest_filter='*Screenshots*'
  step "pictures at two pixels per point" env QT_SCALE_FACTOR=2 \
    "build/$chosen/bin/test_gui" --gtest_brief=1 --gtest_filter='*Screenshots*'
  pngquant --force --ext .png --skip-if-larger --strip --speed 1 "$ROADTUNE_SCREENSHOTS"/*.png || [ $? = 98 ]
}

sources() { git ls-files --cached --others --exclude-standard -- '*.cpp' '*.h' '*.cu' '*.cuh'; }

verb_format() {
  if [ "${1:-}" = --check ]; then sources | xargs clang-format --dry-run --Werror; else sources | xargs clang-format -i; fi
}

verb_lint() {
  ensure_setup
  [ -f build/tidy/build.ninja ] || cmake --preset tidy >/dev/null
  # The checker compiles for itself; only what moc and rcc generate must be there before.
  cmake --build build/tidy -j "$jobs" --target autogen >/dev/null
  local chosen=("$@")
  [ $# -gt 0 ] || mapfile -t chosen < <(sources | grep '\.cpp$' | grep -v '^tests/')
  printf '%s\n' "${chosen[@]}" | xargs -P "$jobs" -n 4 clang-tidy -p build/tidy --quiet
}

verb_clean() {
  rm -rf build compile_commands.json
  [ "${1:-}" = --all ] && rm -rf .deps
  echo "✓ clean" >&2
}
