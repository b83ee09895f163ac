"""program_sizes: the programs and archives that a target ships, and their bytes."""

load("//toolchains/iree:labels.bzl", "label_text")
load(":archives.bzl", "ARTIFACT", "PATH_MAPPING", "artifact_args")
load(":providers.bzl", "IrpaInfo", "VmfbInfo")

ProgramSizesInfo = provider(
    doc = "The programs and archives that a target ships, itself or through what it depends on.",
    fields = {
        "programs": "depset of struct(label = string, target = string, sizes = File): each iree_vmfb, its row and its output group sizes.",
        "archives": "depset of struct(label = string, scope = string, files = depset of File): each irpa_archive.",
    },
)

def _targets(value):
    """The targets in an attribute's value: one, a list, or the keys or values of a dict."""
    if type(value) == "dict":
        value = value.keys() + value.values()
    if type(value) != "list":
        value = [value]
    flat = []
    for v in value:  # a value of a dict may be a list
        flat += v if type(v) == "list" else [v]
    return [v for v in flat if type(v) == "Target"]

def _is_tool(ctx):
    """Whether a target is made for the build alone, by the folder of its configuration."""
    folder = ctx.bin_dir.path.split("/")[1] if "/" in ctx.bin_dir.path else ""
    return folder.endswith("-exec") or "-exec-ST-" in folder

def _edges(target, ctx):
    """The attributes over which a target takes others along.

    A rule names its attributes as it likes, so these are all of them, but of a program
    and of an archive not those by which they are made.
    """
    if IrpaInfo in target:
        return []
    return ["archives"] if VmfbInfo in target else dir(ctx.rule.attr)

def _program_sizes_impl(target, ctx):
    # An analysis test ships nothing, and may have no action.
    if _is_tool(ctx) or AnalysisTestResultInfo in target:
        return [ProgramSizesInfo(programs = depset(), archives = depset())]
    below = [
        dep[ProgramSizesInfo]
        for edge in _edges(target, ctx)
        for dep in _targets(getattr(ctx.rule.attr, edge, None))
        if ProgramSizesInfo in dep
    ]
    label = label_text(target.label)
    programs, archives = [], []
    if VmfbInfo in target:
        sizes = target[OutputGroupInfo].sizes.to_list()[0]
        programs.append(struct(label = label, target = target[VmfbInfo].target, sizes = sizes))
    if IrpaInfo in target:
        archives.append(struct(label = label, scope = target[IrpaInfo].scope, files = target[IrpaInfo].archives))
    info = ProgramSizesInfo(
        programs = depset(programs, transitive = [b.programs for b in below]),
        archives = depset(archives, transitive = [b.archives for b in below]),
    )
    if not info.programs and not info.archives:
        return [info]
    return [info, OutputGroupInfo(program_sizes = depset([_table(target, ctx, info)]))]

def _table(target, ctx, info):
    # Other targets of the package may be called alike but for what follows.
    out = ctx.actions.declare_file(target.label.name + ".program_sizes.txt")
    args = artifact_args(ctx, "table")
    args.add("--output", out)
    inputs = []
    for p in info.programs.to_list():
        args.add("--program-label", p.label)
        args.add("--row", p.target)
        args.add("--sizes", p.sizes)
        inputs.append(p.sizes)
    files = []
    for a in info.archives.to_list():
        files.append(a.files)
        for file in a.files.to_list():
            args.add("--archive-label", a.label)
            args.add("--archive-scope", a.scope)
            args.add("--archive-file", file)
    ctx.actions.run(
        executable = ctx.executable._artifact,
        arguments = [args],
        inputs = depset(inputs, transitive = files),
        outputs = [out],
        execution_requirements = PATH_MAPPING,
        mnemonic = "ProgramSizes",
        progress_message = "Measuring what %{label} ships",
    )
    return out

program_sizes = aspect(
    implementation = _program_sizes_impl,
    doc = """Lists the programs and archives that a target ships, with their bytes.

`bazel build --aspects=@skainet//rules:aspects.bzl%program_sizes
--output_groups=program_sizes //app` writes `app.program_sizes.txt`: of each `iree_vmfb`
that is reached over any attribute, but for tools of the build, its row, the bytes of
the program and of its archives, and how many executables it has; of each
`irpa_archive` its scope and bytes; and the sums, in which each file counts once.""",
    attr_aspects = ["*"],
    attrs = {"_artifact": ARTIFACT},
)
