"""Tests the build settings for all programs: the optimisation level, and more flags."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("//rules:defs.bzl", "VmfbInfo", "iree_vmfb")
load("//toolchains/iree:optimizations.bzl", "optimized")
load("//toolchains/iree:target.bzl", "with_flags")
load("//toolchains/iree:targets.bzl", "TARGETS")

_ROW = "cpu_x86_64_v3"
_OPTIMIZATION = str(Label("//rules:optimization"))
_EXTRA = str(Label("//rules:extra_compile_flags"))

def _flags_impl(ctx):
    env = analysistest.begin(ctx)
    words = [a for a in analysistest.target_actions(env) if a.mnemonic == "IreeCompile"][0].argv
    flags = [words[i + 1] for i in range(len(words) - 1) if words[i] == "--flag"]
    wanted = with_flags(optimized(TARGETS[_ROW], ctx.attr.level), ctx.attr.extra)
    asserts.equals(env, wanted, flags)
    asserts.equals(env, wanted, analysistest.target_under_test(env)[VmfbInfo].flags)

    # The dissected programs use the same flags.
    for a in analysistest.target_actions(env):
        if a.mnemonic in ["IreeAsm", "IreeDispatches"]:
            for flag in wanted:
                asserts.true(env, flag in a.argv, "%s: %s" % (a.mnemonic, flag))
    return analysistest.end(env)

_ATTRS = {"extra": attr.string_list(), "level": attr.string()}

_default_test = analysistest.make(_flags_impl, attrs = _ATTRS)
_debug_test = analysistest.make(_flags_impl, attrs = _ATTRS, config_settings = {_OPTIMIZATION: "debug"})
_size_test = analysistest.make(_flags_impl, attrs = _ATTRS, config_settings = {_OPTIMIZATION: "size"})

# One of the row's flags, and a new one, given by two options.
_MORE = ["--iree-opt-level=O3", "--iree-opt-strip-assertions=true"]
_extra_test = analysistest.make(_flags_impl, attrs = _ATTRS, config_settings = {_EXTRA: _MORE})

def _fails_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.expect_failure(env, ctx.attr.message)
    return analysistest.end(env)

_MESSAGE = {"message": attr.string(mandatory = True)}
_no_level_test = analysistest.make(_fails_impl, attrs = _MESSAGE, expect_failure = True, config_settings = {_OPTIMIZATION: "fast"})
_two_lines_test = analysistest.make(_fails_impl, attrs = _MESSAGE, expect_failure = True, config_settings = {_EXTRA: ["--a=1\n--out=x"]})
_lines_test = analysistest.make(_fails_impl, attrs = _MESSAGE, expect_failure = True)
_no_flag_test = analysistest.make(_fails_impl, attrs = _MESSAGE, expect_failure = True, config_settings = {_EXTRA: ["O3"]})

def settings_test_suite(name):
    """Tests of the build settings.

    Args:
      name: of the suite.
    """
    program = name + "_vmfb"
    own = name + "_own_vmfb"
    iree_vmfb(name = program, export = "//rules/tests/fixture:rows_mlir", tags = ["manual"], target = _ROW)
    iree_vmfb(name = own, export = "//rules/tests/fixture:rows_mlir", optimization = "aggressive", tags = ["manual"], target = _ROW)

    common = {"size": "small", "target_under_test": program}
    _default_test(name = name + "_default", **common)
    _debug_test(name = name + "_debug", level = "debug", **common)
    _size_test(name = name + "_size", level = "size", **common)
    _extra_test(name = name + "_extra", extra = _MORE, **common)
    _no_level_test(
        name = name + "_no_level",
        message = "settings_test_vmfb: VMFB_OPTIMIZATION: unknown level \"fast\"; set --@skainet//rules:optimization to one of latency, size, debug, aggressive",
        **common
    )
    _no_flag_test(
        name = name + "_no_flag",
        message = "settings_test_vmfb: VMFB_FLAGS: \"O3\" is not a flag of iree-compile; write --@skainet//rules:extra_compile_flags=--NAME=VALUE, once for each",
        **common
    )

    _two_lines_test(
        name = name + "_two_lines",
        message = "settings_test_vmfb: VMFB_FLAGS: \"--a=1\\n--out=x\" contains a line break; write one flag in each string",
        **common
    )
    lines = name + "_lines_vmfb"
    iree_vmfb(name = lines, export = "//rules/tests/fixture:rows_mlir", flags = ["--a=1\n--out=x"], tags = ["manual"], target = _ROW)
    _lines_test(
        name = name + "_lines",
        message = "settings_test_lines_vmfb: VMFB_FLAGS: \"--a=1\\n--out=x\" contains a line break",
        size = "small",
        target_under_test = lines,
    )

    bare = name + "_bare_vmfb"
    iree_vmfb(name = bare, export = "//rules/tests/fixture:rows_mlir", flags = ["O3"], tags = ["manual"], target = _ROW)
    _lines_test(
        name = name + "_bare",
        message = "settings_test_bare_vmfb: VMFB_FLAGS: \"O3\" is not a flag of iree-compile; write flags = [\"--NAME=VALUE\"]",
        size = "small",
        target_under_test = bare,
    )

    # A target's own setting takes precedence.
    _debug_test(name = name + "_own", level = "aggressive", size = "small", target_under_test = own)
    native.test_suite(
        name = name,
        tests = [name + "_" + test for test in ["bare", "debug", "default", "extra", "lines", "no_flag", "no_level", "own", "size", "two_lines"]],
    )
