"""runnable: what `bazel run` starts, as a file."""

def _impl(ctx):
    program = ctx.attr.target[DefaultInfo]
    script = program.files_to_run.executable
    return [DefaultInfo(files = depset([script]), runfiles = ctx.runfiles([script]).merge(program.default_runfiles))]

runnable = rule(
    implementation = _impl,
    doc = "The executable of a target whose files are others, such as a compiled program's, with what it needs.",
    attrs = {"target": attr.label(mandatory = True)},
)
