"""The cc_toolchains of the repository that holds zig."""

load("@rules_cc//cc:defs.bzl", "cc_toolchain")
load("//toolchains/zig:targets.bzl", "ANDROID_LIBRARIES", "ZIG_TARGETS")
load(":cc_config.bzl", "zig_cc_config")

# Headers that come before zig's for Android.
_ANDROID = Label("//toolchains/zig/android:headers")

def _system_flags(target, repository):
    """Returns (compile flags, link flags) for a C library that zig does not bring."""
    if target.libc != "bionic":
        return [], []
    ours = "/".join([p for p in [_ANDROID.workspace_root, _ANDROID.package, "include"] if p])
    folders = [ours] + ["%s/%s" % (repository, h) for h in reversed(target.headers) if "/libc/" in h]
    return (
        ["-nostdlibinc"] + [word for folder in folders for word in ("-isystem", folder)],
        # By path: asked for by name, zig would look for its own.
        ["-nostdlib", "-rtlib=compiler-rt", "-Wl,-z,max-page-size=16384"] + ["%s/%s/lib%s.so" % (repository, ANDROID_LIBRARIES, name) for name in ["c", "dl", "m"]],
    )

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
        compile_flags, link_flags = _system_flags(target, "external/" + native.repository_name().lstrip("@"))
        native.filegroup(
            name = row + "_compiler",
            srcs = ["cc", "zig"] + native.glob([h + "/**" for h in target.headers]) + ([_ANDROID] if compile_flags else []),
        )
        zig_cc_config(
            name = row + "_config",
            compile_flags = compile_flags,
            link_flags = link_flags,
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
