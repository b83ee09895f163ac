"""Fetches a plugin's wheel, or links to one on the machine, and declares its toolchain."""

load("//tools/repos:download.bzl", "download", "download_attrs", "pin")

_BUILD = """\
load("{rules}", "xla_plugin_toolchain")

package(default_visibility = ["//visibility:public"])

xla_plugin_toolchain(
    name = "toolchain",
    kind = "{kind}",
    licences = glob(["**/licenses/**", "**/LICENSE*", "**/*NOTICES*"], allow_empty = True),
    plugin = "{plugin}",
    version = "{version}",
)
"""

_ATTRS = {
    "kind": attr.string(mandatory = True, doc = "The devices, such as cpu or cuda12."),
    "version": attr.string(doc = "The version of the package; empty for a local plugin."),
}

def _write(rctx, plugin):
    rctx.file("BUILD.bazel", _BUILD.format(
        rules = str(Label("//toolchains/xla:toolchain.bzl")),
        kind = rctx.attr.kind,
        plugin = plugin,
        version = rctx.attr.version,
    ), executable = False)

def _wheel_impl(rctx):
    download(rctx, pin("pypi", rctx.attr.package, rctx.attr.version, rctx.attr.filename, rctx.attr.sha256))

    # extract() infers the format from the file extension. The wheel's folders are kept: a
    # plugin for GPUs looks for libraries in folders next to its own.
    rctx.symlink(rctx.attr.filename, "unpack.me.zip")
    rctx.extract("unpack.me.zip")
    if not rctx.path(rctx.attr.library).exists:
        fail("XLA_WHEEL: %s: the wheel has no %s; correct plugins.json" % (rctx.attr.filename, rctx.attr.library))
    rctx.delete("unpack.me.zip")
    rctx.delete(rctx.attr.filename)
    _write(rctx, rctx.attr.library)
    return None

xla_wheel = repository_rule(
    implementation = _wheel_impl,
    doc = "A plugin from a wheel, checked by sha256, with its toolchain as :toolchain.",
    attrs = _ATTRS | {
        "package": attr.string(mandatory = True, doc = "The name of the Python package."),
        "filename": attr.string(mandatory = True, doc = "The wheel's file name."),
        "sha256": attr.string(mandatory = True, doc = "The wheel's sha256."),
        "library": attr.string(mandatory = True, doc = "The plugin's path in the wheel."),
    } | download_attrs(),
)

def _local_impl(rctx):
    path = rctx.attr.path
    plugin = rctx.path(path) if path.startswith("/") else rctx.workspace_root.get_child(*path.split("/"))
    if not plugin.exists:
        fail("XLA_LOCAL: %s: no such file; name a plugin of the PJRT C API" % path)
    rctx.symlink(plugin, plugin.basename)
    _write(rctx, plugin.basename)
    return None

xla_local = repository_rule(
    implementation = _local_impl,
    doc = "Links to a plugin on the machine, with its toolchain as :toolchain.",
    local = True,
    attrs = _ATTRS | {
        "path": attr.string(mandatory = True, doc = "Its path: absolute, or relative to the workspace."),
    },
)

def _hub_impl(rctx):
    rctx.file("BUILD.bazel", rctx.attr.build_file_text, executable = False)
    rctx.file("plugins.txt", rctx.attr.plugins, executable = False)
    return None

xla_hub = repository_rule(
    implementation = _hub_impl,
    doc = "A repository whose only targets are toolchain()s: a plugin is fetched when one is used.",
    attrs = {
        "build_file_text": attr.string(mandatory = True, doc = "The BUILD file."),
        "plugins": attr.string(mandatory = True, doc = "What would be fetched, a line for each plugin."),
    },
)
