#!/usr/bin/env bash
# probe.sh WORKSPACE BAZEL succeeds when BAZEL is the version the workspace asks
# for and resolves a module from its registry within the time allowed.
set -euo pipefail

workspace=$1 bazel=$2
seconds=${SKAINET_BAZEL_PROBE_SECONDS:-60} # bazelisk may have Bazel itself to fetch

type -P timeout >/dev/null || timeout() { shift && "$@"; } # macOS has none

scratch=$(mktemp -d)
command=("$bazel" "--output_user_root=$scratch/output" --max_idle_secs=5)
trap 'cd / && "${command[@]}" shutdown >/dev/null 2>&1; chmod -R u+w "$scratch" && rm -rf "$scratch"' EXIT

mkdir "$scratch/workspace" && cd "$scratch/workspace"
cp "$workspace/.bazelversion" .
printf 'module(name = "probe")\nbazel_dep(name = "platforms", version = "1.0.0")\n' >MODULE.bazel

wanted=$(<.bazelversion)
found=$(timeout "$seconds" "$bazel" --version 2>"$scratch/log" | awk '/^bazel /{print $2; exit}') || found=
if [[ ${found%%-*} != "$wanted" ]]; then
  tail -n 3 "$scratch/log" >&2
  echo "bazelw: $bazel is version ${found:-unknown}, this workspace needs $wanted" >&2
  exit 1
fi
if ! timeout "$seconds" "${command[@]}" mod graph --lockfile_mode=off >/dev/null 2>"$scratch/log"; then
  grep -m 3 ERROR "$scratch/log" >&2 || true
  echo "bazelw: $bazel does not reach its module registry within $seconds s" >&2
  exit 1
fi
