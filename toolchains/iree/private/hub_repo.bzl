"""The hub repository: toolchain() targets alone.

Registering it makes Bazel look at constraints only. The repository that a
toolchain() names is fetched when that toolchain has been chosen and is used,
so a build fetches nothing for a platform that it does not run on.
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
    rctx.file("BUILD.bazel", rctx.attr.build_file_text, executable = False)

hub_repo = repository_rule(
    implementation = _hub_impl,
    doc = "A repository that holds one BUILD file of toolchain() targets.",
    attrs = {"build_file_text": attr.string(mandatory = True, doc = "The BUILD file.")},
)
