"""weights_index: a weight file's names, shapes and small integers, as JSON."""

load(":archives.bzl", "PATH_MAPPING")
load(":providers.bzl", "WeightsIndexInfo")
load(":weight_files.bzl", "SHARDS", "weight_files")

def _weights_index_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".json")
    files = weight_files(ctx)
    args = ctx.actions.args()
    args.add("--output", out)
    args.add(ctx.file.weights)
    ctx.actions.run(
        executable = ctx.executable._tool,
        arguments = [args],
        inputs = files,
        outputs = [out],
        execution_requirements = PATH_MAPPING,
        mnemonic = "WeightsIndex",
        progress_message = "Indexing weights %{input}",
    )
    return [
        DefaultInfo(files = depset([out])),
        WeightsIndexInfo(index = out, weights = ctx.file.weights, shards = files[1:]),
    ]

weights_index = rule(
    implementation = _weights_index_impl,
    doc = """Writes the index of a weight file.

Models are exported from the index, so other weights with the same names and
shapes rerun only this action and the packing.""",
    attrs = {
        "weights": attr.label(allow_single_file = True, mandatory = True, doc = "A weight file of a format that io/weights opens."),
        "shards": SHARDS,
        "_tool": attr.label(default = "//rules/tools/index", executable = True, cfg = "exec"),
    },
    provides = [WeightsIndexInfo],
)
