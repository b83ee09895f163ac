"""iree_bench: measures how long calls of a program take."""

load("//toolchains/iree:labels.bzl", "label_text")
load(":archives.bzl", "archive_files", "need_archives")
load(":launcher.bzl", "launcher", "word")
load(":providers.bzl", "PROGRAM", "VmfbInfo", "XlaInfo")
load(":runnable.bzl", "CPUS", "RUNTIME_TOOLCHAINS", "need_plugin", "need_runnable", "runtime_of")
load(":xla_executable.bzl", "XLA_INHERITED", "xla_words")

def _on_xla(ctx, program):
    need_plugin(ctx, program)
    need_archives(ctx.label, program, program.archives)
    words, files = xla_words(program)
    return [
        DefaultInfo(
            executable = launcher(ctx, ctx.executable._xla_tool, ["bench"] + words + ctx.attr.bench_args),
            runfiles = ctx.runfiles(transitive_files = files).merge(ctx.attr._xla_tool[DefaultInfo].default_runfiles),
        ),
        RunEnvironmentInfo(environment = ctx.attr.env, inherited_environment = ctx.attr.env_inherit + XLA_INHERITED),
    ]

def _iree_bench_impl(ctx):
    if XlaInfo in ctx.attr.program:
        return _on_xla(ctx, ctx.attr.program[XlaInfo])
    program = ctx.attr.program[VmfbInfo]
    runtime = runtime_of(ctx)
    need_runnable(ctx, program)
    need_archives(ctx.label, program, program.archives)
    if not runtime.library:
        fail("%s: BENCH_RUNTIME: the runtime of this platform has no libireert, so each call would measure the start of a tool; use a platform that has it" % label_text(ctx.label))
    words = [
        "bench",
        word("%s", program.program),
        word("--contract=%s", program.contract),
        "--device=" + (ctx.attr.device or program.device),
        word("--library=%s", runtime.library),
        word("--iree-benchmark-module=%s", runtime.iree_benchmark_module),
    ]
    more = [runtime.iree_profile] if runtime.iree_profile else []
    if more:
        words.append(word("--iree-profile=%s", runtime.iree_profile))
    for a in program.archives:
        words += [word("--archive=" + a.scope + "=%s", f) for f in a.files.to_list()]
    files = ctx.runfiles(
        [program.program, program.contract] + more,
        transitive_files = depset(transitive = [archive_files(program.archives), runtime.files]),
    )
    return [
        DefaultInfo(
            executable = launcher(ctx, ctx.executable._tool, words + ctx.attr.bench_args),
            runfiles = files.merge(ctx.attr._tool[DefaultInfo].default_runfiles),
        ),
        RunEnvironmentInfo(environment = ctx.attr.env, inherited_environment = ctx.attr.env_inherit),
    ]

iree_bench = rule(
    implementation = _iree_bench_impl,
    doc = """Measures calls of a program: `bazel run :m.bench`.

Prints the shortest, median and longest call of each entry point, and their
spread. Arguments are given by name as for `bazel run` of the program; values
are made up for the rest. A build measures nothing; run it on an idle machine.

`bazel run :m.bench -- --dispatches` prints what each dispatch of a program for CPUs takes on
one thread, with its GFLOP/s where it is a product of known sizes, and the share of what the core
does. `bazel build :m_vmfb_cpu --output_groups=+dispatches` writes the text that
`--dispatch-text=` reads for GB/s and for the products of this repository's kernels.""",
    attrs = {
        "program": attr.label(mandatory = True, providers = PROGRAM, doc = "An iree_vmfb or xla_executable with its archives."),
        "device": attr.string(doc = "The runtime's device; that of the program's target by default."),
        "bench_args": attr.string_list(doc = "Arguments placed before those of the command line, such as --rounds=50."),
        "env": attr.string_dict(doc = "Environment of the program."),
        "env_inherit": attr.string_list(doc = "Variables to pass on."),
        "_tool": attr.label(default = "//rules/tools/run", executable = True, cfg = "target"),
        "_xla_tool": attr.label(default = "//rules/tools/xla", executable = True, cfg = "target"),
        "_cpus": CPUS,
    },
    executable = True,
    toolchains = RUNTIME_TOOLCHAINS,
)
