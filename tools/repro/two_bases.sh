#!/usr/bin/env bash
# two_bases.sh FOLDER [DISK_CACHE] builds Whisper tiny.en from nothing in FOLDER/one, then from
# a copy of the sources in FOLDER/another/copy with an output base of its own:
#
#   1. with the disk cache that the first build filled: every action that may be
#      cached is taken from there;
#   2. with the model's own actions run again for real: they give the same bytes.
#
# FOLDER must be empty or absent; it takes some GB and is left for the reader.
# DISK_CACHE, a new one in FOLDER by default, may hold something already: that
# shortens the first build.
set -euo pipefail

[[ -n ${1:-} ]] || { echo "usage: two_bases.sh FOLDER [DISK_CACHE]" >&2 && exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
[[ -z $(ls -A "$folder") ]] || { echo "$folder is not empty" >&2 && exit 2; }
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
tools=$PWD/tools/repro
cache=${2:-$folder/cache}
fail() { echo "FAILED: $*" >&2 && exit 1; }

targets=(//models/whisper:tiny_en_mlir //models/whisper:tiny_en_irpa //models/whisper:tiny_en_vmfb_cpu)
steps=(WeightsIndex StableHloExport IrpaPack IrpaVerify IreeCompile)
again=$(IFS='|' && echo "${steps[*]}")

# build NAME PLACE OPTION...: builds in FOLDER/PLACE, with log and digests in FOLDER/NAME.*.
build() {
  local name=$1 place=$folder/$2 begun=$SECONDS
  shift 2
  (
    cd "$place"
    bazel=(./bazelw "--output_base=$place.base")
    options=("--disk_cache=$cache" --remote_download_outputs=all --color=no --curses=no --show_progress_rate_limit=60)
    "${bazel[@]}" build "${options[@]}" --execution_log_json_file="$folder/$name.json" "$@" "${targets[@]}"
    cd "$("${bazel[@]}" info bazel-bin)/models/whisper"
    sha256sum tiny_en_index.json tiny_en_mlir.{mlir,kernels.mlir,contract.json,constants.irpa} tiny_en_irpa.irpa tiny_en_vmfb_cpu.vmfb >"$folder/$name.sha256"
  )
  python3 "$tools/spawns.py" "$folder/$name.json" >"$folder/$name.spawns"
  echo "== $name, $((SECONDS - begun)) s; actions by how they ran:"
  cut -d' ' -f2 "$folder/$name.spawns" | sort | uniq -c
}
stop() { (cd "$folder/$1" && ./bazelw "--output_base=$folder/$1.base" shutdown); }

for place in one another/copy; do
  mkdir -p "$folder/$place"
  git archive HEAD | tar -x -C "$folder/$place"
done
trap 'stop one; stop another/copy' EXIT

build first one
build cached another/copy
build rebuilt another/copy "--modify_execution_info=$again=+no-cache"

missed=$(grep -v ' disk-cache-hit ' "$folder/cached.spawns" || true)
[[ -z $missed ]] || fail "not taken from the cache:"$'\n'"$missed"
for step in "${steps[@]}"; do
  grep "^$step " "$folder/rebuilt.spawns" | grep -qv ' disk-cache-hit ' || fail "$step was not run again"
done
cat "$folder/first.sha256"
for name in cached rebuilt; do
  diff "$folder/first.sha256" "$folder/$name.sha256" || fail "the $name build gave other bytes"
done
echo "PASSED: $(wc -l <"$folder/cached.spawns") actions, all from the cache in another folder; the model's own run again gave the same bytes"
