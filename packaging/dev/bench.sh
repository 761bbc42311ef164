#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the benchmarks of a build folder. Usage: bench.sh BUILD [PATTERN]; results are printed as Google Benchmark does.
set -euo pipefail
build=$1; pattern=${2:-}
found=0
for program in "$build"/bin/bench_*; do
  [ -x "$program" ] || continue
  case $program in *"$pattern"*) found=1; echo "== $(basename "$program")"; "$program" --benchmark_counters_tabular=true;; esac
done
[ $found = 1 ] || { echo "bench: nothing named like '$pattern' in $build/bin" >&2; exit 2; }
