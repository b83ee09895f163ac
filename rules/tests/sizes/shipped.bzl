"""shipped_sizes: the output of the aspect program_sizes, as data of a test."""

load("//rules:aspects.bzl", "ProgramSizesInfo", "program_sizes")

def _shipped_sizes_impl(ctx):
    target = ctx.attr.target
    if ProgramSizesInfo not in target:
        fail("%s: the aspect gives no ProgramSizesInfo" % ctx.label)
    return [DefaultInfo(files = target[OutputGroupInfo].program_sizes)]

def _crate_impl(_ctx):
    return [DefaultInfo()]

crate = rule(
    implementation = _crate_impl,
    doc = "Attributes of various names and types that rules use for what they ship, and a tool.",
    attrs = {
        "contents": attr.label_keyed_string_dict(),
        "implementation_deps": attr.label_list(),
        "src": attr.label(),
        "tool": attr.label(cfg = "exec"),
    },
)

shipped_sizes = rule(
    implementation = _shipped_sizes_impl,
    doc = "The table of a target, as `bazel build --aspects=...%program_sizes --output_groups=program_sizes` makes it.",
    attrs = {"target": attr.label(aspects = [program_sizes], mandatory = True)},
)
