"""IREE's runtime sources, from the crate that ships them, built into libireert.

The host's cargo fetches the crate (or a cargo from a Debian mirror, used only for the
fetch). A host that has neither gets a repository whose :library has no
file, and a warning: programs then run through the wheel's iree-run-module.
Bytes other than the pinned ones are always an error.
"""

load("//tools/repos:python.bzl", "find_python", "try_script")

# Errors of the host, not of the pin: the build continues without the library.
_OPTIONAL = ["FETCH_CARGO_MISSING", "FETCH_OFFLINE", "FETCH_NOT_FOUND"]

_ABSENT = """\
# {error}
load("@rules_cc//cc:defs.bzl", "cc_library")

package(default_visibility = ["//visibility:public"])

filegroup(name = "library")

[
    cc_library(
        name = name,
        target_compatible_with = ["@platforms//:incompatible"],
    )
    for name in ["executable_library", "ireert_local", "ireert_shared"]
]
"""

def _source_impl(rctx):
    if not rctx.attr.crate:
        rctx.file("BUILD.bazel", _ABSENT.format(error = "No sources are known for IREE " + rctx.attr.version), executable = False)
        return None
    error = try_script(rctx, "crate_fetch.py", [
        "--crate",
        rctx.attr.crate,
        "--version",
        rctx.attr.version,
        "--sha256",
        rctx.attr.sha256,
        "--out",
        "crate",
    ])
    if error and error.split(":")[0] in _OPTIONAL:
        # buildifier: disable=print
        print("libireert is not built, programs will run through iree-run-module: " + error)
        rctx.file("BUILD.bazel", _ABSENT.format(error = error.replace("\n", " ")), executable = False)
        return None
    if error:
        fail(error)
    script = rctx.path(Label("//toolchains/iree/private:prepare_runtime.py"))
    done = rctx.execute([find_python(rctx), "-B", script, "crate/" + rctx.attr.crate, "."])
    if done.return_code:
        fail("IREE_RUNTIME_SOURCE: %s %s: %s; the crate's layout is not the one that the version table expects" %
             (rctx.attr.crate, rctx.attr.version, done.stderr.strip()))
    rctx.delete("crate")
    shim = Label("//toolchains/iree/runtime:BUILD.bazel")
    rctx.template("BUILD.bazel", Label("//toolchains/iree/private:runtime.BUILD.tpl"), {
        "{root}": "external/" + rctx.name,
        "{shim}": str(shim).removesuffix(":BUILD.bazel"),
        "{shim_root}": shim.workspace_root,
        "{sources}": str(Label("//toolchains/iree/private:runtime_sources.bzl")),
    }, executable = False)
    return None

iree_runtime_source = repository_rule(
    implementation = _source_impl,
    doc = "IREE's runtime sources; :library is libireert, or no file if cargo is not available.",
    attrs = {
        "crate": attr.string(doc = "The crate that ships the sources; empty for a version without known sources."),
        "version": attr.string(mandatory = True, doc = "The crate's version."),
        "sha256": attr.string(doc = "The sha256 of the .crate file."),
    },
    environ = ["CARGO_HOME", "SKAINET_PYTHON"],
)
