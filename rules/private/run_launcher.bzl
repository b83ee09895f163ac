"""The script of `bazel run` of programs."""

load("//toolchains/iree:toolchain.bzl", "RUNTIME_TYPE")
load(":archives.bzl", "archive_files")
load(":launcher.bzl", "launcher", "refusal", "word")
load(":runnable.bzl", "CPUS", "no_plugin", "run_fault")
load(":xla_executable.bzl", "xla_words")

# Attributes of a rule that is run with run_launcher or xla_run_launcher.
RUN_ATTRS = {
    "_cpus": CPUS,
    "_runner": attr.label(default = "//rules/tools/run", executable = True, cfg = "exec"),
    "_xla_runner": attr.label(default = "//rules/tools/xla", executable = True, cfg = "exec"),
}

def run_launcher(ctx, programs):
    """Writes the script that calls a program.

    Args:
      ctx: of a rule with RUN_ATTRS and RUNTIME_TOOLCHAINS.
      programs: a list of VmfbInfo of one export. If there are several, they are for
        processors, and the script calls the best for the one that it runs on.

    Returns:
      The script, and its runfiles.
    """
    info = programs[0]
    toolchain = ctx.toolchains[RUNTIME_TYPE]
    fault = None
    if not toolchain:
        fault = "VMFB_RUN: IREE has no runtime toolchain for this platform; copy the program there, or its .tar"
    else:
        fault = run_fault(ctx, info)
    if fault:
        # The program can run elsewhere, so the build does not fail.
        return refusal(ctx, fault), ctx.runfiles()
    runtime = toolchain.iree_runtime
    others = [p for p in programs[1:] if not run_fault(ctx, p)]
    words = [
        "run",
        word("%s", info.program),
    ] + [word("--alternative=%s", p.program) for p in others] + [
        word("--contract=%s", info.contract),
        "--device=" + info.device,
        word("--tool=%s", runtime.iree_run_module),
    ]
    if runtime.library:
        words.append(word("--library=%s", runtime.library))
    for a in info.archives:
        # Of other scopes than the weights', such as an adapter's, the user may name another.
        flag = "--archive=" if a.scope == "model" else "--default-archive="
        words += [word(flag + a.scope + "=%s", f) for f in a.files.to_list()]
    files = ctx.runfiles(
        [info.program, info.contract] + [p.program for p in others],
        transitive_files = depset(transitive = [archive_files(info.archives), runtime.files]),
    )
    return launcher(ctx, ctx.executable._runner, words), files.merge(ctx.attr._runner[DefaultInfo].default_runfiles)

def xla_run_launcher(ctx, info):
    """Writes the script that calls a program for XLA.

    Args:
      ctx: of a rule with RUN_ATTRS.
      info: XlaInfo.

    Returns:
      The script, and its runfiles.
    """
    if not info.plugin:
        # The program can run elsewhere, so the build does not fail.
        return refusal(ctx, no_plugin(info)), ctx.runfiles()
    words, files = xla_words(info)
    runfiles = ctx.runfiles(transitive_files = files).merge(ctx.attr._xla_runner[DefaultInfo].default_runfiles)
    return launcher(ctx, ctx.executable._xla_runner, ["run"] + words), runfiles
