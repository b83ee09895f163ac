"""platform_binary: a program built for a named platform, whatever --platforms says.

Compilation mode and the user's own C flags are ignored too, so that all builds
share one result.
"""

_SETTINGS = {
    "//command_line_option:compilation_mode": "opt",
    "//command_line_option:conlyopt": [],
    "//command_line_option:copt": [],
    "//command_line_option:cxxopt": [],
    # Before all others: if rules_cc comes before this module in a root module's
    # MODULE.bazel, its host toolchain comes first, and would match too.
    "//command_line_option:extra_toolchains": [str(Label("//toolchains/zig:all"))],
    "//command_line_option:features": [],
    "//command_line_option:linkopt": [],
    "//command_line_option:stamp": False,
    "//command_line_option:strip": "sometimes",
}

def _for_platform_impl(_settings, attr):
    return _SETTINGS | {"//command_line_option:platforms": [str(attr.platform)]}

_for_platform = transition(
    implementation = _for_platform_impl,
    inputs = [],
    outputs = _SETTINGS.keys() + ["//command_line_option:platforms"],
)

def _platform_binary_impl(ctx):
    source = ctx.file.binary
    out = ctx.actions.declare_file(ctx.attr.out or ctx.label.name)
    ctx.actions.symlink(output = out, target_file = source, is_executable = True)
    return [DefaultInfo(
        executable = out,
        files = depset([out]),
        runfiles = ctx.runfiles([out]),
    )]

platform_binary = rule(
    implementation = _platform_binary_impl,
    doc = "One file, an executable or a shared library, built for a platform.",
    attrs = {
        "binary": attr.label(
            allow_single_file = True,
            cfg = _for_platform,
            mandatory = True,
            doc = "A cc_binary, or another target with one file.",
        ),
        "out": attr.string(doc = "The file's name; the target's by default."),
        "platform": attr.label(mandatory = True, doc = "The platform, such as //toolchains/zig:x86_64-linux-musl."),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
    executable = True,
)
