#!/usr/bin/env bash
# The notes of a release: its part of the change log alone, and what is said where there is none; and
# that the change log of this repository has the form.
set -euo pipefail

notes=$PWD/tools/release/notes.sh log=$PWD/CHANGELOG.md
fail() { echo "FAILED: $*" >&2 && exit 1; }
refuse() {
  local words=$1
  shift
  if bash "$notes" "$@" >out 2>&1; then fail "$* was taken"; fi
  grep -qF -- "$words" out || fail "expected '$words' in: $(<out)"
}

unset BUILD_WORKSPACE_DIRECTORY
cd "$TEST_TMPDIR"
cat >CHANGELOG.md <<'END'
# Changes

## [Unreleased]

- later

## [1.2.3] - 2026-11-30

### Added

- this

## [1.2.30] - 2026-11-29

- another

## [1.2.2] - 2026-11-28

## [1.2.1] - soon

- not dated
END
[[ $(bash "$notes" v1.2.3) == $'### Added\n\n- this' ]] || fail "$(bash "$notes" v1.2.3)"
[[ $(bash "$notes" 1.2.30) == "- another" ]] || fail "$(bash "$notes" 1.2.30)"
refuse "give a version"
refuse "1.2 is no semantic version" 1.2
refuse "no text below '## [1.2.4] - YYYY-MM-DD'" v1.2.4
refuse "no text below '## [1.2.2] - YYYY-MM-DD'" v1.2.2
refuse "no text below '## [1.2.1] - YYYY-MM-DD'" v1.2.1
rm CHANGELOG.md
refuse "there is no CHANGELOG.md" v1.2.3

# Headings of this repository's: what is not released, then versions with their dates.
[[ $(grep '^## ' "$log" | head -n 1) == "## [Unreleased]" ]] || fail "the change log does not begin with '## [Unreleased]'"
if grep '^## ' "$log" | tail -n +2 | grep -vE '^## \[[0-9]+\.[0-9]+\.[0-9]+[^]]*\] - [0-9]{4}-[0-9]{2}-[0-9]{2}$'; then
  fail "a heading is not '## [VERSION] - YYYY-MM-DD'"
fi
if grep '^### ' "$log" | grep -vxE '### (Added|Changed|Deprecated|Removed|Fixed|Security)'; then
  fail "a heading is none of Keep a Changelog's"
fi
echo PASSED
