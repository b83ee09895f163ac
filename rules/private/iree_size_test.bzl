"""iree_size_test: limits on the size of a model in bytes."""

load("//toolchains/iree:labels.bzl", "label_text")
load(":launcher.bzl", "launcher", "word")
load(":providers.bzl", "VmfbInfo")

# The sizes that rules/tools/artifact/check knows.
LIMITED = ["archives", "deployed", "executable", "module", "operations", "program", "text"]

def limit_faults(limits):
    """Checks limits as written in a BUILD file.

    Args:
      limits: dict from what is limited to a number of bytes, as text.

    Returns:
      An error message, or None.
    """
    if not limits:
        return "no limit is given; write limits = {\"program\": \"20000\"}"
    for what, n in limits.items():
        if what not in LIMITED:
            return "unknown size %r; use one of %s" % (what, ", ".join(LIMITED))
        if not n.isdigit():
            return "%s: %r is not a number of bytes; write one such as \"20000\"" % (what, n)
    return None

def _iree_size_test_impl(ctx):
    fault = limit_faults(ctx.attr.limits)
    if fault and (ctx.attr.limits or not ctx.attr.show_sizes):
        fail("%s: SIZE_LIMITS: %s" % (label_text(ctx.label), fault))
    sizes = ctx.attr.program[OutputGroupInfo].sizes.to_list()[0]
    words = [
        "limits",
        "--label=" + label_text(ctx.label),
        word("%s", sizes),
    ] + ["%s=%s" % (what, n) for what, n in sorted(ctx.attr.limits.items())]
    return [DefaultInfo(
        executable = launcher(ctx, ctx.executable._tool, words),
        runfiles = ctx.runfiles([sizes]).merge(ctx.attr._tool[DefaultInfo].default_runfiles),
    )]

iree_size_test = rule(
    implementation = _iree_size_test_impl,
    doc = "Fails if a model exceeds a size limit; the sizes are those of the output group `sizes`.",
    attrs = {
        "program": attr.label(mandatory = True, providers = [VmfbInfo], doc = "An iree_vmfb."),
        "limits": attr.string_dict(
            mandatory = True,
            doc = "Maximum size in bytes, as text, of `text` (StableHLO), the number of its `operations` (what the compiler has to do), `program` (.vmfb), its parts `module` (the bytecode) and " +
                  "`executable` (the largest one), `archives`, and `deployed` (program and archives).",
        ),
        "show_sizes": attr.bool(doc = "Without limits, fail when the test runs, printing all sizes, instead of at analysis."),
        "_tool": attr.label(default = "//rules/tools/artifact", executable = True, cfg = "target"),
    },
    test = True,
)
