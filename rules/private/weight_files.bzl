"""Code shared by the rules that read a weight file."""

load("//toolchains/iree:labels.bzl", "label_text")

SHARDS = attr.label_list(
    allow_files = True,
    doc = "Other files that `weights` names and that lie in its folder: the shards of a " +
          "safetensors index, or the other parts of a split GGUF model or archive.",
)

def weight_files(ctx):
    """Checks `weights` and `shards`.

    Args:
      ctx: of a rule with both attributes.

    Returns:
      The files, that of `weights` first; an empty list without weights.
    """
    if not ctx.file.weights:
        if ctx.files.shards:
            fail("%s: WEIGHTS_SHARD: shards are given without weights; set weights to the file that names them" % label_text(ctx.label))
        return []

    # Readers look for a shard next to the file that names it.
    folder = ctx.file.weights.dirname
    for f in ctx.files.shards:
        if f.dirname != folder:
            fail("%s: WEIGHTS_SHARD: %s is not in the same folder as %s; copy or generate both in one package" % (label_text(ctx.label), f.path, ctx.file.weights.path))
    return [ctx.file.weights] + [f for f in ctx.files.shards if f != ctx.file.weights]
