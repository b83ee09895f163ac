#!/usr/bin/env bash
# pipeline.sh [TARGET...] is the job of a pipeline, whatever runs the pipeline: it
# builds and tests the targets, by default all, with what its environment names.
#
#   CACHE_URL     a shared cache to read: http(s)://HOST/PATH or grpc(s)://HOST
#   CACHE_WRITE   true for the job that may fill it: the one of the main branch
#   ENGINE_URL    a remote execution engine: grpc(s)://HOST
#   DISK_CACHE    a folder that the runner keeps between jobs
#   VENDOR_DIR    vendored repositories (bazel vendor); nothing is fetched besides
#   AUTH_HEADER_FILE  a file with "Name: value", sent to cache and engine; in a file
#                 because command lines are in logs
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export CI=true # logs without colours and progress bars
(($# > 0)) || set -- //...

flags=()
if [[ -n ${CACHE_URL:-} ]]; then
  flags+=(--config=ci-cache "--remote_cache=$CACHE_URL")
  [[ ${CACHE_WRITE:-} != true ]] || flags+=(--config=ci-cache-write)
fi
[[ -z ${ENGINE_URL:-} ]] || flags+=(--config=remote "--remote_executor=$ENGINE_URL")
[[ -z ${DISK_CACHE:-} ]] || flags+=("--disk_cache=$DISK_CACHE")
[[ -z ${VENDOR_DIR:-} ]] || flags+=("--vendor_dir=$VENDOR_DIR")

startup=()
if [[ -n ${AUTH_HEADER_FILE:-} ]]; then
  rc=$(mktemp)
  trap 'rm -f "$rc"' EXIT
  sed -n -E "1s/^([^:]+): *(.*)\$/build '--remote_header=\1=\2'/p" "$AUTH_HEADER_FILE" >"$rc"
  [[ -s $rc ]] || { echo "pipeline: $AUTH_HEADER_FILE holds no \"Name: value\"" >&2 && exit 2; }
  startup+=("--bazelrc=$rc")
fi

./bazelw "${startup[@]}" test "${flags[@]}" -- "$@"
