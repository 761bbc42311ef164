#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A folder that runs the GPU tests and comparisons on a machine with torch 2.11.0+cu130 and nothing of ours, and the same
# as FOLDER.tar.xz, to be carried there.
#     tests/bench/gpu/pack.sh build/release FOLDER
# Then, there: tar -xf FOLDER.tar.xz, and FOLDER/run everything --out RESULTS --seconds 550; or tests, parity,
# runs, plan, kernels, sanitize, agent, compare --out RESULTS [...] alone.
set -euo pipefail
build=$(readlink -f "$1"); folder=$(realpath -m "$2"); here=$(dirname "$(readlink -f "$0")")
folder_limit=$((80 * 1024)); archive_limit=$((40 * 1024))  # KiB
rm -rf "$folder" "$folder.tar.xz"; mkdir -p "$folder/bin" "$folder/lib"
for program in roadtune-train roadtune-agent test_gpu; do
  [ -x "$build/bin/$program" ] || { echo "pack: build $program first" >&2; exit 3; }
  cp "$build/bin/$program" "$folder/bin/"
done
[ -x "$build/bin/bench_gpu" ] && cp "$build/bin/bench_gpu" "$folder/bin/"  # built by `dev bench`
cp "$build/lib/roadtune/libroadtune_cuda.so" "$folder/lib/" || { echo "pack: the build has no GPU plugin" >&2; exit 3; }
# What the system has on every machine, and what torch brings, stays behind.
ldd "$folder"/bin/* | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u |
  grep -Ev '/(libc|libm|libdl|librt|libpthread|libresolv|libstdc\+\+|libgcc_s|ld-linux[^/]*)\.so|/torch/lib/|/nvidia/' |
  xargs -r -I{} cp -L {} "$folder/lib/"
strip --strip-unneeded "$folder"/bin/* "$folder"/lib/*
# For the other side of the comparison, where it lacks it: bitsandbytes, of its libraries the one for CUDA 13.0.
for package in "$here"/../../../.deps/oracle/lib/python3*/site-packages/bitsandbytes; do
  [ -f "$package/libbitsandbytes_cuda130.so" ] || { echo "pack: without bitsandbytes (./dev setup brings it)" >&2; continue; }
  mkdir -p "$folder/python"
  (cd "$package/.." && tar -c --exclude=__pycache__ --exclude='libbitsandbytes_*' bitsandbytes bitsandbytes-*.dist-info) |
    tar -x -C "$folder/python"  # its licence lies in the dist-info
  cp "$package/libbitsandbytes_cuda130.so" "$folder/python/bitsandbytes/"
done
"$build/bin/roadtune" model new-tiny --out "$folder/tiny" --family paligemma2 --image-size 56 >/dev/null  # its tokenizer
rm -f "$folder"/tiny/*.safetensors
PYTHONPATH=$here/../../gpu "$here/../../../.deps/oracle/bin/python" -c 'import pathlib, sys, whole_runs
whole_runs.make_inputs(sys.argv[1], pathlib.Path(sys.argv[2]))' "$build/bin/roadtune" "$folder/inputs"  # of `run runs`
cp "$here"/{compare,reference_side,everything}.py "$here/run" "$here"/../../gpu/{device_parity,whole_runs,memory_plan}.py "$folder/"
tar -c -C "$(dirname "$folder")" --owner=0 --group=0 "$(basename "$folder")" | xz -T2 -6 > "$folder.tar.xz"

within() {  # PATH KIB
  local size; size=$(du -sk "$1" | cut -f1)
  echo "$1: $((size / 1024)) MiB"
  [ "$size" -le "$2" ] || { echo "pack: more than $(($2 / 1024)) MiB" >&2; exit 1; }
}
within "$folder" "$folder_limit"
within "$folder.tar.xz" "$archive_limit"
