"""iree_phase: a model compiled part of the way, as text to look into."""

load("//rules:defs.bzl", "StableHloInfo")
load("//rules/private:providers.bzl", "text_of")
load("//toolchains/iree:targets.bzl", "TARGETS")
load("//toolchains/iree:toolchain.bzl", "COMPILER_TYPE")

def _impl(ctx):
    target = TARGETS[ctx.attr.target]
    compiler = ctx.toolchains[COMPILER_TYPE].iree_compiler
    if ctx.attr.export:
        export = ctx.attr.export[StableHloInfo]
        text = text_of(export, target, target.kernels)
    else:
        text = ctx.file.text
    flags = []
    for flag in target.flags:
        name = flag.partition("=")[0]
        flags.append(name + "=" + ctx.attr.change[name] if name in ctx.attr.change else flag)
    out = ctx.actions.declare_file(ctx.label.name + ".txt")
    args = ctx.actions.args()
    args.add("-")
    args.add("-o", out)
    args.add("--compile-to=" + ctx.attr.phase)
    args.add_all(flags)
    ctx.actions.run_shell(
        # The compiler's messages run to thousands of lines.
        command = 'in=$1 compiler=$2; shift 2; "$compiler" "$@" < "$in" 2> err || { head -c 2000 err; exit 1; }',
        arguments = [text.path, compiler.iree_compile.path, args],
        inputs = [text],
        tools = [compiler.files],
        outputs = [out],
        mnemonic = "IreePhase",
        progress_message = "Compiling %{label} to the phase " + ctx.attr.phase,
        toolchain = COMPILER_TYPE,
    )
    return [DefaultInfo(files = depset([out]), runfiles = ctx.runfiles([out]))]

iree_phase = rule(
    implementation = _impl,
    doc = "The compiler's own text of a program after one of its phases.",
    attrs = {
        "change": attr.string_dict(doc = "Values of the target's flags to use instead, by name."),
        "export": attr.label(providers = [StableHloInfo], doc = "The stablehlo_export; or text."),
        "phase": attr.string(mandatory = True, doc = "A value of --compile-to."),
        "target": attr.string(mandatory = True, values = TARGETS.keys(), doc = "A row of the target table."),
        "text": attr.label(allow_single_file = [".mlir"], doc = "StableHLO text, in place of export."),
    },
    toolchains = [COMPILER_TYPE],
)
