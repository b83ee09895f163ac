"""program_sizes: the programs and archives that a target ships, and their sizes in bytes."""

load("//toolchains/iree:labels.bzl", "label_text")
load(":archives.bzl", "ARTIFACT", "PATH_MAPPING", "artifact_args")
load(":providers.bzl", "IrpaInfo", "VmfbInfo", "XlaInfo")

ProgramSizesInfo = provider(
    doc = "The programs and archives that a target ships, directly or through its dependencies.",
    fields = {
        "programs": "depset of struct(label = string, target = string, sizes = File): each iree_vmfb, its row and its output group sizes.",
        "archives": "depset of struct(label = string, scope = string, files = depset of File): each irpa_archive.",
    },
)

def _targets(value):
    """Returns the targets in an attribute's value: one, a list, or the keys or values of a dict."""
    if type(value) == "dict":
        value = value.keys() + value.values()
    if type(value) != "list":
        value = [value]
    flat = []
    for v in value:  # a value of a dict may be a list
        flat += v if type(v) == "list" else [v]
    return [v for v in flat if type(v) == "Target"]

def _is_tool(ctx):
    """Returns whether a target is only a build tool, judged by the folder of its configuration."""
    folder = ctx.bin_dir.path.split("/")[1] if "/" in ctx.bin_dir.path else ""
    return folder.endswith("-exec") or "-exec-ST-" in folder

def _edges(target, ctx):
    """Returns the attributes through which a target ships others.

    A rule may name its attributes freely, so these are all of them, except that for a program
    or an archive the attributes that it is built from are left out.
    """
    if IrpaInfo in target:
        return []
    return ["archives"] if VmfbInfo in target or XlaInfo in target else dir(ctx.rule.attr)

def _program_sizes_impl(target, ctx):
    # An analysis test ships nothing and must not have actions.
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
    # Other targets of the package may differ from this one only in the suffix.
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
--output_groups=program_sizes //app` writes `app.program_sizes.txt`: for each `iree_vmfb`
reachable through any attribute except build tools, its row, the size of
the program and of its archives, and its number of executables; for each
`irpa_archive` its scope and size; and the totals, in which each file counts once.""",
    attr_aspects = ["*"],
    attrs = {"_artifact": ARTIFACT},
)
