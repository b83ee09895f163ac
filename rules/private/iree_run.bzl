"""iree_run: one call of a compiled program, as a build action."""

load("//toolchains/iree:toolchain.bzl", "RUNTIME_TYPE")
load(":providers.bzl", "IrpaInfo", "VmfbInfo")

def _iree_run_impl(ctx):
    program = ctx.attr.program[VmfbInfo]
    runtime = ctx.toolchains[RUNTIME_TYPE].iree_runtime
    printed = ctx.actions.declare_file(ctx.label.name + ".txt")
    results = [ctx.actions.declare_file("%s.%s.npy" % (ctx.label.name, r)) for r in ctx.attr.results]
    inputs = [program.program, program.contract]

    args = ctx.actions.args()
    args.add("run")
    args.add(program.program)
    args.add("--contract", program.contract)
    args.add("--device", ctx.attr.device or program.device)
    if ctx.attr.entry:
        args.add("--entry", ctx.attr.entry)
    if ctx.attr.archive:
        info = ctx.attr.archive[IrpaInfo]
        args.add_all(info.archives, before_each = "--archive", format_each = info.scope + "=%s")
        inputs += info.archives.to_list()

    # In process where the library was built, else through the tool.
    if runtime.library:
        args.add("--library", runtime.library)
    args.add("--tool", runtime.iree_run_module)
    for name, file in zip(ctx.attr.results, results):
        args.add(file, format = "--output=" + name + "=%s")
    args.add("--text", printed)
    for name, text in ctx.attr.values.items():
        args.add("%s=%s" % (name, text))
    for target, name in ctx.attr.files.items():
        file = target[DefaultInfo].files.to_list()
        if len(file) != 1:
            fail("%s: RUN_ARGUMENT: %s: argument %r takes one file, the label gives %d" % (ctx.label, target.label, name, len(file)))
        args.add(file[0], format = name + "=@%s")
        inputs += file

    ctx.actions.run(
        executable = ctx.executable._tool,
        arguments = [args],
        inputs = depset(inputs, transitive = [runtime.files]),
        outputs = [printed] + results,
        mnemonic = "IreeRun",
        progress_message = "Running %{label}",
        toolchain = RUNTIME_TYPE,
    )
    return [
        DefaultInfo(files = depset([printed] + results)),
        OutputGroupInfo(text = depset([printed]), results = depset(results)),
    ]

_iree_run = rule(
    implementation = _iree_run_impl,
    doc = """Calls an entry point once and keeps what it gives.

The runtime is the target platform's, as for tests: the machine that builds
must be able to run it.""",
    attrs = {
        "program": attr.label(mandatory = True, providers = [VmfbInfo], doc = "An iree_vmfb."),
        "archive": attr.label(providers = [IrpaInfo], doc = "The program's irpa_archive; none for a program without parameters."),
        "entry": attr.string(doc = "The entry point; may be left out where there is one."),
        "values": attr.string_dict(doc = "Arguments by name, as text."),
        "files": attr.label_keyed_string_dict(allow_files = [".npy"], doc = "From a .npy file to the argument that it is."),
        "results": attr.string_list(doc = "Results to write as NAME.RESULT.npy in place of printing them."),
        "device": attr.string(doc = "The runtime's device; that of the program's target by default."),
        "_tool": attr.label(default = "//cmd/skainet", executable = True, cfg = "exec"),
    },
    toolchains = [RUNTIME_TYPE],
)

def iree_run(name, program, args = {}, **kwargs):
    """Calls an entry point of a program in a build action.

    Gives `NAME.txt`, a line for each result, and `NAME.RESULT.npy` for each of
    `results`, which are then not in the text.

    Args:
      name: of the target.
      program: an iree_vmfb.
      args: from an argument's name to its value: all elements in row-major
        order, as in `"1,2,3"`, or the label of a .npy file (`":x"`, `"//p:x"`,
        `"@r//:x"`).
      **kwargs: `archive`, `entry`, `results`, `device`, and what any target takes.
    """
    files = {a: v for a, v in args.items() if v[:1] in [":", "/", "@"]}
    if len({v: None for v in files.values()}) < len(files):
        fail("%s: RUN_ARGUMENT: one file is given for two arguments" % name)
    _iree_run(
        name = name,
        program = program,
        files = {v: a for a, v in files.items()},
        values = {a: v for a, v in args.items() if a not in files},
        **kwargs
    )
