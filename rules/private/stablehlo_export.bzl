"""stablehlo_export: a model as StableHLO text with its contract."""

load(":archives.bzl", "PATH_MAPPING")
load(":providers.bzl", "ModelInfo", "StableHloInfo", "WeightsIndexInfo")

# The scope of a model's weights, as package lang names it.
SCOPE = "model"

def _declare_graph(ctx, name, index, inputs):
    """Declares the graph of the texts, which an action of its own writes where it is asked for."""
    out = ctx.actions.declare_file(ctx.label.name + ".graph.json")
    args = ctx.actions.args()
    args.add("--name", name)
    args.add("--write-graph", out)
    if ctx.attr.dtype:
        args.add("--dtype", ctx.attr.dtype)
    if ctx.attr.weight_policy:
        args.add("--weights", ctx.attr.weight_policy)
    if ctx.file.graph:
        args.add("--graph", ctx.file.graph)
    if index:
        args.add("--index", index)
    ctx.actions.run(
        executable = ctx.executable.exporter,
        arguments = [args],
        inputs = inputs,
        outputs = [out],
        execution_requirements = PATH_MAPPING,
        mnemonic = "ModelGraph",
        progress_message = "Exporting the graph of %{label}",
    )
    return out

def _stablehlo_export_impl(ctx):
    text = ctx.actions.declare_file(ctx.label.name + ".mlir")
    kernels = ctx.actions.declare_file(ctx.label.name + ".kernels.mlir")
    text_f16 = ctx.actions.declare_file(ctx.label.name + ".f16.mlir")
    kernels_f16 = ctx.actions.declare_file(ctx.label.name + ".kernels.f16.mlir")
    kernels_wide = ctx.actions.declare_file(ctx.label.name + ".kernels.wide.mlir")
    kernels_bytes = ctx.actions.declare_file(ctx.label.name + ".kernels.bytes.mlir")
    contract = ctx.actions.declare_file(ctx.label.name + ".contract.json")
    constants = ctx.actions.declare_file(ctx.label.name + ".constants.irpa")
    index = ctx.attr.index[WeightsIndexInfo].index if ctx.attr.index else None
    name = ctx.attr.module_name or ctx.label.name

    args = ctx.actions.args()
    args.add("--name", name)
    args.add("--text", text)
    args.add("--kernels", kernels)
    args.add("--text-f16", text_f16)
    args.add("--kernels-f16", kernels_f16)
    args.add("--kernels-wide", kernels_wide)
    args.add("--kernels-bytes", kernels_bytes)
    args.add("--contract", contract)
    args.add("--constants", constants)
    args.add("--policy", ctx.attr.constants)
    if ctx.attr.dtype:
        args.add("--dtype", ctx.attr.dtype)
    if ctx.attr.weight_policy:
        args.add("--weights", ctx.attr.weight_policy)
    inputs = []
    if ctx.file.graph:
        args.add("--graph", ctx.file.graph)
        inputs.append(ctx.file.graph)
    if index:
        args.add("--index", index)
        inputs.append(index)
    graph = _declare_graph(ctx, name, index, inputs)
    ctx.actions.run(
        executable = ctx.executable.exporter,
        arguments = [args],
        inputs = inputs,
        outputs = [text, kernels, text_f16, kernels_f16, kernels_wide, kernels_bytes, contract, constants],
        execution_requirements = PATH_MAPPING,
        mnemonic = "StableHloExport",
        progress_message = "Exporting %{label} to StableHLO",
    )

    # An error in the text is reported here with line and column; the compiler
    # might name a pass, or nothing at all.
    checked = []
    for file, others in [(text, [text_f16]), (kernels, [kernels_f16, kernels_wide, kernels_bytes])]:
        ok = ctx.actions.declare_file(file.basename + ".checked", sibling = file)
        check = ctx.actions.args()
        check.add("--output", ok)
        check.add("--contract", contract)
        check.add(file)
        check.add_all(others)
        ctx.actions.run(
            executable = ctx.executable._tool,
            arguments = [check],
            inputs = [file, contract] + others,
            outputs = [ok],
            execution_requirements = PATH_MAPPING,
            mnemonic = "StableHloVerify",
            progress_message = "Checking the text of %{label}",
        )
        checked.append(ok)
    return [
        DefaultInfo(files = depset([text, contract])),
        ModelInfo(
            name = name,
            exporter = ctx.attr.exporter[DefaultInfo].files_to_run,
            index = index,
            library = ctx.attr.model,
            constructor = ctx.attr.constructor,
            graph = ctx.file.graph,
        ),
        StableHloInfo(
            name = name,
            text = text,
            kernels = kernels,
            text_f16 = text_f16,
            kernels_f16 = kernels_f16,
            kernels_wide = kernels_wide,
            kernels_bytes = kernels_bytes,
            contract = contract,
            constants = constants,
            graph = graph,
            # Without possible parameters there is no scope.
            scopes = sorted(([SCOPE] if index or ctx.attr.constants != "inline" else []) + ctx.attr.scopes),
        ),
        OutputGroupInfo(
            mlir = depset([text]),
            kernels = depset([kernels]),
            wide = depset([kernels_wide, kernels_bytes]),
            f16 = depset([text_f16, kernels_f16]),
            contract = depset([contract]),
            constants = depset([constants]),
            graph = depset([graph]),
            _validation = depset(checked),
        ),
    ]

stablehlo_export = rule(
    implementation = _stablehlo_export_impl,
    doc = """Exports a model as StableHLO text.

The action reads the weights' index and never the weights. Outputs are
`<name>.mlir`, `<name>.contract.json` and, in the output groups `constants` and
`kernels`, the archive of the constants that the policy made external, and the text
for CPU targets: the same program with kernels instead of some operations. The
group `f16` has both texts for processors without f16, `<name>.f16.mlir` and
`<name>.kernels.f16.mlir`; the group `wide` has `<name>.kernels.wide.mlir`, the text for
processors with 32 vector registers of 64 bytes, and `<name>.kernels.bytes.mlir`, that for those
which also multiply bytes;
the group `graph` the graph that they are of. The build fails if a text has an error, with its line
and column.""",
    attrs = {
        "exporter": attr.label(
            default = "//rules/tools/exportgraph",
            executable = True,
            cfg = "exec",
            doc = "A program generated by skainet_model; by default the one that reads the model from `graph`.",
        ),
        "graph": attr.label(allow_single_file = [".json"], doc = "The model as a graph file, for the default `exporter`."),
        # In the exec configuration like the exporter, so that a program can be built for a
        # platform without Go.
        "model": attr.label(cfg = "exec", doc = "The go_library with the constructor, if there is one."),
        "constructor": attr.string(default = "Model", doc = "The constructor's name."),
        "module_name": attr.string(doc = "The module's name in the text; the target's name by default."),
        "index": attr.label(providers = [WeightsIndexInfo], doc = "A weights_index; omit it for a model without weights."),
        "dtype": attr.string(
            values = ["", "f16", "bf16", "int8", "int8_dynamic"],
            doc = "The precision the program computes in: `f16`, `bf16`, `int8` for large weights only, or `int8_dynamic` for these and the operands of their products; the types of the model by default. Arguments and results keep their types.",
        ),
        "weight_policy": attr.string(
            doc = "How the program stores weights: `packed` (as the weight file has them, blocks such as Q4_K as blocks; the default), `int8`, `int8_dynamic`, `bf16`, `f16` or `f32`, and, separated by commas, `PATTERN=` one of them for tensors by name, such as `packed,token_embd.weight=int8`.",
        ),
        "scopes": attr.string_list(doc = "The scopes of parameters that the model has beside its weights', such as `adapter`."),
        "constants": attr.string(
            default = "inline",
            doc = "Where named constants of the model's code go: `inline`, `external`, or the number of bytes from which they are external.",
        ),
        "_tool": attr.label(default = "//rules/tools/verify", executable = True, cfg = "exec"),
    },
    provides = [ModelInfo, StableHloInfo],
)
