"""Tests which C toolchain a platform gets, and the rows of targets.bzl."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts", "unittest")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("//toolchains/zig:platforms.bzl", "ZIG_DEFAULTS")
load("//toolchains/zig:targets.bzl", "ZIG_TARGETS")

_CC = "@bazel_tools//tools/cpp:current_cc_toolchain"

def _system(env):
    return analysistest.target_under_test(env)[cc_common.CcToolchainInfo].target_gnu_system_name

def _default_impl(ctx):
    env = analysistest.begin(ctx)
    zigs = [ZIG_TARGETS[row].zig for row in ZIG_DEFAULTS]
    asserts.true(env, _system(env) in zigs, "the default platform has the toolchain %s, not one of %s" % (_system(env), zigs))
    return analysistest.end(env)

# A build that requests nothing compiles by zig too, never by the host's compiler.
default_test = analysistest.make(_default_impl)

def _zig_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.equals(env, ctx.attr.zig, _system(env))
    return analysistest.end(env)

def _make_zig_test(platform):
    return analysistest.make(
        _zig_impl,
        attrs = {"zig": attr.string()},
        config_settings = {"//command_line_option:platforms": str(Label("//toolchains/zig:" + platform))},
    )

# Rule definitions must be top-level names, so there is one for each row.
aarch64_linux_android_test = _make_zig_test("aarch64-linux-android")
aarch64_linux_gnu_test = _make_zig_test("aarch64-linux-gnu")
aarch64_linux_musl_test = _make_zig_test("aarch64-linux-musl")
aarch64_macos_test = _make_zig_test("aarch64-macos")
arm_linux_musleabihf_test = _make_zig_test("arm-linux-musleabihf")
cortex_m7_none_eabihf_test = _make_zig_test("cortex_m7-none-eabihf")
riscv64_linux_musl_test = _make_zig_test("riscv64-linux-musl")
x86_64_linux_gnu_test = _make_zig_test("x86_64-linux-gnu")
x86_64_linux_musl_test = _make_zig_test("x86_64-linux-musl")
x86_64_macos_test = _make_zig_test("x86_64-macos")

_TESTS = {
    "aarch64-linux-android": aarch64_linux_android_test,
    "aarch64-linux-gnu": aarch64_linux_gnu_test,
    "aarch64-linux-musl": aarch64_linux_musl_test,
    "aarch64-macos": aarch64_macos_test,
    "arm-linux-musleabihf": arm_linux_musleabihf_test,
    "cortex_m7-none-eabihf": cortex_m7_none_eabihf_test,
    "riscv64-linux-musl": riscv64_linux_musl_test,
    "x86_64-linux-gnu": x86_64_linux_gnu_test,
    "x86_64-linux-musl": x86_64_linux_musl_test,
    "x86_64-macos": x86_64_macos_test,
}

def _table_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, sorted(ZIG_TARGETS), sorted(_TESTS), "each row has a test of its toolchain")
    for name, target in ZIG_TARGETS.items():
        asserts.equals(env, 2, len(target.constraints), name)

        # A program for glibc states the oldest system it runs on.
        asserts.equals(env, target.libc == "glibc", target.zig.endswith("gnu.2.28"), name)
    return unittest.end(env)

table_test = unittest.make(_table_impl)

def zig_test_suite(name):
    """Declares the tests.

    Args:
      name: prefix of their names, and the suite's name.
    """
    default_test(name = name + "_default", size = "small", target_under_test = _CC)
    for platform, test in _TESTS.items():
        test(
            name = "%s_%s" % (name, platform),
            size = "small",
            target_under_test = _CC,
            zig = ZIG_TARGETS[platform].zig,
        )
    table_test(name = name + "_table", size = "small")
    native.test_suite(
        name = name,
        tests = [name + "_default", name + "_table"] + [name + "_" + platform for platform in _TESTS],
    )
