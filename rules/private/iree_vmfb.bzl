"""iree_vmfb: StableHLO text compiled for one target."""

load("//toolchains/iree:targets.bzl", "TARGETS")
load("//toolchains/iree:toolchain.bzl", "COMPILER_TYPE")
load(":providers.bzl", "StableHloInfo", "VmfbInfo")

# The release in whose dialects the kernels are written; with any other the
# portable text is compiled. compile/hlo/kernels has the same constant, and a
# test there compares the two.
KERNELS_VERSION = "3.13.0"

def _resources(_os, _inputs):
    # A compile of a model with tens of executables keeps about one core and a
    # half busy and stays below half a gigabyte.
    return {"cpu": 2, "memory": 500}

def _iree_vmfb_impl(ctx):
    target = TARGETS.get(ctx.attr.target)
    if not target:
        fail("%s: VMFB_TARGET: there is no target %r; use one of %s" % (ctx.label, ctx.attr.target, ", ".join(sorted(TARGETS))))
    compiler = ctx.toolchains[COMPILER_TYPE].iree_compiler
    export = ctx.attr.export[StableHloInfo]
    out = ctx.actions.declare_file(ctx.label.name + ".vmfb")
    text = export.kernels if target.kernels and compiler.version == KERNELS_VERSION else export.text
    args = ctx.actions.args()
    args.add("--compiler", compiler.iree_compile)
    args.add("--linker", compiler.iree_lld)
    args.add("--text", text)
    args.add("--label", str(ctx.label).removeprefix("@@"))
    args.add("--out", out)
    args.add_all(target.flags + ctx.attr.flags, before_each = "--flag")
    ctx.actions.run(
        executable = ctx.executable._tool,
        arguments = [args],
        inputs = depset([text], transitive = [compiler.files]),
        outputs = [out],
        resource_set = _resources,
        mnemonic = "IreeCompile",
        progress_message = "Compiling %{label} for " + ctx.attr.target,
        toolchain = COMPILER_TYPE,
    )
    return [
        DefaultInfo(files = depset([out])),
        VmfbInfo(
            program = out,
            contract = export.contract,
            target = ctx.attr.target,
            device = target.device,
            iree_version = compiler.version,
        ),
        OutputGroupInfo(vmfb = depset([out]), contract = depset([export.contract])),
    ]

iree_vmfb = rule(
    implementation = _iree_vmfb_impl,
    doc = """Compiles an exported model for one target of //toolchains/iree:targets.bzl.

The compiler gets the text on its standard input, so no path is in the program,
and reads neither the weights nor the contract.""",
    attrs = {
        "export": attr.label(mandatory = True, providers = [StableHloInfo], doc = "The stablehlo_export to compile."),
        "target": attr.string(mandatory = True, doc = "A row of the target table, such as cpu_x86_64_v3 or vulkan."),
        "flags": attr.string_list(doc = "More flags for iree-compile, after those of the target."),
        "_tool": attr.label(default = "//rules/tools/compile", executable = True, cfg = "exec"),
    },
    toolchains = [COMPILER_TYPE],
    provides = [VmfbInfo],
)
