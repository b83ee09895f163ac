"""The static runners, as data: `//toolchains/iree/runner:PLATFORM`.

A runner calls programs for its CPU from the command line and needs nothing from
the system but the kernel (on macOS, libSystem).
"""

load("//toolchains/zig:targets.bzl", "ZIG_TARGETS")

# On Linux musl is linked in, so rows with glibc get no runner, nor does that with Android's C
# library: Android runs static programs for Linux. A runner needs an operating system.
RUNNER_PLATFORMS = [name for name, target in ZIG_TARGETS.items() if target.libc not in ["bionic", "glibc", "none"]]

# Built by //...; the others only when named.
BUILT_WITH_ALL = ["x86_64-linux-musl"]
