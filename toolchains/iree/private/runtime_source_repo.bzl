"""IREE's runtime sources, from the crate that ships them, built into libireert.

The host's cargo fetches the crate (or a cargo from a Debian mirror, used only for the
fetch). A host that has neither gets a repository whose :library has no
file, and a warning: programs then run through the wheel's iree-run-module.
Bytes other than the pinned ones are always an error.
"""

load("//tools/repos:python.bzl", "find_python", "run_script", "try_script")

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

# IREE's driver for CUDA is compiled with NVIDIA's header of the driver API, which the
# wheel of CUDA's runtime has; the driver itself is loaded when a device is asked for.
# Collectives between devices would need more of CUDA's headers, of which theirs uses this.
_CUDA = "iree/third_party/cuda/"
_CUDA_RUNTIME = """\
// What NCCL's header needs of CUDA's runtime.
#pragma once
#include "cuda.h"
typedef CUstream cudaStream_t;
"""

def _fetch_cuda(rctx):
    """Fetches the header for the driver of CUDA; returns whether it is there."""
    pin = rctx.attr.cuda_headers
    if not pin or not rctx.os.name.lower().startswith("linux"):
        return False
    error = try_script(rctx, "pip_fetch.py", ["--out", "cuda"] + [
        word
        for name in ["package", "version", "filename", "sha256"]
        for word in ["--" + name, pin[name]]
    ])
    if error and error.split(":")[0] not in _OPTIONAL + ["FETCH_PIP_MISSING"]:
        fail(error)
    if error:
        # buildifier: disable=print
        print("libireert is built without a driver for CUDA: " + error)
        return False
    spec = {"files": {_CUDA + "cuda.h": {"parts": [["cuda/" + pin["filename"], "nvidia/cuda_runtime/include/cuda.h"]], "sha256": ""}}}
    rctx.file("spec.json", json.encode(spec), executable = False)
    run_script(rctx, "extract_members.py", ["spec.json", "."])
    rctx.delete("spec.json")
    rctx.delete("cuda")
    rctx.file(_CUDA + "cuda_runtime.h", _CUDA_RUNTIME, executable = False)
    for name in ["cuda_bf16.h", "cuda_fp16.h"]:
        rctx.file(_CUDA + name, "#pragma once\n", executable = False)
    return True

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
    cuda = _fetch_cuda(rctx)
    shim = Label("//toolchains/iree/runtime:BUILD.bazel")
    rctx.template("BUILD.bazel", Label("//toolchains/iree/private:runtime.BUILD.tpl"), {
        "{cuda}": repr(cuda),
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
        "cuda_headers": attr.string_dict(doc = "The wheel that has cuda.h: package, version, filename, sha256. Empty for a library without a driver for CUDA."),
    },
    environ = ["CARGO_HOME", "SKAINET_PYTHON"],
)
