"""The cc_toolchains of the repository that holds zig."""

load("@rules_cc//cc:defs.bzl", "cc_toolchain")
load("//toolchains/zig:targets.bzl", "ZIG_TARGETS")
load(":cc_config.bzl", "zig_cc_config")

def zig_cc_toolchains(name, version):
    """Declares a cc_toolchain for each row of targets.bzl, under its name.

    Args:
      name: unused.
      version: of zig.
    """
    native.filegroup(name = "empty")
    native.filegroup(name = "archiver", srcs = ["ar", "zig"])

    # The linker compiles what it needs of the C library and of zig's own runtime.
    native.filegroup(name = "linker", srcs = ["ar", "cc", "zig"] + native.glob(["lib/**"]))
    for row, target in ZIG_TARGETS.items():
        native.filegroup(
            name = row + "_compiler",
            srcs = ["cc", "zig"] + native.glob([h + "/**" for h in target.headers]),
        )
        zig_cc_config(
            name = row + "_config",
            flags = target.flags,
            libc = target.libc,
            target = target.zig,
            target_name = row,
            version = version,
        )
        cc_toolchain(
            name = row,
            all_files = ":linker",
            ar_files = ":archiver",
            as_files = row + "_compiler",
            compiler_files = row + "_compiler",
            dwp_files = ":empty",
            linker_files = ":linker",
            objcopy_files = ":empty",
            strip_files = ":empty",
            supports_param_files = True,
            toolchain_config = row + "_config",
            toolchain_identifier = "zig-" + row,
        )
