"""Python packages to run beside ours: peers of benchmarks, references of tests.

They run on the host's own Python, so a lock file is for one version of it on
one platform; on another the targets that use the repository fail with
FETCH_PYTHON_VERSION. Tag such targets `manual`.
"""

load(":python.bzl", "fetch_attrs", "run_script")

_BUILD = """\
package(default_visibility = ["//visibility:public"])

# One script that runs Python with the packages, which come along as runfiles.
filegroup(
    name = "python",
    srcs = ["python.sh"],
    data = glob(["site/**"]),
)
"""

def _pip_packages_impl(rctx):
    run_script(rctx, "pip_packages.py", [
        "--lock",
        rctx.path(rctx.attr.lock),
        "--python",
        rctx.attr.python,
        "--platform",
        rctx.attr.platform,
        "--out",
        ".",
    ])
    rctx.file("BUILD.bazel", _BUILD, executable = False)
    return None

pip_packages = repository_rule(
    implementation = _pip_packages_impl,
    doc = """Unpacked wheels, and `:python`, a script that runs the host's Python with them.

Only what the lock file lists is there: it names dependencies too.""",
    attrs = {
        "lock": attr.label(allow_single_file = True, mandatory = True, doc = "A requirements file: `name==version --hash=sha256:HEX`."),
        "platform": attr.string(default = "linux x86_64", doc = "The operating system and the processor that its wheels are for."),
        "python": attr.string(mandatory = True, doc = "The version of Python that its wheels are for, such as 3.11."),
    } | fetch_attrs(["pip_packages.py", "pip_fetch.py", "apt_fetch.py", "report.py"]),
)
