"""Passes the actions of targets to a test that reruns them."""

MNEMONICS = ["ImportGraph", "WeightsIndex", "StableHloExport", "StableHloVerify", "IrpaPack", "IrpaVerify", "IreeCompile"]

_ActionsInfo = provider(
    doc = "The actions of a target and of the targets it is built from.",
    fields = {
        "actions": "depset of Action, producers before consumers.",
        "files": "depset of File: the actions' external inputs and their outputs.",
    },
)

def _names_a_file(file):
    # The runfiles of a tool come as an artifact without content.
    return "/_middlemen/" not in file.path

def _collect_impl(target, ctx):
    before = [
        dep[_ActionsInfo]
        for name in ["export", "index"]
        for dep in [getattr(ctx.rule.attr, name, None)]
        if dep and _ActionsInfo in dep
    ]
    actions = [a for a in target.actions if a.mnemonic in MNEMONICS]
    return [_ActionsInfo(
        actions = depset(actions, transitive = [b.actions for b in before], order = "postorder"),
        files = depset(transitive = [b.files for b in before] +
                                    [a.inputs for a in actions] +
                                    [a.outputs for a in actions]),
    )]

_collect = aspect(
    implementation = _collect_impl,
    attr_aspects = ["export", "index"],
)

# In dependency order.
_CC_MNEMONICS = ["CppCompile", "CppArchive", "CppLink"]

def _cc_impl(target, ctx):
    binary = getattr(ctx.rule.attr, "binary", [])
    before = [
        dep[_ActionsInfo]
        for dep in (binary if type(binary) == "list" else [binary]) + getattr(ctx.rule.attr, "deps", [])
        if _ActionsInfo in dep
    ]
    actions = [a for mnemonic in _CC_MNEMONICS for a in target.actions if a.mnemonic == mnemonic]
    return [_ActionsInfo(
        actions = depset(actions, transitive = [b.actions for b in before], order = "postorder"),
        files = depset(transitive = [b.files for b in before] +
                                    [a.inputs for a in actions] +
                                    [a.outputs for a in actions]),
    )]

_collect_binary = aspect(
    implementation = _cc_impl,
    attr_aspects = ["binary"],
)

_collect_binary_and_deps = aspect(
    implementation = _cc_impl,
    attr_aspects = ["binary", "deps"],
)

def _actions_impl(ctx):
    infos = [t[_ActionsInfo] for t in ctx.attr.targets]
    actions = depset(transitive = [i.actions for i in infos], order = "postorder").to_list()
    out = ctx.actions.declare_file(ctx.label.name + ".json")
    ctx.actions.write(out, json.encode_indent([
        {
            "Argv": a.argv,
            "Inputs": {f.path: f.short_path for f in a.inputs.to_list() if _names_a_file(f)},
            "Mnemonic": a.mnemonic,
            "Outputs": {f.path: f.short_path for f in a.outputs.to_list()},
        }
        for a in actions
    ]) + "\n")
    files = [f for f in depset(transitive = [i.files for i in infos]).to_list() if _names_a_file(f)]
    return [DefaultInfo(files = depset([out]), runfiles = ctx.runfiles([out] + files))]

model_actions = rule(
    implementation = _actions_impl,
    doc = """Writes the command lines, inputs and outputs of the targets' actions as JSON.

Paths in the execution root are mapped to those among the runfiles, where all
these files are; requesting the runfiles builds the outputs.""",
    attrs = {
        "targets": attr.label_list(aspects = [_collect], mandatory = True, doc = "weights_index, stablehlo_export, irpa_archive and iree_vmfb targets."),
    },
)

cc_actions = rule(
    implementation = _actions_impl,
    doc = "The same for C programs: the actions of each, without those of the libraries in it.",
    attrs = {
        "targets": attr.label_list(aspects = [_collect_binary], mandatory = True, doc = "platform_binary targets."),
    },
)

cc_actions_and_deps = rule(
    implementation = _actions_impl,
    doc = "The same for C programs: the actions of each, and those of the libraries in it.",
    attrs = {
        "targets": attr.label_list(aspects = [_collect_binary_and_deps], mandatory = True, doc = "platform_binary targets."),
    },
)
