"""shipped_sizes: what the aspect program_sizes writes, as data of a test."""

load("//rules:aspects.bzl", "ProgramSizesInfo", "program_sizes")

def _shipped_sizes_impl(ctx):
    target = ctx.attr.target
    if ProgramSizesInfo not in target:
        fail("%s: the aspect gives no ProgramSizesInfo" % ctx.label)
    return [DefaultInfo(files = target[OutputGroupInfo].program_sizes)]

shipped_sizes = rule(
    implementation = _shipped_sizes_impl,
    doc = "The table of a target, as `bazel build --aspects=...%program_sizes --output_groups=program_sizes` makes it.",
    attrs = {"target": attr.label(aspects = [program_sizes], mandatory = True)},
)
