"""Fetches one of IREE's wheels and declares its toolchain.

Only the parts of the wheel that the toolchain needs are kept: the executables, the
compiler's library, ROCm's bitcode.
"""

load("@bazel_tools//tools/build_defs/repo:utils.bzl", "get_auth")
load("//tools/repos:download.bzl", "download", "download_attrs", "pin")
load(":selection.bzl", "host_platform")

_COMPILER_BUILD = """\
load("{rules}", "iree_compiler_toolchain")

package(default_visibility = ["//visibility:public"])

exports_files(glob(["bin/**"]))

filegroup(
    name = "rocm",
    srcs = glob(["bin/iree_platform_libs/rocm/*.bc"], allow_empty = True),
)

iree_compiler_toolchain(
    name = "toolchain",
    data = ":rocm",
    iree_compile = "bin/iree-compile{exe}",
    iree_lld = "bin/iree-lld{exe}",
    iree_opt = "bin/iree-opt{exe}",
    library = "bin/{library}",
    version = "{version}",
)
"""

_RUNTIME_BUILD = """\
load("{rules}", "iree_runtime_toolchain")

package(default_visibility = ["//visibility:public"])

exports_files(glob(["bin/**"]))

iree_runtime_toolchain(
    name = "toolchain",
    iree_benchmark_module = "bin/iree-benchmark-module{exe}",
    iree_convert_parameters = "bin/iree-convert-parameters{exe}",
    iree_create_parameters = "bin/iree-create-parameters{exe}",
    iree_dump_module = "bin/iree-dump-module{exe}",
    iree_dump_parameters = "bin/iree-dump-parameters{exe}",
    iree_profile = {profile},
    iree_run_module = "bin/iree-run-module{exe}",
    library = {library},
    version = "{version}",
)
"""

TOOLCHAIN_ATTRS = {
    "kind": attr.string(values = ["compiler", "runtime"], mandatory = True, doc = "Which of the two toolchains."),
    "platform": attr.string(mandatory = True, doc = "The platform key, such as linux_x86_64."),
    "version": attr.string(mandatory = True, doc = "The version of IREE."),
    "source": attr.string(mandatory = True, doc = "The label of libireert, for the runtime."),
}

# The folder of the tools inside the wheel, by kind.
FOLDERS = {
    "compiler": "iree/compiler/_mlir_libs",
    "runtime": "iree/_runtime_libs",
}

LIBRARIES = {
    "linux": "libIREECompiler.so",
    "macos": "libIREECompiler.dylib",
    "windows": "IREECompiler.dll",
}

def _keep(name):
    """Returns whether a toolchain uses a file of the tools' folder."""
    return name.startswith("iree-") or name.startswith("iree_platform_libs") or name in LIBRARIES.values()

def _fetch(rctx):
    """Downloads the wheel into the repository's folder and checks its sha256."""
    urls = rctx.attr.urls
    if rctx.attr.file:
        urls = ["file://" + str(rctx.path(rctx.attr.file))]
    if urls:
        # Bazel itself warns about each location that fails, and why.
        done = rctx.download(
            url = urls,
            output = rctx.attr.filename,
            sha256 = rctx.attr.sha256,
            auth = get_auth(rctx, urls),
            allow_fail = True,
        )
        if not done.success:
            fail(("IREE_DOWNLOAD: %s: no location has %s with the sha256 %s; tried %s, from iree.archive or iree.mirror in the root module's MODULE.bazel: " +
                  "the warnings above show each response") %
                 (rctx.name, rctx.attr.filename, rctx.attr.sha256, ", ".join(urls)))
        return
    download(rctx, pin("pypi", rctx.attr.package, rctx.attr.version, rctx.attr.filename, rctx.attr.sha256))

def _wheel_impl(rctx):
    _fetch(rctx)

    # extract() infers the format from the file extension.
    rctx.symlink(rctx.attr.filename, "unpack.me.zip")
    rctx.extract("unpack.me.zip", output = "bin", stripPrefix = FOLDERS[rctx.attr.kind])
    for entry in rctx.path("bin").readdir():
        if not _keep(entry.basename):
            rctx.delete(entry)
    rctx.delete("unpack.me.zip")
    rctx.delete(rctx.attr.filename)

    write_toolchain(rctx)
    return None

def write_toolchain(rctx):
    """Declares the toolchain over the tools in bin/.

    Args:
      rctx: the context of a repository rule with kind, platform, version and source.
    """
    os = rctx.attr.platform.partition("_")[0]
    native = host_platform(rctx.os.name, rctx.os.arch) == rctx.attr.platform
    text = _COMPILER_BUILD if rctx.attr.kind == "compiler" else _RUNTIME_BUILD
    exe = ".exe" if os == "windows" else ""
    profile = "bin/iree-profile" + exe
    rctx.file("BUILD.bazel", text.format(
        rules = str(Label("//toolchains/iree:toolchain.bzl")),
        exe = exe,
        profile = '"%s"' % profile if rctx.path(profile).exists else "None",
        version = rctx.attr.version,
        # libireert is asked for where programs run, which is this platform.
        library = LIBRARIES[os] if rctx.attr.kind == "compiler" else (
            '"%s"' % rctx.attr.source if native and os == "linux" else "None"
        ),
    ), executable = False)

iree_wheel = repository_rule(
    implementation = _wheel_impl,
    doc = """One wheel of IREE, checked by sha256, with its toolchain as :toolchain.

It comes from `file`, from `urls`, or through the host's pip, whichever is given first.""",
    attrs = TOOLCHAIN_ATTRS | {
        "package": attr.string(doc = "The name of the Python package."),
        "file": attr.label(doc = "The wheel, if it is in a workspace."),
        "urls": attr.string_list(doc = "Where to download the wheel."),
        "netrc": attr.string(doc = "The .netrc file with logins; the user's own by default."),
        "auth_patterns": attr.string_dict(doc = "Headers by host, as in http_archive."),
        "filename": attr.string(mandatory = True, doc = "The wheel's file name."),
        "sha256": attr.string(mandatory = True, doc = "The wheel's sha256."),
    } | download_attrs(),
    environ = ["NETRC"],
)
