#!/usr/bin/env bash
# notes.sh VERSION prints the release notes of a version: its part of CHANGELOG.md, without the
# heading. A version without a part, or whose part says nothing, is an error.
set -euo pipefail

# bazel run starts this among runfiles; elsewhere its variable may have been inherited.
checkout=.
if [[ $PWD == *.runfiles* ]]; then checkout=${BUILD_WORKSPACE_DIRECTORY:-.}; fi
cd "$checkout"
fail() { echo "notes: $*" >&2 && exit 1; }

(($# == 1)) || fail "give a version: notes.sh v0.1.0"
version=${1#v}
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]] || fail "$1 is no semantic version, such as v0.1.0"
[[ -f CHANGELOG.md ]] || fail "there is no CHANGELOG.md in $PWD; start it in a checkout"
heading="## [$version] - "
text=$(awk -v heading="$heading" '
  index($0, "## ") == 1 { inside = index($0, heading) == 1 && $0 ~ /[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]$/; next }
  inside
' CHANGELOG.md)
[[ $text =~ [^[:space:]] ]] || fail "CHANGELOG.md has no text below '${heading}YYYY-MM-DD'; rename 'Unreleased' with the date of the release"
printf '%s\n' "$text" | sed '/./,$!d'
