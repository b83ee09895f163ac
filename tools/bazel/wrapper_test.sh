#!/usr/bin/env bash
# Which Bazel the wrapper takes, what it remembers, and what a failed set-up leaves
# behind. The tools it calls are stand-ins of a few lines, so nothing is fetched.
set -euo pipefail

version=$(<.bazelversion)

fail() { echo "FAILED: $case: $*" >&2 && exit 1; }
expect() { grep -qF -- "$1" "$work/out" || fail "expected '$1' in: $(<"$work/out")"; }
refuse() { ! grep -qF -- "$1" "$work/out" || fail "did not expect '$1' in: $(<"$work/out")"; }

# new_case NAME: a copy of the wrapper, an empty cache and a path of chosen tools.
new_case() {
  case=$1
  work=$TEST_TMPDIR/$case
  mkdir -p "$work"/{workspace/tools,bin,cache}
  cp -L bazelw MODULE.bazel .bazelversion "$work/workspace/"
  cp -rL tools/bazel "$work/workspace/tools/bazel"
  mkdir -p "$work/workspace/tools/bazel/stubs"
  local tool
  for tool in bash awk cat cp cut dirname du find flock grep mkdir mktemp mv ps readlink rm sha256sum sort tail timeout xargs chmod basename; do
    ln -s "$(type -P "$tool")" "$work/bin/$tool" 2>/dev/null || true
  done
}

# stand_in NAME reads the body of a tool from standard input.
stand_in() {
  { echo '#!/bin/bash' && cat; } >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}

# wrapper ARGUMENTS... keeps the output in $work/out and the exit status in $status.
wrapper() {
  status=0
  env -i HOME="$work" TMPDIR="$TEST_TMPDIR" XDG_CACHE_HOME="$work/cache" PATH="$work/bin" SKAINET_BAZEL="${choice:-auto}" \
    SKAINET_BAZEL_UNPINNED="${unpinned:-}" \
    "$work/workspace/bazelw" "$@" >"$work/out" 2>&1 || status=$?
}

new_case unknown_choice
choice=snap wrapper version
((status == 1)) || fail "status $status"
expect "SKAINET_BAZEL=snap is not one of auto, system, debian"

new_case system_without_bazel
choice=system wrapper version
((status == 1)) || fail "status $status"
expect "neither bazelisk nor bazel is on the path"

new_case system_is_not_probed
echo 'echo "system: $*"' | stand_in bazelisk
choice=system wrapper test //...
((status == 0)) || fail "status $status"
expect "system: test //..."

new_case a_working_bazelisk_is_remembered
stand_in bazelisk <<SH
echo "\$*" >>"$work/calls"
case "\$*" in
  --version) echo "bazel $version" ;;
  *) echo "system: \$*" ;;
esac
SH
wrapper build //a
((status == 0)) || fail "status $status: $(<"$work/out")"
expect "system: build //a"
grep -q "mod graph" "$work/calls" || fail "the registry was not asked"
: >"$work/calls"
wrapper build //b
[[ $(<"$work/calls") == "build //b" ]] || fail "asked again: $(<"$work/calls")"

new_case another_version_is_not_used
echo '[[ $1 != --version ]] || echo "bazel 6.0.0"; echo "system: $*"' | stand_in bazel
wrapper build //a
((status != 0)) || fail "status $status"
expect "is version 6.0.0, this workspace needs $version"
refuse "system: build"

new_case a_registry_out_of_reach
stand_in bazelisk <<SH
case "\$*" in
  --version) echo "bazel $version" ;;
  *"mod graph"*) echo "ERROR: no route to the registry" >&2; exit 1 ;;
  *shutdown*) ;;
  *) echo "system: \$*" ;;
esac
SH
wrapper build //a
expect "no route to the registry"
refuse "system: build"

new_case a_missing_tool_is_named
wrapper build //a
((status == 1)) || fail "status $status"
expect "needs apt-get to set up Bazel"

new_case a_failed_download_leaves_nothing
for tool in dpkg-deb go python3; do echo 'exit 0' | stand_in "$tool"; done
stand_in apt-get <<'SH'
case "$*" in
  *indextargets*) echo http://mirror.invalid/debian ;;
  *update*) echo "E: no route to the mirror"; exit 100 ;;
esac
SH
wrapper build //a
((status == 1)) || fail "status $status"
expect "E: no route to the mirror"
expect "Run the same command again to retry"
left=$(find "$work/cache/skainet/bazel" -mindepth 1 ! -name lock ! -name setup.log)
[[ -z $left ]] || fail "left behind: $left"

# Bazel and its rule sets must be the pinned packages, unless the user says otherwise.
new_case another_package_is_refused
echo 'exit 0' | stand_in python3
stand_in apt-get <<'SH'
case "$*" in
  *indextargets*) echo http://mirror.invalid/debian ;;
  *install*) echo "Inst bazel-skylib (9)" ;;
  *download*) echo other >bazel-skylib_1.9.1-2_all.deb ;;
esac
SH
echo "echo \"bazel-bootstrap | $version+ds-8 | mirror\"" | stand_in apt-cache
echo 'echo "unpacks $(basename "$2")"; exit 3' | stand_in dpkg-deb
wrapper build //a
((status == 1)) || fail "status $status"
expect "bazel-skylib_1.9.1-2_all.deb: sha256 $(sha256sum <<<other | cut -c1-64) is not in tools/bazel/debian.sha256"
expect "SKAINET_BAZEL_UNPINNED=1"
refuse "unpacks"
unpinned=1 wrapper build //a
((status == 1)) || fail "status $status"
expect "unpacks bazel-skylib_1.9.1-2_all.deb"

# The key of the modules is that of any other checkout, and nothing is said of names.
new_case "a folder's \"name\" with \\ and  spaces"
wrapper build //a
((status == 1)) || fail "status $status"
[[ $(grep -v '^bazelw: ' "$work/out") == "" ]] || fail "said: $(<"$work/out")"
key() { bash -c 'source "$1/tools/bazel/choose.sh" && modules_key "$1"' - "$1" 2>"$work/out"; }
elsewhere=$(key "$TEST_TMPDIR/unknown_choice/workspace")
[[ $(key "$work/workspace") == "$elsewhere" && ! -s $work/out ]] || fail "another key than $elsewhere, or a message: $(<"$work/out")"
echo 'another' >"$work/workspace/tools/bazel/stubs/a new \"one\""
[[ $(key "$work/workspace") != "$elsewhere" ]] || fail "the content of the stubs does not count"

echo "PASSED"
