"""launched: the program that `bazel run` would start, as data of a test."""

def _launched_impl(ctx):
    target = ctx.attr.target[DefaultInfo]
    script = target.files_to_run.executable
    return [DefaultInfo(files = depset([script]), runfiles = ctx.runfiles([script]).merge(target.default_runfiles))]

launched = rule(
    implementation = _launched_impl,
    doc = "The program that a target runs, with its runfiles. As plain data an iree_vmfb would be only its file.",
    attrs = {"target": attr.label(mandatory = True, doc = "A target that can be run.")},
)
