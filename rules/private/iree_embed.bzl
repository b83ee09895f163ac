"""iree_go_embed: embeds a small program in a Go binary; also the code shared with iree_c_embed."""

load("@rules_go//go:def.bzl", "go_library")
load("//toolchains/iree:labels.bzl", "label_text")
load(":archives.bzl", "ARTIFACT", "archives_of", "check_archives")
load(":providers.bzl", "IrpaInfo", "VmfbInfo")

EMBED_ATTRS = {
    "archive": attr.label(providers = [IrpaInfo], doc = "The irpa_archive of its parameters; omit it for a program without parameters."),
    "program": attr.label(mandatory = True, providers = [VmfbInfo], doc = "The iree_vmfb."),
    "_artifact": ARTIFACT,
    "_tool": attr.label(default = "//rules/tools/embed", executable = True, cfg = "exec"),
}

def embed_parts(ctx):
    """Returns what both rules embed: program, archives, contract and scope.

    If the archives were packed for another contract, the check that they fit is an input of
    the action: nothing is embedded unless it passes.
    """
    program = ctx.attr.program[VmfbInfo]
    archives, scope = [], ""
    given = archives_of(ctx.label, program, [ctx.attr.archive] if ctx.attr.archive else [])
    for a in given:
        archives, scope = a.files.to_list(), a.scope
    checked = check_archives(ctx, ctx.label.name + ".archives.checked", program.contract, given)
    return program.program, archives, program.contract, scope, checked

def embed_run(ctx, program, archives, contract, scope, checked, words, outputs):
    """Declares the action that writes the sources.

    Args:
      ctx: of the rule.
      program: the .vmfb.
      archives: the .irpa files.
      contract: of the program.
      scope: of the archives.
      checked: the files that record that the archives fit.
      words: dict from an option of the tool to its value.
      outputs: the files that it writes.
    """
    args = ctx.actions.args()
    args.add("--label", label_text(ctx.label))
    args.add("--program", program)
    args.add("--contract", contract)
    if archives:
        args.add_all(archives, before_each = "--archive-file")
        args.add("--archive-scope", scope)
    for word, value in words.items():
        args.add(word, value)
    ctx.actions.run(
        executable = ctx.executable._tool,
        arguments = [args],
        inputs = [program, contract] + archives + checked,
        outputs = outputs,
        mnemonic = "IreeEmbed",
        progress_message = "Embedding %{label}",
    )

def _go_files_impl(ctx):
    # go:embed takes only files from the source's own folder.
    files = []
    program, archives, contract, scope, checked = embed_parts(ctx)
    parameters = ["parameters.irpa"] if len(archives) == 1 else ["parameters-%d.irpa" % (i + 1) for i in range(len(archives))]
    for name, file in zip(["program.vmfb", "contract.json"] + parameters, [program, contract] + archives):
        files.append(ctx.actions.declare_file("%s/%s" % (ctx.label.name, name)))
        ctx.actions.symlink(output = files[-1], target_file = file)
    source = ctx.actions.declare_file(ctx.label.name + "/embed.go")
    embed_run(
        ctx,
        files[0],
        files[2:],
        files[1],
        scope,
        checked,
        {"--go": source, "--package": ctx.attr.package},
        [source],
    )
    return [
        DefaultInfo(files = depset([source])),
        OutputGroupInfo(embedded = depset(files)),
    ]

_go_files = rule(
    implementation = _go_files_impl,
    doc = "The source of an iree_go_embed, next to the files that it embeds.",
    attrs = EMBED_ATTRS | {"package": attr.string(mandatory = True, doc = "The Go package's name.")},
)

def iree_go_embed(name, program, importpath, archive = None, package = None, **kwargs):
    """A go_library that holds a program: Program, Contract and, with an archive, Archive and Scope.

    For a split archive it holds Archives instead of Archive.

    For programs of up to 64 MiB; larger ones are loaded from files.

    Args:
      name: of the go_library.
      program: an iree_vmfb.
      importpath: the library's Go import path.
      archive: the program's irpa_archive; omit it for a program without parameters.
      package: the Go package name; the last element of importpath by default.
      **kwargs: of go_library.
    """
    common = {k: kwargs[k] for k in ["tags", "testonly", "target_compatible_with"] if k in kwargs}
    _go_files(
        name = name + "_files",
        archive = archive,
        package = package or importpath.rpartition("/")[2],
        program = program,
        visibility = ["//visibility:private"],
        **common
    )
    native.filegroup(
        name = name + "_embedded",
        srcs = [name + "_files"],
        output_group = "embedded",
        visibility = ["//visibility:private"],
        **common
    )
    go_library(
        name = name,
        srcs = [name + "_files"],
        embedsrcs = [name + "_embedded"],
        importpath = importpath,
        **kwargs
    )
