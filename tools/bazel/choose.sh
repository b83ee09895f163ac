# Sourced by bazelw: decides which Bazel to run and sets it up when that has not
# happened yet. Kept to a few file tests on the common path: it runs on each call.

SKAINET_BAZEL_COMMAND=()

say() { printf 'bazelw: %s\n' "$*" >&2; }
die() { say "$@" && exit 1; }

# choose_bazel WORKSPACE fills SKAINET_BAZEL_COMMAND.
choose_bazel() {
  local workspace=$1 choice=${SKAINET_BAZEL:-auto} system
  local cache=${XDG_CACHE_HOME:-$HOME/.cache}/skainet/bazel
  system=$(type -P bazelisk || type -P bazel || true)

  case $choice in
    system)
      [[ -n $system ]] || die "SKAINET_BAZEL=system, but neither bazelisk nor bazel is on the path"
      ;;
    debian) ;;
    auto)
      if [[ -n $system ]] && system_bazel_works "$workspace" "$system" "$cache"; then
        choice=system
      else
        choice=debian
      fi
      ;;
    *) die "SKAINET_BAZEL=$choice is not one of auto, system, debian" ;;
  esac

  if [[ $choice == system ]]; then
    SKAINET_BAZEL_COMMAND=("$system")
    return
  fi
  local distribution modules
  distribution=$cache/$(distribution_key "$workspace")
  modules=$cache/$(modules_key "$workspace")
  if [[ ! -x $distribution/bazel || ! -e $modules/modules.bazelrc ]]; then
    "$workspace/tools/bazel/setup_debian.sh" "$distribution" "$modules" || exit 1
  fi
  # Of a host without Go: what fetches modules and the SDK that builds use.
  [[ ! -x $distribution/go/go ]] || export PATH=$PATH:$distribution/go
  SKAINET_BAZEL_COMMAND=("$distribution/bazel" "--bazelrc=$modules/modules.bazelrc")
}

# The directory names carry a digest of what decides their content, so a change
# of version or of recipe makes a new one and an old checkout keeps its own.
distribution_key() {
  local tools=$1/tools/bazel
  echo "debian-$({
    cat "$1/.bazelversion" "$tools/debian.sha256" "$tools/distribution.sh" "$tools/relocate.py"
    type -P go >/dev/null || echo "and Go"
  } | digest)"
}

modules_key() {
  local tools=$1/tools/bazel
  echo "modules-$(
    {
      distribution_key "$1"
      grep -E '^bazel_dep\(name = "(rules_go|gazelle)"' "$1/MODULE.bazel"
      cat "$tools/modules.py"
      # Names end in NUL: the folder's own may hold spaces and quotes.
      find "$tools/stubs" -type f -print0 | LC_ALL=C sort -z | xargs -0 cat
    } | digest
  )"
}

digest() { { sha256sum 2>/dev/null || shasum -a 256; } | cut -c1-12; } # the second is macOS's

# system_bazel_works WORKSPACE BAZEL CACHE: is it of our version, and can it read
# its module registry? Asked of Bazel itself, so that mirrors and proxies in the
# user's own bazelrc count. The answer is remembered for a day.
system_bazel_works() {
  local workspace=$1 bazel=$2 cache=$3 answer key
  key=$(printf '%s\n' "$bazel" "$(cat "$workspace/.bazelversion")" | digest)
  answer=$cache/probe-$key
  if [[ -z $(find "$answer" -mmin -1440 2>/dev/null) ]]; then
    mkdir -p "$cache"
    if "$workspace/tools/bazel/probe.sh" "$workspace" "$bazel"; then
      echo yes >"$answer.$$"
    else
      echo no >"$answer.$$"
      say "$bazel cannot be used here (see above); setting SKAINET_BAZEL=system skips this check"
    fi
    mv -f "$answer.$$" "$answer"
  fi
  [[ $(<"$answer") == yes ]]
}
