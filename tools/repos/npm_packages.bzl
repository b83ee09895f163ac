"""npm packages that a build runs with Node.js: of a lock file, without their scripts."""

load(":download.bzl", "download", "download_attrs", "pin")
load(":python.bzl", "run_script")

_BUILD = """\
package(default_visibility = ["//visibility:public"])

# The packages, in node_modules/.
filegroup(
    name = "modules",
    srcs = glob(["node_modules/**"]),
)

exports_files(["package.json"])
"""

def _npm_packages_impl(rctx):
    arguments = ["--json", rctx.path(rctx.attr.package), "--lock", rctx.path(rctx.attr.lock), "--out", "."]
    if not rctx.which("npm"):
        # Node's wheel has an npm, for a host without one.
        row = json.decode(rctx.attr.npm)
        download(rctx, pin("pypi", row["package"], row["version"], row["filename"], row["sha256"]), "npm")
        arguments += ["--wheel", "npm/" + row["filename"]]
    run_script(rctx, "npm_packages.py", arguments)
    rctx.delete("npm")
    rctx.file("BUILD.bazel", _BUILD, executable = False)
    return None

npm_packages = repository_rule(
    implementation = _npm_packages_impl,
    doc = """The packages of a package-lock.json, as `:modules`.

npm fetches them, with the host's registry, proxies and credentials, and checks the hash that the
lock file has of each. No script of a package is run.""",
    attrs = {
        "lock": attr.label(allow_single_file = True, mandatory = True, doc = "package-lock.json, each package with its hash."),
        "npm": attr.string(mandatory = True, doc = "JSON: package, version, filename and sha256 of the wheel whose npm is used where the host has none; it must be for this host."),
        "package": attr.label(allow_single_file = True, mandatory = True, doc = "package.json."),
    } | download_attrs(["npm_packages.py"]),
)
