"""Python packages to run beside ours: peers of benchmarks, references of tests.

They run on the host's own Python, so a lock file is for one version of it on
one platform. On another the targets that use the repository fail with
FETCH_PYTHON_VERSION; tag such targets `manual`. Those of an `optional`
repository are incompatible with every platform there, and the build says why:
`bazel test //...` skips their tests, which are refused when named.
"""

load(":python.bzl", "fetch_attrs", "run_script", "try_script")

_BUILD = """\
package(default_visibility = ["//visibility:public"])

# One script that runs Python with the packages, which come along as runfiles.
filegroup(
    name = "python",
    srcs = ["python.sh"],
    data = glob(["site/**"], allow_empty = True),
    target_compatible_with = {compatible},
)
"""

def _pip_packages_impl(rctx):
    arguments = [
        "--lock",
        rctx.path(rctx.attr.lock),
        "--python",
        rctx.attr.python,
        "--platform",
        rctx.attr.platform,
        "--out",
        ".",
    ]
    error = None
    if rctx.attr.optional:
        error = try_script(rctx, "pip_packages.py", arguments)
        if error and not error.startswith("FETCH_PYTHON_VERSION:"):
            fail(error)
    else:
        run_script(rctx, "pip_packages.py", arguments)
    if error:
        # buildifier: disable=print
        print("tests that need @%s are skipped on this host: %s" % (rctx.original_name, error))
        rctx.file("python.sh", "#!/bin/sh\nexit 1\n")
    rctx.file("BUILD.bazel", _BUILD.format(
        compatible = repr(["@platforms//:incompatible"] if error else []),
    ), executable = False)
    return None

pip_packages = repository_rule(
    implementation = _pip_packages_impl,
    doc = """Unpacked wheels, and `:python`, a script that runs the host's Python with them.

Only what the lock file lists is there: it names dependencies too.""",
    attrs = {
        "lock": attr.label(allow_single_file = True, mandatory = True, doc = "A requirements file: `name==version --hash=sha256:HEX`."),
        "optional": attr.bool(doc = "Whether another Python or platform is not an error but makes the targets incompatible."),
        "platform": attr.string(default = "linux x86_64", doc = "The operating system and the processor that its wheels are for."),
        "python": attr.string(mandatory = True, doc = "The version of Python that its wheels are for, such as 3.11."),
    } | fetch_attrs(["pip_packages.py", "pip_fetch.py", "apt_fetch.py", "report.py"]),
)
