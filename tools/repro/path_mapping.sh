#!/usr/bin/env bash
# Builds the tests' model in two configurations with one new disk cache and with the
# configuration taken out of paths: the second build must find every action of the
# rules in the cache, since they read and write the same bytes.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
cache=$(mktemp -d)
log=$(mktemp)
trap 'rm -rf "$cache" "$log"' EXIT

# What is there already would neither run nor be put into the cache.
build() {
  local outputs
  outputs=$(./bazelw info "$1" bazel-bin 2>/dev/null)/rules/tests/fixture
  if [[ -d $outputs ]]; then
    chmod -R u+w "$outputs"
    rm -rf "$outputs"
  fi
  ./bazelw build --disk_cache="$cache" --experimental_output_paths=strip --noshow_progress --color=no \
    --execution_log_json_file="$log" --output_groups=+sizes,+_validation "$@" \
    //rules/tests/fixture:rows_vmfb_cpu_x86_64_v3 //rules/tests/fixture:bundle
}

build --compilation_mode=fastbuild
build --compilation_mode=opt

# One object after the other, each with "mnemonic" and "cacheHit".
missed=$(python3 - "$log" <<'EOF'
import json, sys

ours = {"WeightsIndex", "StableHloExport", "StableHloVerify", "IrpaPack", "IrpaVerify", "IreeCompile", "IreeSizes", "ModelTar"}
text, at, seen, missed = open(sys.argv[1]).read(), 0, {}, []
decoder = json.JSONDecoder()
while text[at:].strip():
    at += len(text[at:]) - len(text[at:].lstrip())
    action, at = decoder.raw_decode(text, at)
    if action["mnemonic"] in ours:
        seen[action["mnemonic"]] = True
        if not action.get("cacheHit"):
            missed.append(action["mnemonic"])
missed += ["no " + m for m in sorted(ours - set(seen))]
print(" ".join(missed))
EOF
)
if [[ -n $missed ]]; then
  echo "FAILED: run again in the other configuration: $missed"
  exit 1
fi
echo "PASSED"
