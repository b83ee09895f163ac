"""model_run: `bazel run` of a program, or of the best of several for the processor."""

load("//toolchains/iree:labels.bzl", "label_text")
load(":providers.bzl", "PROGRAM", "VmfbInfo", "XlaInfo")
load(":run_launcher.bzl", "RUN_ATTRS", "run_launcher", "xla_run_launcher")
load(":runnable.bzl", "RUNTIME_TOOLCHAINS")
load(":xla_executable.bzl", "XLA_INHERITED")

def _runnable(ctx, script, runfiles, inherited = []):
    return [
        DefaultInfo(executable = script, runfiles = runfiles.merge(ctx.runfiles([script]))),
        RunEnvironmentInfo(environment = ctx.attr.env, inherited_environment = ctx.attr.env_inherit + inherited),
    ]

def _model_run_impl(ctx):
    xla = [target for target in ctx.attr.programs if XlaInfo in target]
    if xla:
        if len(ctx.attr.programs) > 1:
            fail("%s: RUN_PROGRAMS: %s is for XLA, whose plugin compiles for the processor; give it alone" % (label_text(ctx.label), label_text(xla[0].label)))
        return _runnable(ctx, inherited = XLA_INHERITED, *xla_run_launcher(ctx, xla[0][XlaInfo]))
    programs = [target[VmfbInfo] for target in ctx.attr.programs]
    for program, target in zip(programs, ctx.attr.programs):
        if program.contract != programs[0].contract:
            fail("%s: PARTS_CONTRACT: %s and %s are programs of two models; give those of one skainet_model" %
                 (label_text(ctx.label), label_text(ctx.attr.programs[0].label), label_text(target.label)))
    return _runnable(ctx, *run_launcher(ctx, programs))

model_run = rule(
    implementation = _model_run_impl,
    doc = """Calls a program: `bazel run :m.run -- --entry=main x=1,2`.

Arguments are given by name, as text or as .npy files, and `--results=FOLDER` writes results as
files; `bazel run :m.run -- --help` lists the entry points with their arguments.

Of several programs of a model the one that suits the processor best is called. Each lists the
instructions of its code: the one that has the most of those that the processor has is taken. If
the processor can run none, the message names what it lacks (PROGRAM_CPU).""",
    attrs = {
        "programs": attr.label_list(mandatory = True, allow_empty = False, providers = PROGRAM, doc = "An iree_vmfb or xla_executable; or the iree_vmfb targets of one model for CPUs, of which those for other architectures are left out."),
        "env": attr.string_dict(doc = "Environment of the program."),
        "env_inherit": attr.string_list(doc = "Variables to pass on."),
    } | RUN_ATTRS,
    executable = True,
    toolchains = RUNTIME_TOOLCHAINS,
)
