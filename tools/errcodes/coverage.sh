#!/usr/bin/env bash
# Runs all tests and prints which error codes they reach, from a fresh clone:
#
#   tools/errcodes/coverage.sh               all tests, by Bazel
#   tools/errcodes/coverage.sh //lang/...    these tests; codes of others count as not reached
#
# The table goes to stdout, everything else to stderr. Exit status 1 where a test
# fails or a code is reached by none.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
(($# > 0)) || set -- //...

status=0
./bazelw test --keep_going --build_tests_only "$@" >&2 || status=$?
# 3: tests failed, and what they reached counts all the same.
((status == 0 || status == 3)) || exit "$status"
./bazelw run --ui_event_filters=-info --noshow_progress //tools/errcodes -- --logs bazel-testlogs || status=1
exit "$((status == 0 ? 0 : 1))"
