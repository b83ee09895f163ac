"""The decisions of the `xla` extension, as pure functions: no repository, no network.

A platform key is `<os>_<cpu>` with the names of @platforms, such as `linux_x86_64`. The table
is plugins.json: a kind of device, then a plugin for each platform.
"""

# How versions are chosen is the same for both compilers, and no rule for others.
# buildifier: disable=bzl-visibility
load("//toolchains/iree/private:selection.bzl", "platform_constraints")

# What a plugin of the table is for is one of these; others are brought by their paths.
KINDS = ["cpu", "cuda12", "cuda13", "rocm", "tpu"]

_TOOLCHAIN = """\
toolchain(
    name = "{name}",
    target_compatible_with = {constraints},
    target_settings = ["{setting}"],
    toolchain = "@{repo}//:toolchain",
    toolchain_type = "{type}",
)
"""

def plugins(table, locals):
    """Lists the plugins, each with the repository that would fetch it.

    Args:
      table: the decoded plugins.json.
      locals: structs with kind, platform and path, of the root module.

    Returns:
      A struct with rows, structs with repo, kind, platform and either path or wheel, or with
      error.
    """
    found = {}
    for kind, platforms in table.items():
        for platform, wheel in platforms.items():
            found[(kind, platform)] = struct(wheel = wheel, path = "")
    seen = {}
    for own in locals:
        at = (own.kind, own.platform)
        if at in seen:
            return struct(error = "XLA_LOCAL: %s: a second xla.local for %s on %s; keep one" % (own.path, own.kind, own.platform), rows = None)
        seen[at] = True
        found[at] = struct(wheel = None, path = own.path)
    return struct(error = None, rows = [
        struct(repo = "xla_plugin_%s_%s" % at, kind = at[0], platform = at[1], wheel = found[at].wheel, path = found[at].path)
        for at in sorted(found)
    ])

def hub_build_file(rows, toolchain_type, setting):
    """Returns the text of the hub's BUILD file.

    Args:
      rows: of plugins.
      toolchain_type: its label.
      setting: function from a kind to the label of the config_setting that chooses it.

    Returns:
      The text.
    """
    blocks = ["# Made by //toolchains/xla:extensions.bzl from plugins.json.\nexports_files([\"plugins.txt\"])\n"]
    for row in rows:
        blocks.append(_TOOLCHAIN.format(
            name = "%s_%s" % (row.kind, row.platform),
            constraints = json.encode(platform_constraints(row.platform)).replace(",", ", "),
            repo = row.repo,
            setting = setting(row.kind),
            type = toolchain_type,
        ))
    return "\n".join(blocks)

def plugin_lines(rows):
    """Returns what would be fetched or linked to, a line for each plugin.

    Args:
      rows: of plugins.

    Returns:
      The text.
    """
    return "".join([
        "%s %s: %s\n" % (row.kind, row.platform, row.path or "%s sha256:%s" % (row.wheel["filename"], row.wheel["sha256"]))
        for row in rows
    ])
