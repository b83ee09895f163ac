#!/usr/bin/env bash
# A release by the rule: its own program says that it is whole, and made from these files, and
# needs no library but the system's own; the model's tar runs; a byte changed is found.
set -euo pipefail

fail() { echo "FAILED: $*" >&2 && exit 1; }
release=$PWD/$1
"$release/skainet-linux-amd64" verify-release "$release" --checkout "$PWD" >"$TEST_TMPDIR/out"
want="ok affine.oci.tar
ok affine.tar
ok provenance.intoto.json
ok sbom.spdx.json
ok skainet-linux-amd64"
[[ $(<"$TEST_TMPDIR/out") == "$want" ]] || fail "$(<"$TEST_TMPDIR/out")"
(cd "$release" && sha256sum --quiet -c SHA256SUMS) || fail "sha256sum says otherwise"
needed=$(readelf -d "$release/skainet-linux-amd64" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort | xargs)
[[ $needed == "libc.so.6 libdl.so.2 libpthread.so.0" ]] || fail "the program needs $needed"
parity=$(sed -n 's/.*"content": "\(.*\)",/\1/p' "$release/provenance.intoto.json" | base64 -d)
[[ $parity == *"1 results agree"* ]] || fail "no parity results: $parity"
[[ $parity != *" took "* ]] || fail "the time of a comparison is in the release: $parity"

cd "$TEST_TMPDIR"
mkdir affine
tar -xf "$release/affine.tar" -C affine --strip-components=1
[[ $(affine/run affine/program.vmfb --contract=affine/contract.json --entry=main x=1,2,3,4) == *"3 5 7 9"* ]] || fail "the model's tar does not run"
cp -rL "$release" changed
chmod -R u+w changed
printf x >>changed/affine.tar
if changed/skainet-linux-amd64 verify-release changed >out 2>&1; then fail "a changed tar was taken"; fi
grep -q RELEASE_SUM out || fail "$(<out)"
echo PASSED
