"""Tests of Go code on other platforms than the machine's."""

load("@bazel_skylib//rules:build_test.bzl", "build_test")
load("@bazel_skylib//rules:native_binary.bzl", "native_test")
load("@rules_go//go:def.bzl", "go_cross_binary")
load(":platforms.bzl", "GO_PLATFORMS")

def _build(name, target, platform):
    go_cross_binary(
        name = name,
        testonly = True,
        platform = "@rules_go//go/toolchain:" + platform,
        tags = ["manual"],
        target = target,
    )

def _tags(row):
    return ["manual"] if row.like else []

def build_tests(targets):
    """Tests that Go code builds for each platform: PLATFORM_test.

    Args:
      targets: from a name to a go_binary, go_test or go_library.
    """
    for platform, row in GO_PLATFORMS.items():
        for name, target in targets.items():
            _build("%s_%s" % (name, platform), target, platform)
        build_test(
            name = platform + "_test",
            tags = _tags(row),
            targets = [":%s_%s" % (name, platform) for name in targets],
        )

def run_tests(name, target, platforms = None, args = [], timeout = "long"):
    """Runs a test's program on each platform for which there is an emulator: NAME_PLATFORM_test.

    They run on Linux for x86-64.

    Args:
      name: of the program in the tests' names; build_tests builds it under that name.
      target: a go_test; None if build_tests builds it.
      platforms: the platforms; None means all.
      args: arguments of the test.
      timeout: of each test.
    """
    for platform, row in GO_PLATFORMS.items():
        if not row.runner or (platforms != None and platform not in platforms):
            continue
        program = "%s_%s" % (name, platform)
        if target:
            _build(program, target, platform)
        native_test(
            name = program + "_test",
            src = row.runner,
            args = row.args + ["$(rootpath :%s)" % program] + args,
            data = row.data + [":" + program],
            env = {"GO_TEST_WRAP": "0"},  # rules_go starts the test again, natively
            target_compatible_with = [
                "@platforms//cpu:x86_64",
                "@platforms//os:linux",
            ],
            tags = _tags(row),
            timeout = timeout,
        )

def more_tests(name):
    """A suite of the tests that `bazel test //...` leaves out.

    Args:
      name: of the suite.
    """
    native.test_suite(
        name = name,
        tags = ["manual"],
        tests = [
            test
            for test, rule in native.existing_rules().items()
            if rule["kind"].endswith("_test") and "manual" in rule["tags"]
        ],
    )
