"""The hub repository: toolchain() targets alone.

Registering it makes Bazel look at constraints only. The repository that a
toolchain() names is fetched when that toolchain has been chosen and is used,
so a build fetches nothing for a platform that it does not run on. Two files
lie beside: what was decided, for tests and for a person who asks.
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
    """Gives the text of the hub's BUILD file.

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
        "build_file_text": attr.string(mandatory = True, doc = "The BUILD file, less its exports_files."),
        "hosts": attr.string(mandatory = True, doc = "Which artifacts each host gets, as text."),
    },
)
