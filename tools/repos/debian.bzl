"""Tools for tests alone, unpacked from the host's own distribution.

They are fetched through the host's apt when a test needs them. A host that
is not Debian-like, or whose sources lack the packages, gets a repository
whose targets are incompatible with every platform: their tests are skipped
by `bazel test //...` and refused with a reason when named.
"""

load(":python.bzl", "fetch_attrs", "run_script", "try_script")

_UNAVAILABLE = ["FETCH_APT_MISSING", "FETCH_NOT_FOUND"]

_BUILD = """\
load("{rules}", "tool_environment")

package(default_visibility = ["//visibility:public"])

exports_files(["env.json"])

filegroup(
    name = "files",
    srcs = glob(["*/root/**"], allow_empty = True) + ["env.json"],
    target_compatible_with = {compatible},
)

# What there is of them: nothing on another host.
filegroup(
    name = "tree",
    srcs = glob(["*/root/**"], allow_empty = True),
)

# Runs a command in this environment: `bazel run --run_under=@REPO//:exec TARGET`.
sh_binary(
    name = "exec",
    srcs = ["exec.sh"],
    data = [":files"],
    target_compatible_with = {compatible},
)

tool_environment(
    name = "env",
    anchor = "env.json",
    files = ":files",
    prefix = {prefix},
    target_compatible_with = {compatible},
    variables = {variables},
)
"""

_EXEC = """\
#!/bin/sh
# Runs "$@" with the tools that lie beside this script.
here=$(cd "$(dirname "$0")" && pwd)
[ -e "$here/env.json" ] || here=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
{exports}exec {prefix}"$@"
"""

def _debian_tools_impl(rctx):
    error = None
    for folder in rctx.attr.trees:
        tree = json.decode(rctx.attr.trees[folder])
        arguments = ["--out", folder, "--keep", tree["keep"]]
        if tree.get("arch"):
            arguments += ["--arch", tree["arch"]]
        if tree.get("suite"):
            arguments += ["--suite", tree["suite"]]
        if tree.get("closure"):
            arguments += ["--closure", "--skip", tree["skip"]]
        error = try_script(rctx, "apt_fetch.py", arguments + tree["packages"])
        if error:
            break
    if error and error.split(":")[0] not in _UNAVAILABLE:
        fail(error)
    if not error and rctx.attr.finish:
        run_script(rctx, rctx.attr.finish, ["."])
    if error:
        # buildifier: disable=print
        print("tests that need @%s are skipped on this host: %s" % (rctx.original_name, error))
    rctx.file("env.json", json.encode_indent({
        "available": not error,
        "variables": rctx.attr.variables,
        "prefix": rctx.attr.prefix,
    }) + "\n", executable = False)
    rctx.file("exec.sh", _EXEC.format(
        exports = "".join(["export %s=\"%s\"\n" % (k, v.replace("{root}", "$here")) for k, v in rctx.attr.variables.items()]),
        prefix = "".join(["\"%s\" " % p.replace("{root}", "$here") for p in rctx.attr.prefix]),
    ))
    rctx.file("BUILD.bazel", _BUILD.format(
        rules = str(Label("//tools/repos:environment.bzl")),
        compatible = repr(["@platforms//:incompatible"] if error else []),
        prefix = repr(rctx.attr.prefix),
        variables = repr(rctx.attr.variables),
    ), executable = False)
    return None

debian_tools = repository_rule(
    implementation = _debian_tools_impl,
    doc = """Trees of unpacked Debian packages with the environment that their use needs.

`:files` is all of it, `:env` a ToolEnvironmentInfo, `:exec` a script that runs
a command in the environment, `env.json` the same as data: `available`,
`variables` and the words `prefix` to put before a command, where `{root}`
stands for the folder that env.json lies in.""",
    attrs = {
        "trees": attr.string_dict(
            mandatory = True,
            doc = "From a folder to JSON: packages, keep, and optionally arch, suite, closure with skip.",
        ),
        "variables": attr.string_dict(doc = "Environment variables; {root} is the repository's folder."),
        "prefix": attr.string_list(doc = "Words before a command, such as an emulator; {root} as above."),
        "finish": attr.string(doc = "A script of //tools/repos to run on the unpacked trees."),
    } | fetch_attrs(["apt_fetch.py", "report.py", "lavapipe_finish.py"]),
    local = False,
)
