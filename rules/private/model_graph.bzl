"""model_graph: the graph of a model that is a file, and the index of its weights."""

load(":archives.bzl", "PATH_MAPPING")
load(":providers.bzl", "WeightsIndexInfo")
load(":weight_files.bzl", "SHARDS", "weight_files")

def _model_graph_impl(ctx):
    graph = ctx.actions.declare_file(ctx.attr.prefix + ".graph.json")
    index = ctx.actions.declare_file(ctx.attr.prefix + "_index.json")
    files = weight_files(ctx)
    args = ctx.actions.args()
    args.add("--format", ctx.attr.format)
    args.add("--name", ctx.attr.module_name)
    args.add("--graph", graph)
    args.add("--index", index)
    for flag, values in {
        "--cut": ctx.attr.cut,
        "--fix": _pairs(ctx.attr.fixed),
        "--outputs": ctx.attr.outputs,
        "--shape": _pairs(ctx.attr.shapes),
        "--state": _pairs(ctx.attr.states),
    }.items():
        args.add_all(values, before_each = flag)
    if ctx.attr.noise:
        args.add("--noise", ctx.attr.noise)
    if ctx.attr.dequantize:
        args.add("--dequantize")
    if ctx.attr.context:
        args.add("--context", ctx.attr.context)
    if ctx.attr.inline:
        args.add("--inline", ctx.attr.inline)
    args.add(ctx.file.weights)
    ctx.actions.run(
        executable = ctx.executable._tool,
        arguments = [args],
        inputs = files,
        outputs = [graph, index],
        execution_requirements = PATH_MAPPING,
        mnemonic = "ImportGraph",
        progress_message = "Importing %{input}",
    )
    return [
        DefaultInfo(files = depset([graph])),
        WeightsIndexInfo(index = index, weights = ctx.file.weights, shards = files[1:]),
        OutputGroupInfo(graph = depset([graph]), index = depset([index])),
    ]

def _pairs(values):
    return ["%s=%s" % pair for pair in values.items()]

model_graph = rule(
    implementation = _model_graph_impl,
    doc = """Reads a model file: writes its graph, `PREFIX.graph.json`, and the index of its weights, `PREFIX_index.json`.

With other weights of the same shapes both files are the same, so that only this action and
the packing run again.""",
    attrs = {
        "context": attr.int(doc = "Positions that a language model keeps."),
        "cut": attr.string_list(doc = "As in skainet_model, and so are the others."),
        "dequantize": attr.bool(),
        "fixed": attr.string_dict(doc = "Dict from inputs to their values."),
        "format": attr.string(mandatory = True, doc = "The format that the file must have."),
        "inline": attr.string(doc = "Bytes of the largest tensor that is part of the graph."),
        "module_name": attr.string(mandatory = True, doc = "The name of the module."),
        "noise": attr.string(values = ["", "argument", "zero"], doc = "What random numbers are."),
        "outputs": attr.string_list(doc = "Names in place of the file's."),
        "prefix": attr.string(mandatory = True, doc = "Of the files' names."),
        "shapes": attr.string_dict(doc = "Dict from inputs to their sizes."),
        "shards": SHARDS,
        "states": attr.string_dict(doc = "Dict from outputs to inputs."),
        "weights": attr.label(allow_single_file = True, mandatory = True, doc = "The model file, which holds the weights."),
        "_tool": attr.label(default = "//rules/tools/importgraph", executable = True, cfg = "exec"),
    },
    provides = [WeightsIndexInfo],
)
