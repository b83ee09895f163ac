"""Unit tests of what the `iree` extension decides, with a fake module context."""

load("@bazel_skylib//lib:partial.bzl", "partial")
load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
load("//toolchains/iree:extensions.bzl", "plan")
load("//toolchains/iree/private:requests.bzl", "mirror_urls")
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
    "versions": {
        "3.9.0": _version("3.9.0", ["linux_x86_64"]),
        "3.13.0": _version("3.13.0", ["linux_x86_64", "macos_aarch64"]),
    },
}

def _module(name, versions, is_root = False, archive = [], local = [], mirror = []):
    return struct(
        name = name,
        is_root = is_root,
        tags = struct(
            archive = archive,
            local = local,
            mirror = mirror,
            toolchain = [struct(version = v) for v in versions],
        ),
    )

def _archive(kind = "compiler", platform = "linux_x86_64", version = "3.12.0", **kwargs):
    given = {
        "auth_patterns": {},
        "file": None,
        "filename": "",
        "netrc": "",
        "package": "",
        "sha256": "0123456789abcdef" * 4,
        "urls": ["https://example.com/a/wheel.whl"],
    } | kwargs
    return struct(kind = kind, platform = platform, version = version, **given)

def _mirror(*urls):
    return struct(urls = list(urls), netrc = "", auth_patterns = {})

def _plan(*modules):
    return plan(struct(
        modules = modules,
        path = lambda label: label,
        read = lambda path: json.encode(_TABLE),
    ), version = "3.9.0")

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
        ([request("a", "3.9.0"), request("b", "3.13.0")], "3.13.0"),
        ([request("b", "3.13.0"), request("a", "3.9.0")], "3.13.0"),
        ([request("root", "3.9.0", True), request("b", "3.13.0")], "3.9.0"),
        ([request("b", "3.13.0"), request("root", "3.9.0", True)], "3.9.0"),
    ]:
        asserts.equals(env, struct(version = want, error = None), choose_version(_TABLE, requests))

    unknown = choose_version(_TABLE, [request("m", "4.0.0")])
    asserts.equals(env, None, unknown.version)
    asserts.equals(env, "IREE_VERSION_UNKNOWN: m: IREE 4.0.0 is not in versions.json; it has 3.13.0, 3.9.0; the root module can bring others by iree.archive", unknown.error)
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
    asserts.equals(env, "3.13.0", _plan(_module("root", [], is_root = True), _module("dep", ["3.13.0"])).version)
    asserts.true(env, _plan(_module("root", ["1.0"], is_root = True)).error.startswith("IREE_VERSION_UNKNOWN"))
    return unittest.end(env)

plan_test = unittest.make(_plan_test_impl)

def _artifact_for_test_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, "runtime-3.13.0-macos_aarch64.whl", artifact_for(_TABLE, "3.13.0", "runtime", "macos_aarch64").filename)
    asserts.equals(env, None, artifact_for(_TABLE, "3.9.0", "runtime", "macos_aarch64"))
    return unittest.end(env)

artifact_for_test = unittest.make(_artifact_for_test_impl)

def _archives_test_impl(ctx):
    env = unittest.begin(ctx)

    # A version that the table lacks, for one platform.
    decided = _plan(_module("root", ["3.12.0"], is_root = True, archive = [
        _archive(),
        _archive("runtime", urls = [], package = "p", filename = "p-3.12.0.whl"),
    ]))
    asserts.equals(env, None, decided.error)
    asserts.equals(env, "3.12.0", decided.version)
    asserts.equals(env, None, decided.source)
    asserts.equals(env, [
        ("iree_compiler_linux_x86_64", "wheel.whl", "", ["https://example.com/a/wheel.whl"]),
        ("iree_runtime_linux_x86_64", "p-3.12.0.whl", "p", []),
    ], [(a.repo, a.filename, a.package, a.urls) for a in decided.artifacts])

    # Replaces one in the table; the others stay.
    decided = _plan(_module("root", ["3.13.0"], is_root = True, archive = [_archive(version = "3.13.0")]))
    asserts.equals(
        env,
        ["wheel.whl", "compiler-3.13.0-macos_aarch64.whl", "runtime-3.13.0-linux_x86_64.whl", "runtime-3.13.0-macos_aarch64.whl"],
        [a.filename for a in decided.artifacts],
    )
    asserts.equals(env, "0.3.13.0", decided.source["version"])

    # Those of other modules are ignored, even invalid ones.
    decided = _plan(
        _module("root", [], is_root = True),
        _module(
            "dep",
            ["3.13.0"],
            archive = [_archive(version = "3.13.0"), _archive(sha256 = "bad")],
            local = [struct(path = "/opt/iree", platform = "linux_x86_64", kinds = ["compiler"])],
            mirror = [_mirror("https://evil.example/{filename}")],
        ),
    )
    asserts.equals(env, None, decided.error)
    asserts.equals(env, None, decided.mirror)
    asserts.equals(env, [], [a for a in decided.artifacts if a.urls or a.local])

    # Nor can a dependency provide a version of its own.
    decided = _plan(_module("root", [], is_root = True), _module("dep", ["3.14.0"], archive = [_archive(version = "3.14.0")]))
    asserts.equals(
        env,
        "IREE_VERSION_UNKNOWN: dep: IREE 3.14.0 is not in versions.json; it has 3.13.0, 3.9.0; the root module can bring others by iree.archive",
        decided.error,
    )
    return unittest.end(env)

archives_test = unittest.make(_archives_test_impl)

def _bad_tags_test_impl(ctx):
    env = unittest.begin(ctx)
    hex = "0123456789abcdef" * 4
    for tags, want in [
        ([_archive(platform = "linux-amd64")], "IREE_ARCHIVE_PLATFORM: root: the compiler archive of 3.12.0: \"linux-amd64\" is not a platform; use one of linux_aarch64, "),
        ([_archive(sha256 = "abc")], "IREE_ARCHIVE_SHA256: root: the compiler archive of 3.12.0 for linux_x86_64: sha256 \"abc\" is not 64 "),
        ([_archive(sha256 = hex.upper())], "IREE_ARCHIVE_SHA256: root: "),
        ([_archive(sha256 = "")], "IREE_ARCHIVE_SHA256: root: "),
        ([_archive(urls = [])], "IREE_ARCHIVE_SOURCE: root: the compiler archive of 3.12.0 for linux_x86_64: it has no source; give one of "),
        ([_archive(package = "p", filename = "f")], "IREE_ARCHIVE_SOURCE: root: the compiler archive of 3.12.0 for linux_x86_64: it has package and urls; "),
        ([_archive(urls = [], package = "p")], "IREE_ARCHIVE_SOURCE: root: the compiler archive of 3.12.0 for linux_x86_64: package \"p\" needs "),
        ([_archive(), _archive(sha256 = "f" * 64)], "IREE_ARCHIVE_CONFLICT: the compiler for linux_x86_64 is given twice"),
        # Compiler and runtime of different versions.
        ([_archive(), _archive("runtime", version = "3.13.0")], "IREE_VERSION_SKEW: the runtime archive for linux_x86_64 is for IREE 3.13.0, but the build uses 3.12.0; "),
    ]:
        error = _plan(_module("root", ["3.12.0"], is_root = True, archive = tags)).error
        asserts.true(env, (error or "").startswith(want), "%s, want %s" % (error, want))

    # An archive without the tag that asks for its version.
    error = _plan(_module("root", [], is_root = True, archive = [_archive()])).error
    asserts.true(env, error.startswith("IREE_VERSION_SKEW: the compiler archive for linux_x86_64 is for IREE 3.12.0, but the build uses 3.9.0; "), error)

    # The same tool from two places.
    error = _plan(_module("root", ["3.12.0"], is_root = True, archive = [_archive()], local = [
        struct(path = "/opt/iree", platform = "linux_x86_64", kinds = ["compiler", "runtime"]),
    ])).error
    asserts.true(env, error.startswith("IREE_ARCHIVE_CONFLICT: the compiler for linux_x86_64"), error)
    return unittest.end(env)

bad_tags_test = unittest.make(_bad_tags_test_impl)

def _local_test_impl(ctx):
    env = unittest.begin(ctx)
    tag = struct(path = "/opt/iree", platform = "linux_x86_64", kinds = ["compiler", "runtime"])
    decided = _plan(_module("root", ["3.14.0"], is_root = True, local = [tag]))
    asserts.equals(env, None, decided.error)
    asserts.equals(env, "3.14.0", decided.version)
    asserts.equals(env, ["/opt/iree", "/opt/iree"], [a.local for a in decided.artifacts])
    asserts.true(env, "linux amd64: compiler: local:/opt/iree\n" in decided.hosts, decided.hosts)

    # Only one of the two.
    decided = _plan(_module("root", ["3.13.0"], is_root = True, local = [
        struct(path = "/opt/iree", platform = "linux_x86_64", kinds = ["runtime"]),
    ]))
    asserts.equals(env, [None, None, "/opt/iree", None], [a.local for a in decided.artifacts])

    error = _plan(_module("root", [], is_root = True, local = [struct(path = "/", platform = "host", kinds = [])])).error
    asserts.true(env, error.startswith("IREE_ARCHIVE_PLATFORM: root: local: \"host\" is not a platform"), error)
    return unittest.end(env)

local_test = unittest.make(_local_test_impl)

def _mirror_test_impl(ctx):
    env = unittest.begin(ctx)
    decided = _plan(_module("root", ["3.9.0"], is_root = True, mirror = [
        _mirror("https://m.example/{package}/{version}/{filename}", "https://n.example/{kind}/{platform}/{filename}"),
    ]))
    asserts.equals(env, [
        "https://m.example/p-compiler/3.9.0/compiler-3.9.0-linux_x86_64.whl",
        "https://n.example/compiler/linux_x86_64/compiler-3.9.0-linux_x86_64.whl",
    ], mirror_urls(decided.mirror, decided.artifacts[0], decided.version))
    asserts.equals(env, [], mirror_urls(None, decided.artifacts[0], decided.version))
    for urls in [["https://m.example/wheels"], ["https://m.example/{filename}/{hash}"], ["https://m.example/{filename}}"]]:
        error = _plan(_module("root", [], is_root = True, mirror = [_mirror(*urls)])).error
        asserts.true(env, error.startswith("IREE_MIRROR: root: \"%s\" is not a template; " % urls[0]), error)
    two = _plan(_module("root", [], is_root = True, mirror = [_mirror("https://m.example/{filename}")] * 2)).error
    asserts.true(env, two.startswith("IREE_MIRROR: root: there are 2 iree.mirror tags"), two)
    return unittest.end(env)

mirror_test = unittest.make(_mirror_test_impl)

def selection_test_suite(name):
    """The tests of this file.

    Args:
      name: of the suite.
    """
    unittest.suite(name, *[partial.make(t, size = "small") for t in [
        host_platform_test,
        choose_version_test,
        plan_test,
        artifact_for_test,
        archives_test,
        bad_tags_test,
        local_test,
        mirror_test,
    ]])
