"""program_sizes: the programs and archives that a target ships, and their bytes."""

load(":archives.bzl", "ARTIFACT", "PATH_MAPPING", "artifact_args")
load(":providers.bzl", "IrpaInfo", "VmfbInfo")

ProgramSizesInfo = provider(
    doc = "The programs and archives that a target ships, itself or through what it depends on.",
    fields = {
        "programs": "depset of struct(label = string, target = string, sizes = File): each iree_vmfb, its row and its output group sizes.",
        "archives": "depset of struct(label = string, scope = string, files = depset of File): each irpa_archive.",
    },
)

# What a target takes along. Not the edges by which a program is made: `export`, tools.
_EDGES = [
    "actual",
    "archive",
    "archives",
    "binary",
    "data",
    "deps",
    "embed",
    "embedsrcs",
    "program",
    "runtime_deps",
    "srcs",
]

def _targets(value):
    """The targets in an attribute's value: one, a list, or the keys or values of a dict."""
    if type(value) == "Target":
        return [value]
    if type(value) == "dict":
        value = value.keys() + value.values()
    if type(value) == "list":
        return [v for v in value if type(v) == "Target"]
    return []

def _program_sizes_impl(target, ctx):
    below = [
        dep[ProgramSizesInfo]
        for edge in _EDGES
        for dep in _targets(getattr(ctx.rule.attr, edge, None))
        if ProgramSizesInfo in dep
    ]
    label = str(target.label).removeprefix("@@")
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
        args.add_joined("--program", [p.label, p.target, p.sizes], join_with = "|")
        inputs.append(p.sizes)
    files = []
    for a in info.archives.to_list():
        files.append(a.files)
        for file in a.files.to_list():
            args.add_joined("--archive", [a.label, a.scope, file], join_with = "|")
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
that is reached over `data`, `deps`, `embedsrcs`, `srcs` and the like its row, the bytes
of the program and of its archives, and how many executables it has; of each
`irpa_archive` its scope and bytes; and the sums, in which each file counts once.""",
    attr_aspects = _EDGES,
    attrs = {"_artifact": ARTIFACT},
)
