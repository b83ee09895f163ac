"""Configures Bazel to call zig as a C compiler."""

load("@rules_cc//cc:action_names.bzl", "ACTION_NAMES")
load("@rules_cc//cc:cc_toolchain_config_lib.bzl", "feature", "flag_group", "flag_set", "tool_path", "variable_with_value", "with_feature_set")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")

_COMPILE = [
    ACTION_NAMES.assemble,
    ACTION_NAMES.c_compile,
    ACTION_NAMES.cpp_compile,
    ACTION_NAMES.preprocess_assemble,
]

_LINK = [
    ACTION_NAMES.cpp_link_dynamic_library,
    ACTION_NAMES.cpp_link_executable,
    ACTION_NAMES.cpp_link_nodeps_dynamic_library,
]

def _flags(name, actions, flags):
    return feature(
        name = name,
        enabled = True,
        flag_sets = [flag_set(actions = actions, flag_groups = [flag_group(flags = flags)])],
    )

# For macOS Bazel passes the flags of Apple's libtool; zig's archiver takes those of ar.
def _archiver():
    def of(kind):
        return variable_with_value(name = "libraries_to_link.type", value = kind)

    return feature(
        name = "archiver_flags",
        enabled = True,
        flag_sets = [flag_set(
            actions = [ACTION_NAMES.cpp_link_static_library],
            flag_groups = [
                flag_group(flags = ["rcsD", "%{output_execpath}"], expand_if_available = "output_execpath"),
                flag_group(
                    iterate_over = "libraries_to_link",
                    expand_if_available = "libraries_to_link",
                    flag_groups = [
                        flag_group(flags = ["%{libraries_to_link.name}"], expand_if_equal = of("object_file")),
                        flag_group(
                            flags = ["%{libraries_to_link.object_files}"],
                            iterate_over = "libraries_to_link.object_files",
                            expand_if_equal = of("object_file_group"),
                        ),
                    ],
                ),
            ],
        )],
    )

def _zig_cc_config_impl(ctx):
    static = ctx.attr.libc in ["musl", "none"]
    features = [
        # First on every command line, before a target's own flags.
        _flags("zig_target", _COMPILE + _LINK, ["-target", ctx.attr.target] + ctx.attr.flags),
        _flags("zig_compile", _COMPILE, [
            # By default zig checks for undefined behaviour, with a runtime of
            # its own, and keeps the frame pointer.
            "-fno-sanitize=undefined",
            "-fomit-frame-pointer",
            # Reproducible: the same bytes from any folder, at any time.
            "-ffile-compilation-dir=.",
            "-Wno-builtin-macro-redefined",
            "-D__DATE__=\"redacted\"",
            "-D__TIME__=\"redacted\"",
            "-D__TIMESTAMP__=\"redacted\"",
        ] + ctx.attr.compile_flags),
        # The level also applies to the C library, which zig compiles when it links;
        # without one it would be a debug build. With -Os memcpy and memset go
        # byte by byte: 1 GB/s instead of 40, to save 1 KB.
        _flags("zig_link", _LINK, ["-O2"] + (["-static"] if static else []) + ctx.attr.link_flags),
        # Code that zig compiles when it links has its temporary folder's name in the debug
        # information.
        feature(
            name = "zig_strip_debug",
            enabled = True,
            flag_sets = [flag_set(
                actions = _LINK,
                flag_groups = [flag_group(flags = ["-Wl,--strip-debug"])],
                with_features = [with_feature_set(not_features = ["dbg"])],
            )],
        ),
        # The sandbox holds only the declared headers, so there is nothing that a
        # list of the headers used would need to be checked for.
        feature(name = "no_dotd_file", enabled = True),
        feature(name = "supports_pic", enabled = not static),
        feature(name = "supports_dynamic_linker", enabled = not static),
        feature(name = "static_link_cpp_runtimes", enabled = False),
        feature(name = "opt"),
        feature(name = "dbg"),
        feature(name = "fastbuild"),
    ] + ([_archiver()] if ctx.attr.libc == "libsystem" else [])
    return cc_common.create_cc_toolchain_config_info(
        ctx = ctx,
        abi_libc_version = ctx.attr.libc,
        abi_version = ctx.attr.libc,
        compiler = "clang",
        features = features,
        host_system_name = "local",
        target_cpu = ctx.attr.target_name,
        target_libc = "macosx" if ctx.attr.libc == "libsystem" else ctx.attr.libc,
        target_system_name = ctx.attr.target,
        tool_paths = [
            tool_path(name = "gcc", path = "cc"),
            tool_path(name = "ar", path = "ar"),
            tool_path(name = "ld", path = "cc"),
            tool_path(name = "cpp", path = "cc"),
        ] + [
            # Required by Bazel, used by no C rule.
            tool_path(name = name, path = "/bin/false")
            for name in ["gcov", "nm", "objcopy", "objdump", "strip"]
        ],
        toolchain_identifier = "zig-" + ctx.attr.target_name,
    )

zig_cc_config = rule(
    implementation = _zig_cc_config_impl,
    doc = "The configuration of one zig cc_toolchain.",
    attrs = {
        "compile_flags": attr.string_list(doc = "Flags for compiling alone."),
        "flags": attr.string_list(doc = "Flags for compiling and linking, besides the target."),
        "libc": attr.string(mandatory = True, doc = "The constraint value of the C library."),
        "link_flags": attr.string_list(doc = "Flags for linking alone."),
        "target": attr.string(mandatory = True, doc = "zig's name of the target."),
        "target_name": attr.string(mandatory = True, doc = "The row's name."),
        "version": attr.string(mandatory = True, doc = "zig's version, which is part of the configuration's identity."),
    },
    provides = [CcToolchainConfigInfo],
)
