#!/usr/bin/env bash
# sums.sh TARGET...: builds the targets and prints the sha256 of each program (.vmfb), archive
# (.irpa) and runtime library that they are made of. Two machines with the same commit print
# the same.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
(($# > 0)) || { echo "name targets, such as //models/whisper:transcribe" >&2 && exit 2; }

./bazelw build --noshow_progress "$@" >&2
rules='kind("^(iree_vmfb|irpa_archive|platform_binary) rule$", deps('"set($*)"'))'
./bazelw cquery --noshow_progress --output=files "$rules" |
  grep -E '\.(vmfb|irpa|so)$' | LC_ALL=C sort -u |
  while read -r file; do
    [[ ! -e $file ]] || sha256sum "$file" # what a tool of the build alone needs is not there
  done
