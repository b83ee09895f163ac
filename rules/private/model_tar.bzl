"""model_tar: all that a machine needs to run a model, in one file."""

load("//toolchains/iree/runner:runner_of.bzl", "runner_platform")
load(":archives.bzl", "ARTIFACT", "PATH_MAPPING", "add_archives", "archive_files", "artifact_args", "need_archives")
load(":providers.bzl", "VmfbInfo")

def _model_tar_impl(ctx):
    program = ctx.attr.program[VmfbInfo]
    need_archives(ctx.label, program, program.archives)
    name = ctx.attr.folder or ctx.label.name.removesuffix(".tar")
    out = ctx.actions.declare_file(ctx.label.name.removesuffix(".tar") + ".tar")
    args = artifact_args(ctx, "bundle")
    args.add("--name", name)
    args.add("--target", program.target)
    args.add("--device", program.device)
    args.add("--program", program.program)
    args.add("--contract", program.contract)
    args.add("--output", out)
    inputs = [program.program, program.contract]
    runner = ctx.file.runner or _choose(ctx, program)
    if runner:
        args.add("--runner", runner)
        inputs.append(runner)
    add_archives(args, program.archives)
    ctx.actions.run(
        executable = ctx.executable._artifact,
        arguments = [args],
        inputs = depset(inputs, transitive = [archive_files(program.archives)]),
        outputs = [out],
        execution_requirements = PATH_MAPPING,
        mnemonic = "ModelTar",
        progress_message = "Bundling %{label}",
    )
    return [DefaultInfo(files = depset([out]))]

def _choose(ctx, program):
    """The one of `runners` that is for the program's processor, or None."""
    platform = runner_platform(program.flags, program.device)
    for target in ctx.attr.runners:
        for file in target[DefaultInfo].files.to_list():
            if target.label.name == platform:
                return file
    return None

model_tar = rule(
    implementation = _model_tar_impl,
    doc = """Puts a program, its archives, its contract, checksums, a README with the calls
of its entry points, and a runner into a tar.

The tar is the same bytes wherever it is made: members are sorted, of one owner, one
mode and the time 0. The action fails where archives and program do not fit.""",
    attrs = {
        "program": attr.label(mandatory = True, providers = [VmfbInfo], doc = "An iree_vmfb with its archives."),
        "runner": attr.label(
            allow_single_file = True,
            doc = "A program for the target's processor that runs the model, as `run` in the tar; static, so that it needs nothing else. None for a tar without.",
        ),
        "runners": attr.label_list(
            allow_files = True,
            doc = "Without `runner`: runners of //toolchains/iree/runner, of which the one for the processor and the system in the program's flags is taken, if there is one. The others are not built.",
        ),
        "folder": attr.string(doc = "The folder in the tar; the target's name, less .tar, by default."),
        "_artifact": ARTIFACT,
    },
)
