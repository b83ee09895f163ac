"""The arguments of the comparison with the CPU reference, for tests and layer_diff."""

load("//tools/repos:environment.bzl", "ToolEnvironmentInfo")
load(":archives.bzl", "ARTIFACT", "archive_files", "archives_of", "check_archives", "need_archives")
load(":launcher.bzl", "word")
load(":providers.bzl", "IrpaInfo", "PROGRAM", "VmfbInfo", "WeightsIndexInfo", "XlaInfo")
load(":runnable.bzl", "CPUS", "need_plugin", "need_runnable", "need_version", "runtime_of")

PARITY_ATTRS = {
    "driver": attr.label(
        default = "//rules/tools/paritygraph",
        executable = True,
        cfg = "target",
        doc = "The program that compares, with the model linked in; by default the one that reads the model from `graph`.",
    ),
    "graph": attr.label(allow_single_file = [".json"], doc = "The model as a graph file, for the default `driver`."),
    "program": attr.label(mandatory = True, providers = PROGRAM, doc = "An iree_vmfb or xla_executable."),
    "archive": attr.label(mandatory = True, providers = [IrpaInfo], doc = "The irpa_archive of the same export, even if it is empty."),
    "scope_archives": attr.label_list(providers = [IrpaInfo], doc = "The irpa_archive of each other scope."),
    "index": attr.label(providers = [WeightsIndexInfo], doc = "The weights_index that the program was exported from."),
    "device": attr.string(doc = "The runtime's device; that of the program's target by default."),
    "dtype": attr.string(doc = "The precision that the program was exported in."),
    "inputs": attr.string_dict(doc = "Dict from arguments to the range of their made-up values, such as `0..30521`."),
    "recorded": attr.label_keyed_string_dict(allow_files = [".npy", ".npz"], doc = "Dict from files to the recorded cases that they belong to, separated by commas."),
    "sizes": attr.string_list(doc = "The sizes of named dimensions for each made-up call, such as `batch=1,seq=16`."),
    "weight_policy": attr.string(doc = "The weight policy that it was exported with."),
    "env": attr.string_dict(doc = "Environment of the program that compares."),
    "runner": attr.label(allow_single_file = True, doc = "The static runner for the program's processor, which the prefix of tools emulates."),
    "tools": attr.label(providers = [ToolEnvironmentInfo], doc = "A tool_environment that the device needs, such as a software driver."),
    "_artifact": ARTIFACT,
    "_cpus": CPUS,
}

def parity_words(ctx):
    """Returns how the comparison is started.

    Args:
      ctx: of a rule with PARITY_ATTRS.

    Returns:
      struct(words and prefix for launcher, runfiles, environment, validation).
    """
    emulated = ctx.file.runner != None
    if XlaInfo in ctx.attr.program:
        program = ctx.attr.program[XlaInfo]
        need_plugin(ctx, program)
        engine = struct(words = [word("--plugin=%s", program.plugin)], library = None, files = depset([program.plugin]))
    else:
        program = ctx.attr.program[VmfbInfo]
        runtime = runtime_of(ctx)
        if emulated:
            need_version(ctx, program)
        else:
            need_runnable(ctx, program)
        engine = struct(words = [word("--tool=%s", runtime.iree_run_module)], library = runtime.library, files = runtime.files)

    # The archive of a model without parameters is empty and has no scope.
    archives = archives_of(ctx.label, program, [ctx.attr.archive] + ctx.attr.scope_archives) if program.scopes else []
    need_archives(ctx.label, program, archives)
    words = [
        word("--program=%s", program.program),
        word("--contract=%s", program.contract),
        "--device=" + (ctx.attr.device or program.device),
    ] + engine.words
    for a in archives:
        words += [word("--archive=" + a.scope + "=%s", f) for f in a.files.to_list()]
    tools = ctx.attr.tools[ToolEnvironmentInfo] if ctx.attr.tools else None
    if emulated:
        words.append(word("--runner=%s", ctx.file.runner))
        words += ["--tool-prefix=" + w for w in (tools.prefix if tools else [])]
    elif engine.library:
        words.append(word("--library=%s", engine.library))
    if ctx.attr.dtype:
        words.append("--dtype=" + ctx.attr.dtype)
    if ctx.attr.weight_policy:
        words.append("--weights=" + ctx.attr.weight_policy)
    inputs = [program.program, program.contract]
    if ctx.file.graph:
        words.append(word("--graph=%s", ctx.file.graph))
        inputs.append(ctx.file.graph)
    words += ["--input=%s=%s" % (name, values) for name, values in ctx.attr.inputs.items()]
    words += ["--sizes=" + sizes for sizes in ctx.attr.sizes]
    words += _recorded(ctx)
    inputs += ctx.files.recorded
    if ctx.attr.index:
        index = ctx.attr.index[WeightsIndexInfo].index
        words.append(word("--index=%s", index))
        inputs.append(index)
    if emulated:
        inputs.append(ctx.file.runner)
    files = [archive_files(archives), engine.files] + ([tools.files] if tools else [])
    runfiles = ctx.runfiles(inputs, transitive_files = depset(transitive = files))
    return struct(
        words = words,
        prefix = tools.prefix if tools and not emulated else [],
        runfiles = runfiles.merge(ctx.attr.driver[DefaultInfo].default_runfiles),
        environment = (tools.variables if tools else {}) | ctx.attr.env,
        validation = depset(check_archives(ctx, ctx.label.name + ".archives.checked", program.contract, archives)),
    )

def _recorded(ctx):
    return [
        word("--recorded=" + case + "=%s", f)
        for target, cases in ctx.attr.recorded.items()
        for case in cases.split(",")
        for f in target[DefaultInfo].files.to_list()
    ]

def bisect_words(program, compiler):
    """Returns the additional arguments with which the comparison finds the faulty operation.

    Args:
      program: VmfbInfo or XlaInfo.
      compiler: IreeCompilerInfo.

    Returns:
      A list for launcher.
    """
    if hasattr(program, "level"):
        return ["--bisect"] + (["--level=" + program.level] if program.level else [])
    words = [
        "--bisect",
        word("--compiler=%s", compiler.iree_compile),
        word("--linker=%s", compiler.iree_lld),
    ]
    if program.kernels:
        words.append("--kernels")
    if program.f16 == "integers":
        words.append("--integer-f16")
    if program.wide:
        words.append("--wide")
    if program.bytes:
        words.append("--bytes")
    return words + ["--flag=" + f for f in program.flags]
