"""model_tar: everything a machine needs to run a model, in one file."""

load("//toolchains/iree:labels.bzl", "label_text")
load("//toolchains/iree/runner:runner_of.bzl", "runner_platform")
load(":archives.bzl", "ARTIFACT", "PATH_MAPPING", "add_archives", "archive_files", "artifact_args", "need_archives")
load(":providers.bzl", "PROGRAM", "VmfbInfo")
load(":runnable.bzl", "need_plugin", "program_of")

def _model_tar_impl(ctx):
    program = program_of(ctx.attr.program)
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
    for target in ctx.attr.alternatives:
        other = program_of(target)
        if other.contract != program.contract:
            fail("%s: PARTS_CONTRACT: %s and %s are programs of two models; give those of one skainet_model" %
                 (label_text(ctx.label), label_text(ctx.attr.program.label), label_text(target.label)))
        args.add("--alternative", other.program, format = other.target + "=%s")
        inputs.append(other.program)
    if hasattr(program, "plugin"):
        need_plugin(ctx, program)
        args.add("--plugin", program.plugin)
        inputs.append(program.plugin)
        runner = ctx.file.runner or ctx.executable._xla_tool
    else:
        runner = ctx.file.runner or _choose(ctx, program)
    if runner:
        args.add("--runner", runner)
        inputs.append(runner)
    for target, document in ctx.attr.documents.items():
        files = target[DefaultInfo].files.to_list()
        if len(files) != 1:
            fail("%s: MODEL_TAR: the document %r is %d files; name one" % (label_text(ctx.label), document, len(files)))
        args.add("--document", files[0], format = document.replace("%", "%%") + "=%s")
        inputs.append(files[0])
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
    """Returns the element of `runners` for the program's processor, or None."""
    platform = runner_platform(program.flags, program.device)
    for target in ctx.attr.runners:
        for file in target[DefaultInfo].files.to_list():
            if target.label.name == platform:
                return file
    return None

model_tar = rule(
    implementation = _model_tar_impl,
    doc = """Packs a program, its archives, its contract, checksums, a README with the calls
of its entry points, and a runner into a tar file.

Programs for several processors are in one tar with `alternatives`, as in `m.tar` of a model with several
rows for CPUs: the README says which instructions each needs.

Of a program for XLA the runner is a Go program of the target platform, and the plugin is in
the tar.

The tar is reproducible: members are sorted, with the same owner,
mode and time 0. The action fails if archives and program do not match.""",
    attrs = {
        "documents": attr.label_keyed_string_dict(
            allow_files = True,
            doc = "Files that go with the weights, from the file to its name in the tar: their licence, the model's card.",
        ),
        "alternatives": attr.label_list(
            providers = [VmfbInfo],
            doc = "Programs of the same model for other processors that can run it, which go into the tar as `program-TARGET.vmfb`.",
        ),
        "program": attr.label(mandatory = True, providers = PROGRAM, doc = "An iree_vmfb or xla_executable with its archives."),
        "runner": attr.label(
            allow_single_file = True,
            doc = "A static program for the target's processor that runs the model, stored as `run` in the tar. Omit it for a tar without a runner.",
        ),
        "runners": attr.label_list(
            allow_files = True,
            doc = "Without `runner`: runners of //toolchains/iree/runner; the one for the processor and the system in the program's flags is used, if there is one. The others are not built.",
        ),
        "folder": attr.string(doc = "The folder in the tar; the target's name, less .tar, by default."),
        "_artifact": ARTIFACT,
        "_xla_tool": attr.label(default = "//rules/tools/xla", executable = True, cfg = "target"),
    },
)
