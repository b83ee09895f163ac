"""The module extension that provides XLA's plugins.

A workspace that depends on this one need not use it: the toolchains are registered here. The
plugin for CPUs is taken unless the build setting `--@skainet//toolchains/xla:plugin_kind`
names another one, such as `cuda12`. The root module can bring its own:

    xla = use_extension("@skainet//toolchains/xla:extensions.bzl", "xla")
    xla.local(kind = "cpu", platform = "linux_aarch64", path = "/opt/pjrt_c_api_cpu_plugin.so")

The extension reads plugins.json and declares one repository for each plugin; it fetches
nothing. Its decisions are made, and tested, in private/selection.bzl.
"""

load("//toolchains/xla/private:plugin_repo.bzl", "xla_hub", "xla_local", "xla_wheel")
load("//toolchains/xla/private:selection.bzl", "KINDS", "hub_build_file", "plugin_lines", "plugins")

HUB = "xla_toolchains"

def plan(module_ctx):
    """Decides which repositories to declare, without declaring them.

    Args:
      module_ctx: the module context, or a fake with modules, path and read.

    Returns:
      A struct with rows and hub (the hub's BUILD text), or with error.
    """
    table = json.decode(module_ctx.read(module_ctx.path(Label("//toolchains/xla:plugins.json"))))
    own = [tag for m in module_ctx.modules if m.is_root for tag in m.tags.local]
    found = plugins(table, own)
    if found.error:
        return struct(error = found.error)
    return struct(
        error = None,
        rows = found.rows,
        hub = hub_build_file(
            found.rows,
            str(Label("//toolchains/xla:plugin_toolchain_type")),
            lambda kind: str(Label("//toolchains/xla:is_" + kind)),
        ),
    )

def _xla_impl(module_ctx):
    decided = plan(module_ctx)
    if decided.error:
        fail(decided.error)
    for row in decided.rows:
        if row.path:
            xla_local(name = row.repo, kind = row.kind, path = row.path)
            continue
        xla_wheel(
            name = row.repo,
            filename = row.wheel["filename"],
            kind = row.kind,
            library = row.wheel["library"],
            package = row.wheel["package"],
            sha256 = row.wheel["sha256"],
            version = row.wheel["version"],
        )
    xla_hub(name = HUB, build_file_text = decided.hub, plugins = plugin_lines(decided.rows))
    return module_ctx.extension_metadata(reproducible = True)

_local = tag_class(
    doc = "A plugin on the machine, in place of one of plugins.json or in addition to those. Ignored outside the root module.",
    attrs = {
        "kind": attr.string(values = KINDS, mandatory = True, doc = "The devices that it is for."),
        "path": attr.string(mandatory = True, doc = "Its path: absolute, or relative to the workspace."),
        "platform": attr.string(mandatory = True, doc = "The machine, such as linux_x86_64."),
    },
)

xla = module_extension(
    implementation = _xla_impl,
    doc = "XLA's plugins for each kind of device and each platform of plugins.json.",
    tag_classes = {"local": _local},
)
