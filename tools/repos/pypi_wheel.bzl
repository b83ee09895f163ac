"""One archive of a Python package as it is, for programs that read many files of it.

As with archive_files nothing of it is run, installed or imported.
"""

load(":download.bzl", "download", "download_attrs", "pin")

_BUILD = """\
package(default_visibility = ["//visibility:public"])

exports_files({names})

filegroup(
    name = "files",
    srcs = {names},
)
"""

def _pypi_wheel_impl(rctx):
    download(rctx, pin("pypi", rctx.attr.package, rctx.attr.version, rctx.attr.filename, rctx.attr.sha256))
    rctx.file("BUILD.bazel", _BUILD.format(names = repr([rctx.attr.filename])), executable = False)
    return None

pypi_wheel = repository_rule(
    implementation = _pypi_wheel_impl,
    doc = """An archive of a Python package as a source file and as `:files`.

A failure has a code: FETCH_HASH_MISMATCH for other bytes than the pinned ones,
FETCH_OFFLINE, FETCH_PIP_MISSING and so on (report.py).""",
    attrs = {
        "filename": attr.string(mandatory = True, doc = "The archive's file name."),
        "package": attr.string(mandatory = True, doc = "The package's name."),
        "sha256": attr.string(mandatory = True, doc = "The archive's sha256."),
        "version": attr.string(mandatory = True, doc = "The package's version."),
    } | download_attrs(),
)
