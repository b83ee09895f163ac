"""IREE's runtime sources, from the crate that ships them, built into libireert.

A version of IREE without known sources gets a repository whose :library has no
file: programs then run through the wheel's iree-run-module. So does a host that
sets SKAINET_IREERT=none, because its mirrors have no crates. Nothing else does:
what a build gives must not depend on what a host happens to reach.
"""

load("//tools/repos:download.bzl", "download", "download_attrs", "pin")
load("//tools/repos:python.bzl", "find_python", "run_script")

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
    """Fetches the header for the driver of CUDA; returns whether the library has that driver."""
    header = rctx.attr.cuda_headers
    if not header:
        return False
    download(rctx, pin("pypi", header["package"], header["version"], header["filename"], header["sha256"]), "cuda")
    spec = {"files": {_CUDA + "cuda.h": {"parts": [["cuda/" + header["filename"], "nvidia/cuda_runtime/include/cuda.h"]], "sha256": ""}}}
    rctx.file("spec.json", json.encode(spec), executable = False)
    run_script(rctx, "extract_members.py", ["spec.json", "."])
    rctx.delete("spec.json")
    rctx.delete("cuda")
    rctx.file(_CUDA + "cuda_runtime.h", _CUDA_RUNTIME, executable = False)
    for name in ["cuda_bf16.h", "cuda_fp16.h"]:
        rctx.file(_CUDA + name, "#pragma once\n", executable = False)
    return True

def _source_impl(rctx):
    absent = None
    if not rctx.attr.crate:
        absent = "No sources are known for IREE " + rctx.attr.version
    elif rctx.getenv("SKAINET_IREERT") == "none":
        absent = "SKAINET_IREERT=none"
    if absent:
        rctx.file("BUILD.bazel", _ABSENT.format(error = absent), executable = False)
        return None
    name = "%s-%s" % (rctx.attr.crate, rctx.attr.version)
    download(rctx, pin("crates", rctx.attr.crate, rctx.attr.version, name + ".crate", rctx.attr.sha256))

    # extract() infers the format from the file extension.
    rctx.symlink(name + ".crate", "crate.tar.gz")
    rctx.extract("crate.tar.gz", output = "crate", stripPrefix = name)
    rctx.delete("crate.tar.gz")
    rctx.delete(name + ".crate")
    script = rctx.path(Label("//toolchains/iree/private:prepare_runtime.py"))
    done = rctx.execute([find_python(rctx), "-B", script, "crate", "."])
    if done.return_code:
        fail("IREE_RUNTIME_SOURCE: %s %s: %s; the crate's layout is not the one that the version table expects" %
             (rctx.attr.crate, rctx.attr.version, done.stderr.strip()))
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
    doc = "IREE's runtime sources; :library is libireert, or no file for a version without known sources.",
    attrs = {
        "crate": attr.string(doc = "The crate that ships the sources; empty for a version without known sources."),
        "version": attr.string(mandatory = True, doc = "The crate's version."),
        "sha256": attr.string(doc = "The sha256 of the .crate file."),
        "cuda_headers": attr.string_dict(doc = "The wheel that has cuda.h: package, version, filename, sha256. Empty for a library without a driver for CUDA."),
    } | download_attrs(["extract_members.py"]),
)
