#!/usr/bin/env bash
# weights_change.sh [OUTPUT_BASE] shows that other weight bytes of the same shapes
# re-run the index and the packing of Whisper tiny.en, and no export and no compile:
# by Bazel's execution log, from which actions that were up to date are absent.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
tools=tools/repro
startup=()
[[ -z ${1:-} ]] || startup=("--output_base=$1")
bazel() {
  local command=$1
  shift
  ./bazelw "${startup[@]}" "$command" --color=no --curses=no --noshow_progress "$@"
}
fail() { echo "FAILED: $*" >&2 && exit 1; }

# Not in /tmp: the sandbox has a /tmp of its own, and the other weights lie here.
work=$(mktemp -d "$(bazel info output_base)/weights_change.XXXXXX")
trap 'rm -rf "$work"' EXIT

targets=(//models/whisper:tiny_en_mlir //models/whisper:tiny_en_irpa //models/whisper:tiny_en_vmfb_cpu)
steps=(WeightsIndex StableHloExport IrpaPack IrpaVerify IreeCompile)

# build LOG OPTION...: builds the targets, logs what ran, and keeps the outputs' digests in LOG.sha256.
build() {
  local log=$1 bin
  shift
  # No disk cache: what has to run, runs.
  bazel build --disk_cache= --remote_download_outputs=all --execution_log_json_file="$work/$log" "$@" "${targets[@]}"
  bin=$(bazel info bazel-bin)/models/whisper
  (cd "$bin" && sha256sum tiny_en_index.json tiny_en_mlir.{mlir,kernels.mlir,contract.json} tiny_en_irpa.irpa tiny_en_vmfb_cpu.vmfb) >"$work/$log.sha256"
  echo "ran, of the model's actions:"
  python3 "$tools/spawns.py" "$work/$log" "${steps[@]}" | sort | sed 's/^/  /'
  sed 's/^/  /' "$work/$log.sha256"
}

echo "== the weights as they are"
build first

echo "== other weights of the same shapes"
weights=$(bazel info output_base)/$(bazel query --output=location @whisper_tiny_en//:model.bin 2>/dev/null |
  sed -E 's#.*/(external/[^/]+)/.*#\1#')
[[ -e $weights/model.bin ]] || fail "no model.bin in $weights"
bazel run //cmd/skainet -- inspect --json "$(realpath "$weights/model.bin")" >"$work/listing.json"
mkdir "$work/weights"
cp -RL "$weights/." "$work/weights/"
rm "$work/weights/model.bin"
python3 "$tools/alter_weights.py" "$work/listing.json" "$weights/model.bin" "$work/weights/model.bin"
build second "--override_repository=$(basename "$weights")=$work/weights"

ran=" $(python3 "$tools/spawns.py" "$work/second" | cut -d' ' -f1 | sort -u | tr '\n' ' ')"
for step in WeightsIndex IrpaPack; do
  [[ $ran == *" $step "* ]] || fail "$step did not run on other weights"
done
for step in StableHloExport IreeCompile; do
  [[ $ran != *" $step "* ]] || fail "$step ran on other weights"
done
changed=$({ diff "$work/first.sha256" "$work/second.sha256" || true; } | awk '/^>/ {print $3}')
[[ $changed == tiny_en_irpa.irpa ]] || fail "changed files: ${changed:-none}; expected the archive alone"

echo "PASSED: other weights ran$ran, changed $changed alone"
