#!/usr/bin/env bash
# other_debian.sh FOLDER [SUITE [TARGET...]]: the last commit gives the same programs, archives
# and runtime library on this host and in a chroot of another Debian release that has no C
# compiler, cargo, pip or Go.
#
# Makes the chroot of SUITE (default: trixie) in FOLDER/root by debootstrap from this host's
# mirror, clones the commit into it and to FOLDER/host, builds TARGET... in both
# (default: //models/whisper:transcribe), without a cache of results in the chroot, and compares
# what sums.sh prints: at least one .vmfb, one .irpa and libireert.so. Needs root, 20 GB, and on
# two cores about half an hour. FOLDER is left for inspection.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(realpath -m "${1:?name a folder}") suite=${2:-trixie}
shift $(($# < 2 ? $# : 2))
(($# > 0)) || set -- //models/whisper:transcribe
root=$folder/root place=srv/another/place
mirror=${SKAINET_DEBIAN_MIRROR:-$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | grep -v security | grep -m1 '/debian/\?$')}

mkdir -p "$folder"
if [[ ! -e $root/usr/bin/python3 ]]; then
  debootstrap --variant=minbase --include=python3,ca-certificates "$suite" "$root" "$mirror" >"$folder/debootstrap.log"
fi
apt-config dump Acquire >"$root/etc/apt/apt.conf.d/99host" # proxies and the like
cp -L /etc/resolv.conf "$root/etc/"
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
for dir in proc dev sys; do
  # A slave: unmounting it does not unmount the host's.
  mountpoint -q "$root/$dir" || { mount --rbind "/$dir" "$root/$dir" && mount --make-rslave "$root/$dir"; }
done
trap 'for dir in proc dev sys; do umount -R -l "$root/$dir"; done' EXIT

# inside COMMAND: runs it in the chroot, with nothing of this host's environment but where things are fetched from.
inside() {
  local kept
  mapfile -t kept < <(env | grep -E '^(https?_proxy|no_proxy|HTTPS?_PROXY|NO_PROXY|SSL_CERT_FILE|GOPROXY|GONOSUMDB|GOSUMDB|GOFLAGS|PIP_[A-Z_]+|SKAINET_MIRRORS)=' || true)
  env -i "${kept[@]}" HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$root" /bin/bash -c "$1"
}

for tool in cc gcc clang cargo pip pip3 go; do
  ! inside "type -P $tool" || { echo "the chroot has $tool" && exit 1; }
done
rm -rf "$root/$place" "$folder/host"
for clone in "$root/$place" "$folder/host"; do
  git clone -q "$here" "$clone"
done
echo "host: $(. /etc/os-release && echo "$PRETTY_NAME"); chroot: $(. "$root/etc/os-release" && echo "$PRETTY_NAME")"
inside "cd /$place && tools/repro/sums.sh $*" >"$folder/chroot.sums"
"$folder/host/tools/repro/sums.sh" "$@" >"$folder/host.sums"
inside "cd /$place && ./bazelw shutdown"
(cd "$folder/host" && ./bazelw shutdown)
cat "$folder/host.sums"
for end in '\.vmfb' '\.irpa' '/libireert\.so'; do # sums.sh omits what was not built
  grep -q "$end\$" "$folder/host.sums" || { echo "FAILED: no file with $end was compared; name targets that have one" && exit 1; }
done
diff "$folder/host.sums" "$folder/chroot.sums" && echo "PASSED"
