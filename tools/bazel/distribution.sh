#!/usr/bin/env bash
# distribution.sh FINAL STAGE unpacks Debian's Bazel with the Java runtime and the
# libraries it was built for into STAGE, made to run from FINAL. Needs no root and
# leaves the host's package state alone. What decides outputs, Bazel and its rule sets,
# must have the sha256 of debian.sha256; the rest is what the mirror signs.
set -euo pipefail

final=$1 stage=$2
tools=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
version=$(<"$tools/../../.bazelversion")
suites=(forky sid) # where this version of Bazel is, tried in this order

mirror=${SKAINET_DEBIAN_MIRROR:-$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' |
  grep -v security | grep -m1 '/debian/\?$' || true)}
[[ -n $mirror ]] || { echo "no Debian mirror is set up on this host; SKAINET_DEBIAN_MIRROR=URL names one" && exit 1; }

# Packages of bazel-bootstrap's closure that a host with a C compiler and Python
# has, or that only Bazel's own build needs. A name missing here costs download
# time and nothing else.
skip=(
  'perl.*' 'libperl.*' 'python3.*' 'libpython.*' 'libpam.*' 'libaudit.*' 'libdb5.*' debconf
  'libdpkg.*' dpkg-dev 'gcc.*' 'g\+\+.*' 'cpp.*' 'binutils.*' 'libbinutils.*' build-essential
  linux-libc-dev libc6-dev libc-dev-bin make patch 'libstdc\+\+-[0-9]+-dev' 'libgcc-[0-9]+-dev'
  'libasan.*' 'liblsan.*' 'libtsan.*' 'libubsan.*' 'libhwasan.*' 'libgprofng.*' libc-gconv-modules-extra
  'libjs-.*' 'node-.*' util-linux 'readline.*' 'libreadline.*' 'libsqlite.*' tzdata media-types
  netbase ca-certificates.* openssl bzip2 unzip xz-utils java-common 'openjdk-.*-jdk.*' 'default-j.*'
)
# bazel-bootstrap does not name libblake3-0, which its binary links; the others
# are for relocate.py and modules.py.
also=(libblake3-0 patchelf bazel-rules-shell)
type -P go >/dev/null || also+=(golang-go) # which fetches modules, and the SDK that builds use

# use_suite SUITE points `apt` at one suite, beside the host's own lists.
use_suite() {
  mkdir -p "$stage/apt/lists/partial"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $1 main" >"$stage/apt/sources.list"
  options=(-q -oAPT::Sandbox::User=root -oAcquire::Retries=3 -oAcquire::Languages=none
    -oAcquire::IndexTargets::deb::DEP-11::DefaultEnabled=false
    -oDir::Etc::SourceList="$stage/apt/sources.list" -oDir::Etc::SourceParts=/dev/null
    -oDir::State::Lists="$stage/apt/lists" -oDir::State::status=/dev/null
    -oDir::Cache::pkgcache= -oDir::Cache::srcpkgcache=)
  apt-get "${options[@]}" update --error-on=any
}

candidate=
for suite in "${suites[@]}"; do
  use_suite "$suite"
  candidate=$(apt-cache "${options[@]}" madison bazel-bootstrap | awk -F' *[|] *' -v v="$version" 'index($2, v "+") == 1 {print $2; exit}')
  [[ -z $candidate ]] || break
done
[[ -n $candidate ]] || { echo "$mirror has no bazel-bootstrap $version in ${suites[*]}" && exit 1; }
echo "bazel-bootstrap $candidate from $suite"

pattern=$(IFS='|' && echo "^(${skip[*]})\$")
mapfile -t packages < <(
  apt-get "${options[@]}" -s install --no-install-recommends "bazel-bootstrap=$candidate" "${also[@]}" |
    awk '/^Inst/{print $2}' | grep -vE "$pattern"
)
mkdir "$stage/debs" "$stage/root"
(cd "$stage/debs" && apt-get "${options[@]}" download "${packages[@]}")

unpinned=0
for deb in "$stage"/debs/bazel-*.deb; do
  (cd "$stage/debs" && sha256sum "${deb##*/}") | grep -qxFf - "$tools/debian.sha256" && continue
  unpinned=1
  echo "${deb##*/}: sha256 $(sha256sum <"$deb" | cut -c1-64) is not in tools/bazel/debian.sha256"
done
if ((unpinned)) && [[ -z ${SKAINET_BAZEL_UNPINNED:-} ]]; then
  echo "the mirror has other packages than the pinned ones: name one that still has those, such as a snapshot," \
    "by SKAINET_DEBIAN_MIRROR=URL; or set SKAINET_BAZEL_UNPINNED=1 to use these, which may change what is built"
  exit 1
fi
for deb in "$stage"/debs/*.deb; do
  dpkg-deb --extract "$deb" "$stage/root"
done
rm -rf "$stage/apt" "$stage/debs" "$stage/root/usr/share/doc" "$stage/root/usr/share/man"

python3 "$tools/relocate.py" "$stage" "$final"
