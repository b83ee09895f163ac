"""Which runner the tar of a program gets: for the table's rows, user-defined rows and platforms."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts", "unittest")
load("//toolchains/iree/runner:runner_of.bzl", "RUNNERS", "runner_of", "runner_platform")
load("//toolchains/iree/runner:runners.bzl", "RUNNER_PLATFORMS")

# Rows by the runner of their programs: one for each runner, and two without.
_OF = {
    "aarch64": "aarch64-linux-musl",
    "android": "aarch64-linux-musl",
    "apple_m1": "aarch64-macos",
    "armv7": "arm-linux-musleabihf",
    "cortex_m7": None,
    "cpu_x86_64_v3": "x86_64-linux-musl",
    "riscv64": "riscv64-linux-musl",
    "vulkan": None,
}

def _names_impl(ctx):
    env = unittest.begin(ctx)
    for row, want in _OF.items():
        runner = runner_of(row)
        asserts.equals(env, want, runner.name if runner else None, row)

    asserts.equals(env, None, runner_of("no_such_row"))
    asserts.equals(env, sorted(RUNNER_PLATFORMS), sorted([r.name for r in RUNNERS]), "each runner is for some program")

    for triple, want in {
        "aarch64-apple-ios17.0": None,
        "arm64-apple-darwin23": "aarch64-macos",
        "armv7-unknown-linux-gnueabi": "arm-linux-musleabihf",
        "powerpc64le-unknown-linux-gnu": None,
        "riscv64-unknown-elf": None,
        "x86_64-apple-macosx13.0.0": "x86_64-macos",
        "x86_64-pc-windows-msvc": None,
    }.items():
        asserts.equals(env, want, runner_platform(["--iree-llvmcpu-target-triple=" + triple], "local-task"), triple)
    linux = ["--iree-llvmcpu-target-triple=x86_64-unknown-linux-gnu"]
    asserts.equals(env, "x86_64-linux-musl", runner_platform(linux, "local-sync"))
    asserts.equals(env, None, runner_platform(linux, "vulkan"))
    asserts.equals(env, None, runner_platform(linux + ["--iree-llvmcpu-link-embedded=false"], "local-task"))
    asserts.equals(env, None, runner_platform([], "local-task"))
    return unittest.end(env)

_names_test = unittest.make(_names_impl)

def _tar_impl(ctx):
    env = analysistest.begin(ctx)
    found = [a for a in analysistest.target_actions(env) if a.mnemonic == "ModelTar"]
    asserts.equals(env, 1, len(found))
    have = [f.short_path for f in found[0].inputs.to_list() if f.basename == "iree_runner"]
    asserts.equals(env, ["toolchains/iree/runner/%s/iree_runner" % ctx.attr.runner] if ctx.attr.runner else [], have, "runners that are built")
    asserts.equals(env, bool(ctx.attr.runner), "--runner" in found[0].argv)
    return analysistest.end(env)

_tar_test = analysistest.make(_tar_impl, attrs = {"runner": attr.string()})

def runners_test_suite(name):
    """The tests of runners.

    Args:
      name: of the suite.
    """
    _names_test(name = name + "_names", size = "small")
    tests = [name + "_names"]
    for backend, runner in {
        "board": "aarch64-linux-musl",
        "cpu": "x86_64-linux-musl",
        "gpu": "",
        "mac": "x86_64-macos",
        "pc": "x86_64-linux-musl",
    }.items():
        tests.append(name + "_" + backend)
        _tar_test(
            name = tests[-1],
            size = "small",
            runner = runner,
            target_under_test = "//rules/tests/fixture:split_tar_" + backend,
        )
    native.test_suite(name = name, tests = tests)
