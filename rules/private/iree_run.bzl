"""iree_run: one call of a compiled program, as a build action."""

load("//toolchains/iree:labels.bzl", "label_text")
load("//toolchains/iree:toolchain.bzl", "RUNTIME_TYPE")
load(":archives.bzl", "PATH_MAPPING", "archive_files", "archives_of", "need_archives")
load(":providers.bzl", "IrpaInfo", "VmfbInfo")
load(":runnable.bzl", "CPUS", "RUNTIME_TOOLCHAINS", "need_runnable", "runtime_of")

def _iree_run_impl(ctx):
    program = ctx.attr.program[VmfbInfo]
    runtime = runtime_of(ctx)
    need_runnable(ctx, program)
    archives = archives_of(ctx.label, program, [ctx.attr.archive]) if ctx.attr.archive else program.archives
    need_archives(ctx.label, program, archives)
    printed = ctx.actions.declare_file(ctx.label.name + ".txt")
    results = [ctx.actions.declare_file("%s.%s.npy" % (ctx.label.name, r)) for r in ctx.attr.results]
    inputs = [program.program, program.contract]

    args = ctx.actions.args()

    # Values may be long.
    args.use_param_file("@%s")
    args.set_param_file_format("multiline")
    args.add("run")
    args.add(program.program)
    args.add("--contract", program.contract)
    args.add("--device", ctx.attr.device or program.device)
    if ctx.attr.entry:
        args.add("--entry", ctx.attr.entry)
    for a in archives:
        args.add_all(a.files, before_each = "--archive", format_each = a.scope + "=%s")

    # In process if the library was built, else through the tool.
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
            fail("%s: RUN_ARGUMENT: %s: argument %r takes one file, but the label provides %d" % (label_text(ctx.label), label_text(target.label), name, len(file)))
        args.add(file[0], format = name + "=@%s")
        inputs += file

    ctx.actions.run(
        executable = ctx.executable._tool,
        arguments = [args],
        inputs = depset(inputs, transitive = [runtime.files, archive_files(archives)]),
        outputs = [printed] + results,
        execution_requirements = PATH_MAPPING,
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
    doc = """Calls an entry point once and keeps its results.

The runtime is the target platform's, as for tests: the machine that builds
must be able to run it.""",
    attrs = {
        "program": attr.label(mandatory = True, providers = [VmfbInfo], doc = "An iree_vmfb."),
        "archive": attr.label(providers = [IrpaInfo], doc = "The irpa_archive to run it with; the program's archives by default."),
        "entry": attr.string(doc = "The entry point; optional if there is only one."),
        "values": attr.string_dict(doc = "Arguments by name, as text."),
        "files": attr.label_keyed_string_dict(allow_files = [".npy"], doc = "Maps a .npy file to the argument that it holds."),
        "results": attr.string_list(doc = "Results to write as NAME.RESULT.npy instead of printing them."),
        "device": attr.string(doc = "The runtime's device; that of the program's target by default."),
        "_tool": attr.label(default = "//rules/tools/run", executable = True, cfg = "exec"),
        "_cpus": CPUS,
    },
    toolchains = RUNTIME_TOOLCHAINS,
)

def files_of(args):
    """Returns the arguments that are labels of files.

    Args:
      args: as in iree_run.

    Returns:
      A dict with the subset of args.
    """
    return {a: v for a, v in args.items() if v[:1] in [":", "/", "@"]}

def run_faults(args):
    """Checks arguments as written in a BUILD file.

    Args:
      args: as in iree_run.

    Returns:
      An error message, "CODE: what is wrong; what to write instead", or None.
    """
    if type(args) != "dict":
        return "RUN_ARGUMENT: args is %r; write a dict from an argument's name to its value: args = {\"x\": \"1,2\"}" % (args,)
    for a, v in args.items():
        if type(v) != "string":
            return "RUN_ARGUMENT: the value of %s is %r; write it as text, all elements in row-major order: args = {%r: \"1,2\"}" % (a, v, a)
    seen = {}
    for a, v in files_of(args).items():
        if v in seen:
            return "RUN_ARGUMENT: %s is given for both %s and %s; copy it with copy_file for one of them" % (v, seen[v], a)
        seen[v] = a
    return None

def iree_run(name, program, args = {}, **kwargs):
    """Calls an entry point of a program in a build action.

    Writes `NAME.txt`, one line for each result, and `NAME.RESULT.npy` for each of
    `results`, which then do not appear in the text.

    Args:
      name: of the target.
      program: an iree_vmfb.
      args: dict from an argument's name to its value: all elements in row-major
        order, as in `"1,2,3"`, or the label of a .npy file (`":x"`, `"//p:x"`,
        `"@r//:x"`).
      **kwargs: `archive`, `entry`, `results`, `device`, and common attributes.
    """
    fault = run_faults(args)
    if fault:
        fail("%s: %s" % (name, fault))
    files = files_of(args)
    _iree_run(
        name = name,
        program = program,
        files = {v: a for a, v in files.items()},
        values = {a: v for a, v in args.items() if a not in files},
        **kwargs
    )
