"""The hub repository, which contains only toolchain() targets.

Registering it makes Bazel look only at constraints. The repository that a
toolchain() names is fetched only if that toolchain is chosen and used,
so a build fetches nothing for a platform that it does not run on. Two files
record what was decided, for tests and for debugging.
"""

load(":selection.bzl", "platform_constraints")

_TOOLCHAIN = """\
toolchain(
    name = "{name}",
    {side}_compatible_with = {constraints},
    toolchain = "@{repo}//:toolchain",
    toolchain_type = "{type}",
)
"""

_EXPORTS = """
exports_files([
    "BUILD.bazel",
    "hosts.txt",
])
"""

def hub_build_file(rows, types):
    """Returns the text of the hub's BUILD file.

    Args:
      rows: structs with repo, kind and platform, in the order of the file.
      types: the label of the toolchain type, by kind.

    Returns:
      The text.
    """
    blocks = ["# Made by //toolchains/iree:extensions.bzl from versions.json.\n"]
    for row in rows:
        blocks.append(_TOOLCHAIN.format(
            name = "%s_%s" % (row.kind, row.platform),
            side = "exec" if row.kind == "compiler" else "target",
            constraints = json.encode(platform_constraints(row.platform)).replace(",", ", "),
            repo = row.repo,
            type = types[row.kind],
        ))
    return "\n".join(blocks)

def _hub_impl(rctx):
    rctx.file("BUILD.bazel", rctx.attr.build_file_text + _EXPORTS, executable = False)
    rctx.file("hosts.txt", rctx.attr.hosts, executable = False)
    return None

hub_repo = repository_rule(
    implementation = _hub_impl,
    doc = "A repository whose only targets are toolchain()s.",
    attrs = {
        "build_file_text": attr.string(mandatory = True, doc = "The BUILD file, without its exports_files."),
        "hosts": attr.string(mandatory = True, doc = "Which artifacts each host gets, as text."),
    },
)
