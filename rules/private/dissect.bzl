"""The output groups that inspect a program: sizes, dispatches, asm."""

load("//toolchains/iree:toolchain.bzl", "COMPILER_TYPE")
load(":archives.bzl", "PATH_MAPPING", "add_archives", "archive_files", "artifact_args")

def declare_sizes(ctx, info):
    """Declares NAME.sizes.json: bytes of text, program, executables and archives.

    Args:
      ctx: of a rule with the attribute _artifact.
      info: VmfbInfo.

    Returns:
      A depset of File.
    """
    out = ctx.actions.declare_file(ctx.label.name + ".sizes.json")
    args = artifact_args(ctx, "sizes")
    args.add("--text", info.text)
    args.add("--program", info.program)
    args.add("--output", out)
    add_archives(args, info.archives)
    ctx.actions.run(
        executable = ctx.executable._artifact,
        arguments = [args],
        inputs = depset([info.text, info.program], transitive = [archive_files(info.archives)]),
        outputs = [out],
        execution_requirements = PATH_MAPPING,
        mnemonic = "IreeSizes",
        progress_message = "Measuring %{label}",
    )
    return depset([out])

def declare_dispatches(ctx, info, compiler):
    """Declares NAME.dispatches.mlir, the executables as text, and NAME.dispatches.dot, their graph.

    Args:
      ctx: of a rule with the attribute _artifact.
      info: VmfbInfo.
      compiler: IreeCompilerInfo.

    Returns:
      A depset of File.
    """
    text = ctx.actions.declare_file(ctx.label.name + ".dispatches.mlir")
    graph = ctx.actions.declare_file(ctx.label.name + ".dispatches.dot")
    args = artifact_args(ctx, "dispatches")
    args.add("--output", text)
    args.add("--graph", graph)
    _compile(ctx, info, compiler, args, [text, graph], "IreeDispatches", "Dispatches of %{label}")
    return depset([text, graph])

def declare_asm(ctx, info, compiler):
    """Declares NAME.asm.tar, the code of each executable as text.

    Args:
      ctx: of a rule with the attribute _artifact.
      info: VmfbInfo.
      compiler: IreeCompilerInfo.

    Returns:
      A depset of File.
    """
    out = ctx.actions.declare_file(ctx.label.name + ".asm.tar")
    args = artifact_args(ctx, "asm")
    args.add("--output", out)
    _compile(ctx, info, compiler, args, [out], "IreeAsm", "Code of %{label}")
    return depset([out])

def _resources(_os, _inputs):
    return {"cpu": 2, "memory": 500}

def _compile(ctx, info, compiler, args, outputs, mnemonic, message):
    args.add("--compiler", compiler.iree_compile)
    args.add("--linker", compiler.iree_lld)
    args.add("--text", info.text)
    args.add_all(info.flags, before_each = "--flag")
    ctx.actions.run(
        executable = ctx.executable._artifact,
        arguments = [args],
        inputs = depset([info.text], transitive = [compiler.files]),
        outputs = outputs,
        resource_set = _resources,
        execution_requirements = PATH_MAPPING,
        mnemonic = mnemonic,
        progress_message = message,
        toolchain = COMPILER_TYPE,
    )
