"""The toolchain of XLA: a plugin of the PJRT C API, which compiles and runs programs."""

PLUGIN_TYPE = Label("//toolchains/xla:plugin_toolchain_type")

XlaPluginInfo = provider(
    doc = "A plugin for the target platform.",
    fields = {
        "kind": "string: the devices, such as cpu or cuda12.",
        "plugin": "File: the shared library.",
        "version": "string: of the package that it is from; empty for one on the machine.",
    },
)

def _plugin_impl(ctx):
    info = XlaPluginInfo(kind = ctx.attr.kind, plugin = ctx.file.plugin, version = ctx.attr.version)
    return [
        platform_common.ToolchainInfo(xla_plugin = info),
        info,
        DefaultInfo(files = depset([info.plugin])),
        OutputGroupInfo(licences = depset(ctx.files.licences)),
    ]

xla_plugin_toolchain = rule(
    implementation = _plugin_impl,
    doc = "A plugin: ToolchainInfo with an XlaPluginInfo as `xla_plugin`.",
    attrs = {
        "kind": attr.string(mandatory = True, doc = "The devices that it is for."),
        "licences": attr.label_list(allow_files = True, doc = "Its licence and notices."),
        "plugin": attr.label(allow_single_file = True, mandatory = True, doc = "The shared library."),
        "version": attr.string(doc = "Of the package."),
    },
    provides = [XlaPluginInfo, platform_common.ToolchainInfo],
)

def _current_impl(ctx):
    toolchain = ctx.toolchains[PLUGIN_TYPE]
    if toolchain:
        f = toolchain.xla_plugin.plugin
    else:
        # $(rlocationpath) requires exactly one file: an empty one with a telling name.
        f = ctx.actions.declare_file(ctx.label.name + ".absent")
        ctx.actions.write(f, "")
    return [DefaultInfo(files = depset([f]), runfiles = ctx.runfiles([f]))]

current_xla_plugin = rule(
    implementation = _current_impl,
    doc = """The plugin chosen for the target platform, for rules that take files.

Where there is none, an empty file whose name ends in `.absent`.""",
    toolchains = [config_common.toolchain_type(PLUGIN_TYPE, mandatory = False)],
)
