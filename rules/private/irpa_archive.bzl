"""irpa_archive: the parameters of a program, packed from its weights."""

load("//toolchains/iree:labels.bzl", "label_text")
load(":archives.bzl", "PATH_MAPPING")
load(":providers.bzl", "IrpaInfo", "StableHloInfo")
load(":weight_files.bzl", "SHARDS", "weight_files")

_UNITS = ["", "B", "kB", "KiB", "MB", "MiB", "GB", "GiB", "TB", "TiB"]
_MAX_SPLIT = 256

def split_fault(split, max_shard_size):
    """Checks how an archive is to be split.

    Args:
      split: a number of archives.
      max_shard_size: a size as text, or "".

    Returns:
      An error message, "CODE: what is wrong; what to write instead", or None.
    """
    if split < 1 or split > _MAX_SPLIT:
        return "IRPA_SPLIT: split = %d; give a number of archives from 1 to %d" % (split, _MAX_SPLIT)
    if not max_shard_size:
        return None
    if split == 1:
        return "IRPA_SPLIT: max_shard_size without split: the number of files is fixed before the weights are read; set split = 2 too, or the number that the build then reports"
    digits = max_shard_size.rstrip("BkKMGTi ")
    if not digits.isdigit() or max_shard_size[len(digits):].strip() not in _UNITS:
        return "IRPA_SPLIT: max_shard_size = %s is not a size; write one such as \"1GiB\"" % repr(max_shard_size)
    return None

def _names(name, split):
    """Returns the names of the files, as io/irpa names them."""
    if split == 1:
        return [name + ".irpa"]
    return ["%s-%s-of-%s.irpa" % (name, _five(i + 1), _five(split)) for i in range(split)]

def _five(n):
    return ("0000" + str(n))[-5:]

def _irpa_archive_impl(ctx):
    fault = split_fault(ctx.attr.split, ctx.attr.max_shard_size)
    if fault:
        fail("%s: %s" % (label_text(ctx.label), fault))
    export = ctx.attr.export[StableHloInfo]
    outs = [ctx.actions.declare_file(name) for name in _names(ctx.label.name, ctx.attr.split)]
    args = ctx.actions.args()
    args.add("pack")
    args.add("--contract", export.contract)
    args.add("--constants", export.constants)
    args.add("--scope", ctx.attr.scope)
    args.add("--output", outs[0])
    if ctx.attr.split > 1:
        args.add("--shards", ctx.attr.split)
    if ctx.attr.max_shard_size:
        args.add("--max-shard-size", ctx.attr.max_shard_size)
    if ctx.file.weights:
        args.add("--weights", ctx.file.weights)
    if ctx.attr.zeros:
        args.add("--zeros")
    ctx.actions.run(
        executable = ctx.executable._tool,
        arguments = [args],
        inputs = [export.contract, export.constants] + weight_files(ctx),
        outputs = outs,
        execution_requirements = PATH_MAPPING,
        mnemonic = "IrpaPack",
        progress_message = "Packing weights of %{label}",
    )

    # The written archive is read back and compared with the contract:
    # the runtime itself accepts a parameter that is longer than the program
    # expects and uses its beginning.
    checked = ctx.actions.declare_file(ctx.label.name + ".checked")
    check = ctx.actions.args()
    check.add("verify")
    check.add("--contract", export.contract)
    check.add("--scope", ctx.attr.scope)
    check.add_all(outs, before_each = "--archive")
    check.add("--output", checked)
    ctx.actions.run(
        executable = ctx.executable._tool,
        arguments = [check],
        inputs = [export.contract] + outs,
        outputs = [checked],
        execution_requirements = PATH_MAPPING,
        mnemonic = "IrpaVerify",
        progress_message = "Checking %{label} against its contract",
    )
    return [
        DefaultInfo(files = depset(outs)),
        IrpaInfo(archives = depset(outs), scope = ctx.attr.scope, contract = export.contract),
        OutputGroupInfo(irpa = depset(outs), contract = depset([export.contract]), _validation = depset([checked])),
    ]

irpa_archive = rule(
    implementation = _irpa_archive_impl,
    doc = """Packs the parameters that a program needs into one archive, or `split` of them.

Bytes are copied as stored, in the order of the contract. The build
fails if archive and program do not match: a key that is missing or unused,
or a different length, element type or shape.

Split archives are `NAME-00001-of-00002.irpa` and so on, each a complete archive.
They share one scope, and every rule that takes the target takes them all. Which
parameter lies in which depends only on the contract.""",
    attrs = {
        "export": attr.label(mandatory = True, providers = [StableHloInfo], doc = "The stablehlo_export whose parameters to pack."),
        "weights": attr.label(allow_single_file = True, doc = "The weight file; omit it if all parameters are constants of the model."),
        "shards": SHARDS,
        "zeros": attr.bool(doc = "Make zeros of the parameters that the weight file lacks; without one, of all: an adapter that changes nothing."),
        "split": attr.int(
            default = 1,
            doc = "How many archives to make, up to 256, for a cache that limits the size of a blob. Parameters stay in the " +
                  "order of the contract, and the largest archive is as small as that allows. A build knows the files of an " +
                  "action before it runs, so the number is given and not the size.",
        ),
        "max_shard_size": attr.string(doc = "With `split`: the maximum size of an archive, such as 1GiB. The build fails if one exceeds it, and reports a number that is enough."),
        "scope": attr.string(default = "model", doc = "The parameter scope."),
        "_tool": attr.label(default = "//rules/tools/pack", executable = True, cfg = "exec"),
    },
    provides = [IrpaInfo],
)
