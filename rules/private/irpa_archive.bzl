"""irpa_archive: the parameters of a program, packed from its weights."""

load(":archives.bzl", "PATH_MAPPING")
load(":providers.bzl", "IrpaInfo", "StableHloInfo")
load(":weight_files.bzl", "SHARDS", "weight_files")

def _irpa_archive_impl(ctx):
    export = ctx.attr.export[StableHloInfo]
    out = ctx.actions.declare_file(ctx.label.name + ".irpa")
    args = ctx.actions.args()
    args.add("pack")
    args.add("--no-sync")  # Bazel makes it again after a power failure
    args.add("--contract", export.contract)
    args.add("--constants", export.constants)
    args.add("--scope", ctx.attr.scope)
    args.add("--output", out)
    if ctx.file.weights:
        args.add("--weights", ctx.file.weights)
    ctx.actions.run(
        executable = ctx.executable._tool,
        arguments = [args],
        inputs = [export.contract, export.constants] + weight_files(ctx),
        outputs = [out],
        execution_requirements = PATH_MAPPING,
        mnemonic = "IrpaPack",
        progress_message = "Packing weights of %{label}",
    )

    # The archive that was written is read back and compared with the contract:
    # the runtime itself accepts a parameter that is longer than the program
    # expects and uses its beginning.
    checked = ctx.actions.declare_file(ctx.label.name + ".checked")
    check = ctx.actions.args()
    check.add("verify")
    check.add("--contract", export.contract)
    check.add("--scope", ctx.attr.scope)
    check.add("--archive", out)
    check.add("--output", checked)
    ctx.actions.run(
        executable = ctx.executable._tool,
        arguments = [check],
        inputs = [export.contract, out],
        outputs = [checked],
        execution_requirements = PATH_MAPPING,
        mnemonic = "IrpaVerify",
        progress_message = "Checking %{label} against its contract",
    )
    return [
        DefaultInfo(files = depset([out])),
        IrpaInfo(archives = depset([out]), scope = ctx.attr.scope, contract = export.contract),
        OutputGroupInfo(irpa = depset([out]), contract = depset([export.contract]), _validation = depset([checked])),
    ]

irpa_archive = rule(
    implementation = _irpa_archive_impl,
    doc = """Packs the parameters that a program needs into one archive.

Bytes are copied as they are stored, in the order of the contract. The build
fails where archive and program do not fit: a key that is missing or left over,
another length, element type or shape.""",
    attrs = {
        "export": attr.label(mandatory = True, providers = [StableHloInfo], doc = "The stablehlo_export whose parameters to pack."),
        "weights": attr.label(allow_single_file = True, doc = "The weight file; none where all parameters are constants of the model."),
        "shards": SHARDS,
        "scope": attr.string(default = "model", doc = "The parameter scope."),
        "_tool": attr.label(default = "//cmd/skainet", executable = True, cfg = "exec"),
    },
    provides = [IrpaInfo],
)
