"""shared_archive: the archives of several programs as one."""

load("//toolchains/iree:labels.bzl", "label_text")
load(":archives.bzl", "PATH_MAPPING")
load(":providers.bzl", "IrpaInfo")

def _shared_archive_impl(ctx):
    infos = [a[IrpaInfo] for a in ctx.attr.archives]
    for target, info in zip(ctx.attr.archives, infos):
        if info.scope != infos[0].scope:
            fail("%s: PROGRAM_SCOPES: %s has the scope %r, %s the scope %r; an archive is of one scope" %
                 (label_text(ctx.label), label_text(ctx.attr.archives[0].label), infos[0].scope, label_text(target.label), info.scope))
    out = ctx.actions.declare_file(ctx.label.name + ".irpa")
    contract = ctx.actions.declare_file(ctx.label.name + ".contract.json")
    archives = depset(transitive = [i.archives for i in infos])
    contracts = [i.contract for i in infos]
    args = ctx.actions.args()
    args.add("join")
    args.add("--name", ctx.label.name)
    args.add_all(archives, before_each = "--archive")
    args.add_all(contracts, before_each = "--contract")
    args.add("--output", out)
    args.add("--output-contract", contract)
    ctx.actions.run(
        executable = ctx.executable._tool,
        arguments = [args],
        inputs = depset(contracts, transitive = [archives]),
        outputs = [out, contract],
        execution_requirements = PATH_MAPPING,
        mnemonic = "IrpaJoin",
        progress_message = "Joining the archives of %{label}",
    )
    return [
        DefaultInfo(files = depset([out])),
        IrpaInfo(archives = depset([out]), scope = infos[0].scope, contract = contract),
        OutputGroupInfo(irpa = depset([out]), contract = depset([contract])),
    ]

shared_archive = rule(
    implementation = _shared_archive_impl,
    doc = """Joins the archives of several programs to one that each of them is run with.

Parameters of one key are one: they must have the same type and the same bytes in all, as
those of an encoder and a decoder that were exported from one model have. The models name the
archive in their attribute `archive`:

    shared_archive(
        name = "weights",
        archives = [":encoder_irpa", ":decoder_irpa"],
    )
    skainet_model(name = "encoder", archive = ":weights", onnx = "encoder.onnx")
    skainet_model(name = "decoder", archive = ":weights", onnx = "decoder.onnx")""",
    attrs = {
        "archives": attr.label_list(mandatory = True, allow_empty = False, providers = [IrpaInfo], doc = "Targets of irpa_archive, such as the `m_irpa` of a skainet_model `m`."),
        "_tool": attr.label(default = "//rules/tools/pack", executable = True, cfg = "exec"),
    },
    provides = [IrpaInfo],
)
