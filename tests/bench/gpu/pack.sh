#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A folder that runs the GPU tests and comparisons on a machine with torch 2.11.0+cu130 and nothing of ours.
#     tests/bench/gpu/pack.sh build/release FOLDER
# Then, there: FOLDER/run tests, parity, kernels, or compare --out RESULTS [...] (compare.py --help).
set -euo pipefail
build=$(readlink -f "$1"); folder=$2; here=$(dirname "$(readlink -f "$0")"); limit=$((62 * 1024))  # KiB
rm -rf "$folder"; mkdir -p "$folder/bin" "$folder/lib"
for program in roadtune-train test_gpu; do
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
"$build/bin/roadtune" model new-tiny --out "$folder/tiny" --family paligemma2 --image-size 56 >/dev/null  # its tokenizer
rm -f "$folder"/tiny/*.safetensors
cp "$here/compare.py" "$here/reference_side.py" "$here/run" "$here/../../gpu/device_parity.py" "$folder/"
size=$(du -sk "$folder" | cut -f1)
echo "$folder: $((size / 1024)) MiB"
[ "$size" -le "$limit" ] || { echo "pack: more than $((limit / 1024)) MiB" >&2; exit 1; }
