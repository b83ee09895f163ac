"""model_run: `bazel run` of the best of a model's programs for the processor."""

load("//toolchains/iree:labels.bzl", "label_text")
load(":providers.bzl", "VmfbInfo")
load(":run_launcher.bzl", "RUN_ATTRS", "run_launcher")
load(":runnable.bzl", "RUNTIME_TOOLCHAINS")

def _model_run_impl(ctx):
    programs = [target[VmfbInfo] for target in ctx.attr.programs]
    for program, target in zip(programs, ctx.attr.programs):
        if program.contract != programs[0].contract:
            fail("%s: PARTS_CONTRACT: %s and %s are programs of two models; give those of one skainet_model" %
                 (label_text(ctx.label), label_text(ctx.attr.programs[0].label), label_text(target.label)))
    script, runfiles = run_launcher(ctx, programs)
    return [DefaultInfo(executable = script, runfiles = runfiles.merge(ctx.runfiles([script])))]

model_run = rule(
    implementation = _model_run_impl,
    doc = """Calls a model with the program that suits the processor best.

Each program lists the instructions of its code: the one that has the most of those that
the processor has is called, by the same command line as that of an iree_vmfb. If
the processor can run none, the message names what it lacks (PROGRAM_CPU).""",
    attrs = {
        "programs": attr.label_list(mandatory = True, allow_empty = False, providers = [VmfbInfo], doc = "The iree_vmfb targets of one model for CPUs; those for other architectures are left out."),
    } | RUN_ATTRS,
    executable = True,
    toolchains = RUNTIME_TOOLCHAINS,
)
