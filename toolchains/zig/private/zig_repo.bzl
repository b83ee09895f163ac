"""Fetches zig's wheel and declares its C toolchains.

Only the parts of its library that the rows of targets.bzl use are kept.
"""

load("//toolchains/zig:targets.bzl", "ANDROID_LIBRARIES", "ZIG_TARGETS")
load("//tools/repos:download.bzl", "download", "download_attrs", "pin")

# Other systems' C libraries, and parts that only the Zig language uses.
_DROPPED = [
    "build-web",
    "docs",
    "fuzzer.zig",
    "init",
    "libc/freebsd",
    "libc/mingw",
    "libc/netbsd",
    "libc/openbsd",
    "libc/wasi",
    "libtsan",
    "lldb",
]

# zig locates its library relative to its own resolved path, which leads out of a sandbox, and keeps
# its cache in the user's home. Both are set here.
_WRAPPER = """\
#!/bin/sh
set -eu
here=${{0%/*}}
cache=$(mktemp -d "${{TMPDIR:-/tmp}}/zig.XXXXXXXX")
trap 'rm -rf "$cache"' EXIT
ZIG_LIB_DIR=$here/lib ZIG_GLOBAL_CACHE_DIR=$cache ZIG_LOCAL_CACHE_DIR=$cache "$here/zig" {command} "$@"
"""

_BUILD = """\
load("{macros}", "zig_cc_toolchains")

package(default_visibility = ["//visibility:public"])

exports_files(["zig"])

zig_cc_toolchains(
    name = "toolchains",
    version = "{version}",
)
"""

def _fetched(rctx):
    download(rctx, pin("pypi", "ziglang", rctx.attr.version, rctx.attr.filename, rctx.attr.sha256))

    # extract() infers the format from the file extension.
    rctx.symlink(rctx.attr.filename, "wheel.zip")
    rctx.extract("wheel.zip", stripPrefix = "ziglang")
    rctx.delete("wheel.zip")
    rctx.delete(rctx.attr.filename)
    for name in _DROPPED:
        rctx.delete("lib/" + name)
    used = {h.rpartition("/")[2]: True for t in ZIG_TARGETS.values() for h in t.headers}
    for folder in rctx.path("lib/libc/include").readdir():
        if folder.basename not in used:
            rctx.delete(folder)

def _local(rctx, folder):
    done = rctx.execute([folder + "/zig", "version"])
    if done.return_code or done.stdout.strip() != rctx.attr.version:
        fail("ZIG_LOCAL: SKAINET_ZIG=%s: its zig reports version %r, want %s; unpack that release there, or unset SKAINET_ZIG to fetch the wheel" %
             (folder, (done.stdout + done.stderr).strip(), rctx.attr.version))
    for name in ["lib", "zig"]:
        rctx.symlink(folder + "/" + name, name)

# What a program is linked with in place of Android's libraries: their names and those of
# their symbols, without code.
_STUB = """\
#define FUNCTION(name) void name(void) {{}}
#define VARIABLE(name) void* name;
{symbols}
"""

def _android_libraries(rctx):
    libraries = {}
    for line in rctx.read(rctx.attr._android).split("\n"):
        words = [w for w in line.split(" ") if w]
        if not words or words[0].startswith("#"):
            continue
        library, _, kind, symbol = words
        libraries.setdefault(library, []).append("%s(%s)" % (kind.upper(), symbol))
    row = ZIG_TARGETS["aarch64-linux-android"]
    for library, symbols in libraries.items():
        rctx.file("stub.c", _STUB.format(symbols = "\n".join(symbols)), executable = False)
        out = "%s/%s" % (ANDROID_LIBRARIES, library)
        rctx.file(out, "", executable = False)
        done = rctx.execute(["./cc", "-target", row.zig, "-shared", "-nostdlib", "-fno-builtin", "-w", "-g0", "-Wl,-soname," + library, "-o", out, "stub.c"])
        if done.return_code:
            fail("ZIG_ANDROID: %s: zig makes no library of the symbols in %s: %s" % (library, rctx.attr._android, done.stderr.strip()))
    rctx.delete("stub.c")

def _zig_impl(rctx):
    folder = rctx.getenv("SKAINET_ZIG")
    if folder:
        _local(rctx, folder)
    else:
        _fetched(rctx)
    for tool in ["cc", "ar"]:
        rctx.file(tool, _WRAPPER.format(command = tool))
    _android_libraries(rctx)
    rctx.file("BUILD.bazel", _BUILD.format(
        macros = str(Label("//toolchains/zig/private:cc_toolchains.bzl")),
        version = rctx.attr.version,
    ), executable = False)
    return None

zig_wheel = repository_rule(
    implementation = _zig_impl,
    doc = """zig for one machine, from its wheel, with a cc_toolchain for each target under its name.

SKAINET_ZIG names a folder with `zig` and `lib` to use instead, for a host
whose package index lacks the wheel.""",
    attrs = {
        "filename": attr.string(mandatory = True, doc = "The wheel's file name."),
        "sha256": attr.string(mandatory = True, doc = "The wheel's sha256."),
        "version": attr.string(mandatory = True, doc = "The version of zig."),
        "_android": attr.label(default = "//toolchains/zig/android:symbols.txt", doc = "The symbols of Android's libraries."),
    } | download_attrs(),
    environ = ["SKAINET_ZIG"],
)
