"""iree_size_test: limits on the bytes of a model."""

load("//toolchains/iree:labels.bzl", "label_text")
load(":launcher.bzl", "launcher", "word")
load(":providers.bzl", "VmfbInfo")

# What rules/tools/artifact/check knows of.
LIMITED = ["archives", "deployed", "executable", "module", "program", "text"]

def limit_faults(limits):
    """Checks limits as a BUILD file gives them.

    Args:
      limits: from what is limited to a number of bytes, as text.

    Returns:
      What is wrong, or None.
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
    doc = "Fails where a model takes more bytes than it may; the sizes are those of the output group `sizes`.",
    attrs = {
        "program": attr.label(mandatory = True, providers = [VmfbInfo], doc = "An iree_vmfb."),
        "limits": attr.string_dict(
            mandatory = True,
            doc = "Bytes, as text, that may be taken by `text` (StableHLO), `program` (.vmfb), of it `module` (its bytecode) and " +
                  "`executable` (the largest one), `archives`, and `deployed`, program and archives.",
        ),
        "show_sizes": attr.bool(doc = "Where there are no limits: to fail when the test is run, with all sizes, in place of at analysis."),
        "_tool": attr.label(default = "//rules/tools/artifact", executable = True, cfg = "target"),
    },
    test = True,
)
