#!/usr/bin/env bash
# Runs GoMLX's side of the benchmark: built by the host's go command from the
# sources, since its module is not one of Bazel's.
set -euo pipefail
cd "${BUILD_WORKSPACE_DIRECTORY:?start the benchmark with bazel run}/bench/ops/gomlx"
program=$(mktemp)
trap 'rm -f "$program"' EXIT
go build -o "$program" .
"$program"
