"""xla_executable: a model for XLA."""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")
load("//toolchains/iree:labels.bzl", "label_text")
load("//toolchains/iree:optimizations.bzl", "OPTIMIZATIONS")
load("//toolchains/xla:targets.bzl", "XLA_TARGETS", "plugin_kind")
load(":archives.bzl", "ARTIFACT", "PATH_MAPPING", "archive_files", "archives_of", "check_archives")
load(":launcher.bzl", "alone", "word")
load(":providers.bzl", "IrpaInfo", "StableHloInfo", "XlaInfo")
load(":runnable.bzl", "need_plugin")

_KIND = "//toolchains/xla:plugin_kind"

def _plugin_impl(settings, attr):
    row = XLA_TARGETS.get(attr.target)
    return {_KIND: plugin_kind(row, settings[_KIND]) if row else settings[_KIND]}

# For the plugin alone: its kind is that of the row.
_plugin_transition = transition(
    implementation = _plugin_impl,
    inputs = [_KIND],
    outputs = [_KIND],
)

def target_fault(target):
    """Checks the target of a program.

    Args:
      target: a name.

    Returns:
      An error message, or None.
    """
    if target in XLA_TARGETS:
        return None
    return "XLA_TARGET: unknown target %r; use one of %s, or iree_vmfb for a row of //toolchains/iree:targets.bzl" % (target, ", ".join(XLA_TARGETS))

def xla_words(info):
    """Returns the words that say which program is called, where, and with which weights.

    Args:
      info: XlaInfo with a plugin.

    Returns:
      A list for launcher, and a depset of the files.
    """
    words = [
        word("%s", info.program),
        "--device=" + info.device,
        word("--plugin=%s", info.plugin),
    ]
    for a in info.archives:
        # Of other scopes than the weights', such as an adapter's, the user may name another.
        flag = "--archive=" if a.scope == "model" else "--default-archive="
        words += [word(flag + a.scope + "=%s", f) for f in a.files.to_list()]
    return words, depset([info.program, info.plugin], transitive = [archive_files(info.archives)])

def _level(ctx):
    level = ctx.attr.optimization or ctx.attr._optimization[BuildSettingInfo].value
    if level and level not in OPTIMIZATIONS:
        fail("%s: XLA_LEVEL: unknown level %r; set --@skainet//rules:optimization to one of %s" %
             (label_text(ctx.label), level, ", ".join(OPTIMIZATIONS)))
    return level

def _xla_executable_impl(ctx):
    fault = target_fault(ctx.attr.target)
    if fault:
        fail("%s: %s" % (label_text(ctx.label), fault))
    export = ctx.attr.export[StableHloInfo]
    plugin = ctx.attr._plugin[0][DefaultInfo].files.to_list()[0]
    archives = archives_of(ctx.label, export, ctx.attr.archives)
    out = ctx.actions.declare_file(ctx.label.name + ".xla")
    contract = ctx.actions.declare_file(ctx.label.name + ".contract.json")
    info = XlaInfo(
        program = out,
        contract = contract,
        target = ctx.attr.target,
        device = XLA_TARGETS[ctx.attr.target].platform,
        level = _level(ctx),
        serialized = ctx.attr.serialized,
        plugin = None if plugin.extension == "absent" else plugin,
        scopes = export.scopes,
        archives = archives,
    )
    args = ctx.actions.args()
    args.use_param_file("@%s")
    args.set_param_file_format("multiline")
    args.add("write")
    args.add("--label", label_text(ctx.label))
    args.add("--graph", export.graph)
    args.add("--output", out)
    args.add("--contract", contract)
    args.add_all(ctx.attr.sizes, before_each = "--sizes")
    if info.level:
        args.add("--level", info.level)
    inputs = [export.graph]
    requirements = PATH_MAPPING
    if info.serialized:
        need_plugin(ctx, info)
        args.add("--serialized")
        args.add("--plugin", info.plugin)
        inputs.append(info.plugin)

        # Its code is for the processor that compiles it, which no key of a cache names.
        requirements = {"no-cache": "1", "no-remote": "1"}
    ctx.actions.run(
        executable = ctx.executable._tool,
        arguments = [args],
        inputs = inputs,
        outputs = [out, contract],
        execution_requirements = requirements,
        mnemonic = "XlaCompile" if info.serialized else "XlaFile",
        progress_message = "Writing %{label} for " + info.target,
    )
    script = alone(ctx)
    return [
        # As data of another program it is only the file.
        DefaultInfo(files = depset([out]), executable = script, default_runfiles = ctx.runfiles([script]), data_runfiles = ctx.runfiles([out])),
        info,
        OutputGroupInfo(
            contract = depset([contract]),
            graph = depset([export.graph]),
            irpa = depset(transitive = [a.files for a in archives]),
            xla = depset([out]),
            _validation = depset(check_archives(ctx, ctx.label.name + ".archives.checked", contract, archives)),
        ),
    ]

# For the cache of compiled programs (backend/cache).
XLA_INHERITED = ["HOME", "SKAINET_CACHE", "XDG_CACHE_HOME"]

xla_executable = rule(
    implementation = _xla_executable_impl,
    doc = """A model for a target of XLA (//toolchains/xla:targets.bzl).

The file, NAME.xla, has the model's graph, contract and level, and no code: it is the same
wherever it is built, and the plugin compiles it where it is opened; what it compiles is kept
in the user's cache. With `serialized` the plugin compiles it in the build. Such a file
runs with the same build of the plugin, on a processor that has the instructions of the one
that compiled it, and is refused elsewhere (XLA_BUILD, PROGRAM_CPU); the action runs on this
machine and no cache that machines share keeps its output.

A model_run calls it, such as `m_run_xla` of a skainet_model for its `m_executable_xla`. The plugin is one of the
row for the target platform: that for CPUs, and another where
`--@skainet//toolchains/xla:plugin_kind` asks for it.

Output groups: `xla`; `contract`; `graph`, what it was made of; `irpa`, its archives.""",
    attrs = {
        "export": attr.label(mandatory = True, providers = [StableHloInfo], doc = "The stablehlo_export of the model."),
        "target": attr.string(mandatory = True, doc = "A row of //toolchains/xla:targets.bzl, such as xla_cpu."),
        "optimization": attr.string(
            values = [""] + OPTIMIZATIONS.keys(),
            doc = "What to optimise for: a level of compile/xla; --@skainet//rules:optimization by default.",
        ),
        "sizes": attr.string_list(doc = "Dynamic sizes that it is compiled for when it is opened, such as `batch=1,seq=128`; others when a call has them, but not with `serialized`."),
        "serialized": attr.bool(doc = "Compile in the build, for this machine's processor."),
        "archives": attr.label_list(
            providers = [IrpaInfo],
            doc = "The irpa_archive of each scope that the program takes: needed to run it, and checked against it.",
        ),
        "run": attr.string(doc = "The name of the model_run in this package that calls it, which `bazel run` starts."),
        "_optimization": attr.label(default = "//rules:optimization", providers = [BuildSettingInfo]),
        "_plugin": attr.label(default = "//toolchains/xla:plugin", cfg = _plugin_transition),
        "_tool": attr.label(default = "//rules/tools/xla", executable = True, cfg = "exec"),
        "_artifact": ARTIFACT,
        "_allowlist_function_transition": attr.label(default = "@bazel_tools//tools/allowlists/function_transition_allowlist"),
    },
    executable = True,
    provides = [XlaInfo],
)
