#!/usr/bin/env bash
# archive.sh COMMIT [FOLDER] writes skainet-VERSION.tar.gz, the archive of a release that
# .bcr/source.template.json names, and prints its integrity for source.json. It holds the
# files of the commit, a tag by rule, and depends on nothing else: neither on the files of
# the checkout nor on the time or the settings of git.
set -euo pipefail

# bazel run starts this among runfiles; elsewhere its variables may have been inherited.
user=. checkout=.
if [[ $PWD == *.runfiles* ]]; then
  user=${BUILD_WORKING_DIRECTORY:-.} checkout=${BUILD_WORKSPACE_DIRECTORY:-.}
fi
cd "$checkout"
fail() { echo "archive: $*" >&2 && exit 1; }

(($# == 1 || $# == 2)) || fail "give a tag or a commit, and a folder if it is not the present one: archive.sh v0.1.0 /tmp"
commit=$(git rev-parse --verify --quiet --end-of-options "$1^{commit}") || fail "$1 is not a commit; git tag lists the releases"
folder=$(cd "$user" && cd "${2:-.}" && pwd) || fail "${2:-.} is not a folder; make it first"
version=$(git cat-file -p "$commit:MODULE.bazel" 2>/dev/null | sed -n '/^module(/,/^)/s/^ *version = "\(.*\)",$/\1/p' || true)
[[ -n $version ]] || fail "MODULE.bazel of $1 has no version; give module() one"
[[ $1 != v[0-9]* || $1 == "v$version" ]] || fail "the tag is $1, and MODULE.bazel says $version; make them agree before the release"

name=skainet-$version
part=$(mktemp "$folder/.$name.XXXXXX")
trap 'rm -f "$part"' EXIT
git -c core.autocrlf=false -c tar.umask=0022 archive --format=tar --prefix="$name/" "$commit" | gzip -9 --no-name >"$part"
chmod 644 "$part"
mv "$part" "$folder/$name.tar.gz"
echo "$folder/$name.tar.gz"
sum=$(sha256sum "$folder/$name.tar.gz" | cut -c 1-64 | sed 's/../\\x&/g')
echo "\"integrity\": \"sha256-$(printf '%b' "$sum" | base64)\""
