#!/usr/bin/env bash
# setup_debian.sh DISTRIBUTION MODULES makes the two directories that bazelw runs
# Bazel from on a Debian host. Each is built beside its place and renamed when it
# is whole, so that an interrupted or failed set-up leaves nothing half-made; a
# lock keeps two set-ups at once apart.
set -euo pipefail

distribution=$1 modules=$2
tools=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=$(dirname "$distribution")
mkdir -p "$cache"

say() { printf 'bazelw: %s\n' "$*" >&2; }

for tool in apt-get dpkg-deb flock python3; do
  if ! type -P "$tool" >/dev/null; then
    say "needs $tool to set up Bazel, which is not on the path."
    say "Install it, or install bazelisk where the Bazel registry can be reached."
    exit 1
  fi
done

exec 9>"$cache/lock"
flock --nonblock 9 || { say "waiting for another set-up to end" && flock 9; }
rm -rf "$cache"/.stage.* # of a set-up that was killed

stage=
log=$cache/setup.log
finish() {
  status=$?
  [[ -z $stage ]] || { chmod -R u+w "$stage" && rm -rf "$stage"; }
  if ((status != 0)); then
    say "set-up failed; nothing was left behind. The last lines of $log:"
    tail -n 15 "$log" >&2
    say "Usual causes: the package mirror or Go proxy of this host is out of reach, or the disk is full."
    say "Run the same command again to retry. SKAINET_DEBIAN_MIRROR=URL names another Debian mirror."
  fi
}
trap finish EXIT

# build NAME TARGET COMMAND...: runs COMMAND with a new directory as its last argument.
build() {
  local name=$1 target=$2 begun=$SECONDS
  shift 2
  say "setting up $name (once; log: $log)"
  stage=$(mktemp -d "$cache/.stage.XXXXXX")
  "$@" "$stage" >>"$log" 2>&1
  chmod 755 "$stage"
  mv -T "$stage" "$target"
  stage=
  say "done: $name in $target, $(du -sh "$target" | cut -f1), after $((SECONDS - begun)) s"
}

: >"$log"
if [[ ! -x $distribution/bazel ]]; then
  build "Bazel $(<"$tools/../../.bazelversion") from the Debian mirror" "$distribution" \
    "$tools/distribution.sh" "$distribution"
fi
[[ ! -x $distribution/go/go ]] || PATH=$PATH:$distribution/go
if [[ ! -e $modules/modules.bazelrc ]]; then
  build "the modules of MODULE.bazel through the Go proxy" "$modules" \
    python3 "$tools/modules.py" "$tools/../.." "$distribution" "$modules"
fi
