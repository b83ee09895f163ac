"""Unit tests of what the `xla` extension decides, with a fake module context."""

load("@bazel_skylib//lib:partial.bzl", "partial")
load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
load("//toolchains/xla:extensions.bzl", "plan")
load("//toolchains/xla:targets.bzl", "NOT_RUN", "NO_PLUGIN", "RUN", "XLA_TARGETS", "plugin_kind")

# buildifier: disable=bzl-visibility
load("//toolchains/xla/private:selection.bzl", "KINDS", "plugin_lines")

_TABLE = {
    "cpu": {"linux_x86_64": {"filename": "c.whl", "sha256": "1"}},
    "cuda12": {"linux_x86_64": {"filename": "g.whl", "sha256": "2"}},
}

def _local(kind, path, platform = "linux_x86_64"):
    return struct(kind = kind, path = path, platform = platform)

def _module(*locals, is_root = True):
    return struct(name = "m", is_root = is_root, tags = struct(local = locals))

def _plan(*modules):
    return plan(struct(modules = modules, path = lambda label: label, read = lambda path: json.encode(_TABLE)))

def _table_test_impl(ctx):
    env = unittest.begin(ctx)
    got = _plan(_module())
    asserts.equals(env, None, got.error)
    asserts.equals(env, ["xla_plugin_cpu_linux_x86_64", "xla_plugin_cuda12_linux_x86_64"], [r.repo for r in got.rows])
    asserts.true(env, "target_settings = [\"%s\"]" % Label("//toolchains/xla:is_cuda12") in got.hub, got.hub)
    asserts.true(env, "[\"@platforms//os:linux\", \"@platforms//cpu:x86_64\"]" in got.hub, got.hub)
    return unittest.end(env)

_table_test = unittest.make(_table_test_impl)

# A plugin of the root module is added, or takes the place of a row; others' are ignored.
def _local_test_impl(ctx):
    env = unittest.begin(ctx)
    got = _plan(_module(_local("tpu", "/opt/libtpu.so"), _local("cpu", "own.so")), _module(_local("rocm", "x"), is_root = False))
    asserts.equals(env, None, got.error)
    asserts.equals(env, {"cpu": "own.so", "cuda12": "", "tpu": "/opt/libtpu.so"}, {r.kind: r.path for r in got.rows})
    lines = "cpu linux_x86_64: own.so\ncuda12 linux_x86_64: g.whl sha256:2\ntpu linux_x86_64: /opt/libtpu.so\n"
    asserts.equals(env, lines, plugin_lines(got.rows))
    twice = _plan(_module(_local("cpu", "a.so"), _local("cpu", "b.so")))
    asserts.equals(env, "XLA_LOCAL: b.so: a second xla.local for cpu on linux_x86_64; keep one", twice.error)
    return unittest.end(env)

_local_test = unittest.make(_local_test_impl)

def _targets_test_impl(ctx):
    """Each row has plugins, and each kind of plugin is of one row."""
    env = unittest.begin(ctx)
    seen = []
    for name, row in XLA_TARGETS.items():
        asserts.equals(env, "xla_" + row.platform, name)
        asserts.true(env, row.doc != "", name)
        asserts.true(env, row.tested in [RUN, NOT_RUN], name)
        asserts.true(env, row.tested == NOT_RUN or row.pinned, name)
        seen += row.kinds
    asserts.equals(env, KINDS, sorted(seen))
    asserts.equals(env, NO_PLUGIN, plugin_kind(XLA_TARGETS["xla_cuda"], "cpu"))
    asserts.equals(env, "cuda12", plugin_kind(XLA_TARGETS["xla_cuda"], "cuda12"))
    asserts.equals(env, "cuda13", plugin_kind(XLA_TARGETS["xla_cuda"], "cuda13"))
    asserts.equals(env, "cpu", plugin_kind(XLA_TARGETS["xla_cpu"], "cuda13"))
    return unittest.end(env)

_targets_test = unittest.make(_targets_test_impl)

def selection_tests(name):
    """Declares the tests as a suite.

    Args:
      name: of the suite.
    """
    unittest.suite(
        name,
        partial.make(_table_test, size = "small"),
        partial.make(_local_test, size = "small"),
        partial.make(_targets_test, size = "small"),
    )
