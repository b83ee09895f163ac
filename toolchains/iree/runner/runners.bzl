"""The static runners, as data: `//toolchains/iree/runner:PLATFORM`.

A runner calls programs for its CPU from the command line and needs nothing of
the system but its kernel (on macOS its libSystem).
"""

load("//toolchains/zig:targets.bzl", "ZIG_TARGETS")

# Linux gets musl, linked into the runner; so no row with glibc. A runner needs a system.
RUNNER_PLATFORMS = [name for name, target in ZIG_TARGETS.items() if target.libc not in ["glibc", "none"]]

# Built by //...; the others when they are named.
BUILT_WITH_ALL = ["x86_64-linux-musl"]
