#!/usr/bin/env bash
# Builds an index and an archive over each malformed file of test/badfiles, by
# the rules themselves. Each of these builds must fail with the file's code and
# leave no output.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
package=rules/tests/corpus
events=$(mktemp)
trap 'rm -f "$events"' EXIT

bin=$(./bazelw info bazel-bin 2>/dev/null)/$package
status=0
./bazelw build --keep_going --color=no --curses=no --noshow_progress --ui_event_filters=-error,-stderr \
  --build_event_json_file="$events" "//$package:bad_builds" || status=$?
((status == 1)) || { echo "FAILED: status $status in place of 1"; exit 1; }
python3 tools/repro/bad_corpus.py "$events" "$package" "$bin"
