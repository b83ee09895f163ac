"""Which libireert the runtime has: the hermetic compiler's, unless the setting says another."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("//toolchains/iree:toolchain.bzl", "IreeRuntimeInfo")

def _impl(ctx):
    env = analysistest.begin(ctx)
    library = analysistest.target_under_test(env)[IreeRuntimeInfo].library
    asserts.equals(env, ctx.attr.folder, library.dirname.rpartition("/")[2], library.path)
    return analysistest.end(env)

_ATTRS = {"folder": attr.string(mandatory = True)}

_default_test = analysistest.make(_impl, attrs = _ATTRS)

_own_test = analysistest.make(
    _impl,
    attrs = _ATTRS,
    config_settings = {str(Label("//toolchains/iree/runtime:hermetic")): False},
)

def hermetic_test_suite(name):
    """Declares the tests.

    Args:
      name: prefix of their names, and the suite's name.
    """
    linux = {
        "size": "small",
        "target_compatible_with": ["@platforms//cpu:x86_64", "@platforms//os:linux"],
        "target_under_test": "//toolchains/iree:runtime",
    }
    _default_test(name = name + "_default", folder = "x86_64-linux-gnu", **linux)
    _own_test(name = name + "_own", folder = Label("@iree_runtime_source").workspace_name, **linux)
    native.test_suite(name = name, tests = [name + "_default", name + "_own"])
