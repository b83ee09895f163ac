#!/usr/bin/env bash
# The archive of a release: what .bcr says of it, the files of the commit alone, the same
# bytes again, and what is said of a wrong tag.
set -euo pipefail

archive=$PWD/tools/release/archive.sh template=$PWD/.bcr/source.template.json
fail() { echo "FAILED: $*" >&2 && exit 1; }
# field NAME: of the template, with version and tag in it.
field() { sed -n "s/.*\"$1\": \"\(.*\)\".*/\1/p" "$template" | sed 's/{VERSION}/1.2.3/g; s/{TAG}/v1.2.3/g'; }
refuse() {
  local words=$1
  shift
  if bash "$archive" "$@" >out 2>&1; then fail "$* was taken"; fi
  grep -qF -- "$words" out || fail "expected '$words' in: $(<out)"
}

unset BUILD_WORKSPACE_DIRECTORY BUILD_WORKING_DIRECTORY
cd "$TEST_TMPDIR"
export HOME=$PWD GIT_CONFIG_NOSYSTEM=1
mkdir repository one two
cd repository
git init -q
git config user.name n
git config user.email n@example.com
printf 'module(\n    name = "skainet",\n    version = "1.2.3",\n)\n\nbazel_dep(name = "x", version = "4.5.6")\n' >MODULE.bazel
printf '#!/bin/sh\n' >run.sh
chmod 755 run.sh
git add .
git commit -q -m one
git tag v1.2.3
git tag v1.2.4

refuse "give a tag or a commit"
refuse "v7 is not a commit" v7
refuse "the tag is v1.2.4, and MODULE.bazel says 1.2.3" v1.2.4 ../one
refuse "none is not a folder" v1.2.3 none
[[ -z $(ls -A ../one) ]] || fail "a file was left"

bash "$archive" v1.2.3 ../one >../printed
# Neither what is not committed, nor a mode of the checkout, nor the user's settings.
echo more >>MODULE.bazel
echo new >new.txt
git config tar.umask 0077
git config core.autocrlf true
bash "$archive" v1.2.3 ../two >/dev/null
file=$(basename "$(field url)")
cmp "../one/$file" "../two/$file"
prefix=$(field strip_prefix)
[[ $(tar -tzf "../one/$file" | sort | xargs) == "$prefix/ $prefix/MODULE.bazel $prefix/run.sh" ]] || fail "$(tar -tzf "../one/$file")"
tar -xzf "../one/$file" -C ..
git show HEAD:MODULE.bazel | cmp - "../$prefix/MODULE.bazel"
[[ -x ../$prefix/run.sh ]] || fail "a script is no program"
sum=$(sha256sum "../one/$file" | cut -d' ' -f1)
[[ $(sed -n 's/^"integrity": "sha256-\(.*\)"$/\1/p' ../printed | base64 -d | od -An -tx1 | tr -d ' \n') == "$sum" ]] || fail "$(<../printed)"
git rm -q --cached MODULE.bazel
git commit -q -m two
refuse "MODULE.bazel of HEAD has no version" HEAD ../one
echo PASSED
