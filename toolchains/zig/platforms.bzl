"""Declares the platforms and the toolchain()s of targets.bzl."""

load(":targets.bzl", "ZIG_TARGETS")

# The machines that zig itself runs on; versions.json has a wheel for each.
ZIG_HOSTS = ["linux_aarch64", "linux_x86_64", "macos_aarch64"]

# The rows for platforms without a C library among their constraints: what a program that
# is to run on the machine that builds it is linked with.
ZIG_DEFAULTS = [name for name, target in ZIG_TARGETS.items() if target.libc in ["glibc", "libsystem"]]

def zig_platforms(name):
    """Declares a platform for each target, with the C library among its constraints.

    Args:
      name: unused; each platform has its row's name.
    """
    for row, target in ZIG_TARGETS.items():
        native.platform(
            name = row,
            constraint_values = target.constraints + [":" + target.libc],
        )

def zig_toolchains(name, repo_prefix):
    """Declares a toolchain() for each pair of host and target.

    The repository of a toolchain is fetched only if it is chosen.

    Args:
      name: prefix of the toolchains' names.
      repo_prefix: prefix of zig's repositories, before the host's key.
    """
    for row, target in ZIG_TARGETS.items():
        _toolchains(name, repo_prefix, row, target.constraints + ["//toolchains/zig:" + target.libc])

def zig_default_toolchains(name, repo_prefix):
    """Declares a toolchain() for each pair of host and default row, whatever the platform's C library.

    Args:
      name: prefix of the toolchains' names.
      repo_prefix: prefix of zig's repositories, before the host's key.
    """
    for row in ZIG_DEFAULTS:
        _toolchains(name, repo_prefix, row, ZIG_TARGETS[row].constraints)

def _toolchains(name, repo_prefix, row, constraints):
    for host in ZIG_HOSTS:
        os, _, cpu = host.partition("_")
        native.toolchain(
            name = "%s_%s_to_%s" % (name, host, row),
            exec_compatible_with = ["@platforms//os:" + os, "@platforms//cpu:" + cpu],
            target_compatible_with = constraints,
            toolchain = "@%s%s//:%s" % (repo_prefix, host, row),
            toolchain_type = "@bazel_tools//tools/cpp:toolchain_type",
        )
