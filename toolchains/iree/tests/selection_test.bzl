"""Unit tests of what the `iree` extension decides, with a fake module context."""

load("@bazel_skylib//lib:partial.bzl", "partial")
load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
load("//toolchains/iree:extensions.bzl", "plan")
load("//toolchains/iree/private:selection.bzl", "artifact_for", "choose_version", "host_platform")

def _wheel(kind, platform, version):
    return {"package": "p-" + kind, "filename": "%s-%s-%s.whl" % (kind, version, platform), "sha256": kind + platform}

def _version(version, platforms):
    return {
        "compiler": {p: _wheel("compiler", p, version) for p in platforms},
        "runtime": {p: _wheel("runtime", p, version) for p in platforms},
        "runtime_source": {"crate": "c", "version": "0." + version, "sha256": "s"},
    }

_TABLE = {
    "default": "3.9.0",
    "versions": {
        "3.9.0": _version("3.9.0", ["linux_x86_64"]),
        "3.13.0": _version("3.13.0", ["linux_x86_64", "macos_aarch64"]),
    },
}

def _module(name, versions, is_root = False):
    return struct(
        name = name,
        is_root = is_root,
        tags = struct(toolchain = [struct(version = v) for v in versions]),
    )

def _plan(*modules):
    return plan(struct(
        modules = modules,
        path = lambda label: label,
        read = lambda path: json.encode(_TABLE),
    ))

def _host_platform_test_impl(ctx):
    env = unittest.begin(ctx)
    for os_name, arch, want in [
        ("linux", "amd64", "linux_x86_64"),
        ("Linux", "aarch64", "linux_aarch64"),
        ("mac os x", "aarch64", "macos_aarch64"),
        ("windows 11", "amd64", "windows_x86_64"),
        ("linux", "riscv64", None),
        ("freebsd", "amd64", None),
    ]:
        asserts.equals(env, want, host_platform(os_name, arch))
    return unittest.end(env)

host_platform_test = unittest.make(_host_platform_test_impl)

def _choose_version_test_impl(ctx):
    env = unittest.begin(ctx)

    def request(module, version, is_root = False):
        return struct(module = module, version = version, is_root = is_root)

    for requests, want in [
        ([], "3.9.0"),
        ([request("a", "3.9.0"), request("b", "3.13.0")], "3.13.0"),
        ([request("b", "3.13.0"), request("a", "3.9.0")], "3.13.0"),
        ([request("root", "3.9.0", True), request("b", "3.13.0")], "3.9.0"),
        ([request("b", "3.13.0"), request("root", "3.9.0", True)], "3.9.0"),
    ]:
        asserts.equals(env, struct(version = want, error = None), choose_version(_TABLE, requests))

    unknown = choose_version(_TABLE, [request("m", "4.0.0")])
    asserts.equals(env, None, unknown.version)
    asserts.equals(env, "IREE_VERSION_UNKNOWN: m: IREE 4.0.0 is not in versions.json; it has 3.13.0, 3.9.0", unknown.error)
    conflict = choose_version(_TABLE, [request("root", "3.9.0", True), request("root", "3.13.0", True)])
    asserts.true(env, conflict.error.startswith("IREE_VERSION_CONFLICT: root: "), conflict.error)
    return unittest.end(env)

choose_version_test = unittest.make(_choose_version_test_impl)

def _plan_test_impl(ctx):
    env = unittest.begin(ctx)
    decided = _plan(_module("root", ["3.13.0"], is_root = True), _module("dep", ["3.9.0"]))
    asserts.equals(env, None, decided.error)
    asserts.equals(env, "3.13.0", decided.version)
    asserts.equals(env, "0.3.13.0", decided.source["version"])
    asserts.equals(
        env,
        ["iree_compiler_linux_x86_64", "iree_compiler_macos_aarch64", "iree_runtime_linux_x86_64", "iree_runtime_macos_aarch64"],
        [a.repo for a in decided.artifacts],
    )

    # The compiler is chosen by where actions run, the runtime by the target.
    asserts.equals(env, 2, decided.hub.count("exec_compatible_with"))
    asserts.equals(env, 2, decided.hub.count("target_compatible_with"))
    asserts.equals(env, 4, decided.hub.count("\ntoolchain("))

    asserts.equals(env, "3.9.0", _plan(_module("root", [], is_root = True)).version)
    asserts.true(env, _plan(_module("root", ["1.0"], is_root = True)).error.startswith("IREE_VERSION_UNKNOWN"))
    return unittest.end(env)

plan_test = unittest.make(_plan_test_impl)

def _artifact_for_test_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, "runtime-3.13.0-macos_aarch64.whl", artifact_for(_TABLE, "3.13.0", "runtime", "macos_aarch64").filename)
    asserts.equals(env, None, artifact_for(_TABLE, "3.9.0", "runtime", "macos_aarch64"))
    return unittest.end(env)

artifact_for_test = unittest.make(_artifact_for_test_impl)

def selection_test_suite(name):
    unittest.suite(name, *[partial.make(t, size = "small") for t in [host_platform_test, choose_version_test, plan_test, artifact_for_test]])
