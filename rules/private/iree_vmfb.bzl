"""iree_vmfb: StableHLO text compiled for one target."""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")
load("//toolchains/iree:labels.bzl", "label_text")
load("//toolchains/iree:optimizations.bzl", "OPTIMIZATIONS", "optimized")
load("//toolchains/iree:target.bzl", "IreeTargetInfo", "IreeTargetTableInfo", "platform_transition", "select_target", "with_flags")
load("//toolchains/iree:targets.bzl", "IREE_VERSION")
load("//toolchains/iree:toolchain.bzl", "COMPILER_TYPE")
load(":archives.bzl", "ARTIFACT", "PATH_MAPPING", "archives_of", "check_archives")
load(":dissect.bzl", "declare_asm", "declare_dispatches", "declare_sizes")
load(":launcher.bzl", "alone")
load(":providers.bzl", "IrpaInfo", "StableHloInfo", "VmfbInfo", "text_of")

# Compiling keeps one core busy, whatever the model's size (Whisper's cut: 8.2 s of CPU in 8.7 s
# for x86-64, 9.6 in 9.6 for Vulkan), and stays below half a gigabyte; the text of a model of
# some thousand layers takes more, and its executables are compiled side by side.
def _small(_os, _inputs):
    return {"cpu": 1, "memory": 250}

def _medium(_os, _inputs):
    return {"cpu": 1, "memory": 500}

def _large(_os, _inputs):
    return {"cpu": 2, "memory": 4000}

RESOURCES = {"large": _large, "medium": _medium, "small": _small}

def _flags(ctx, target):
    """Returns the flags of a target; a later flag replaces an earlier one of the same name."""
    level = ctx.attr.optimization or ctx.attr._optimization[BuildSettingInfo].value
    if level and level not in OPTIMIZATIONS:
        fail("%s: VMFB_OPTIMIZATION: unknown level %r; set --@skainet//rules:optimization to one of %s" %
             (label_text(ctx.label), level, ", ".join(OPTIMIZATIONS)))
    flags = with_flags(optimized(target, level), ctx.attr.flags)
    extra = ctx.attr._extra_compile_flags[BuildSettingInfo].value
    for flag in extra:
        if not flag.startswith("--"):
            fail("%s: VMFB_FLAGS: %r is not a flag of iree-compile; write --@skainet//rules:extra_compile_flags=--NAME=VALUE, once for each" %
                 (label_text(ctx.label), flag))
    for flag in ctx.attr.flags:
        if not flag.startswith("--"):
            fail("%s: VMFB_FLAGS: %r is not a flag of iree-compile; write flags = [\"--NAME=VALUE\"]" % (label_text(ctx.label), flag))
    for flag in ctx.attr.flags + extra:
        # Params files have one argument per line.
        if "\n" in flag or "\r" in flag:
            fail("%s: VMFB_FLAGS: %r contains a line break; write one flag in each string" % (label_text(ctx.label), flag))
    return with_flags(flags, extra)

def _iree_vmfb_impl(ctx):
    target_name, target = select_target(
        ctx.label,
        ctx.attr.target,
        ctx.attr.platform,
        ctx.attr._table[0][IreeTargetTableInfo],
        [row[IreeTargetInfo] for row in ctx.attr.rows],
    )
    compiler = ctx.toolchains[COMPILER_TYPE].iree_compiler
    export = ctx.attr.export[StableHloInfo]
    out = ctx.actions.declare_file(ctx.label.name + ".vmfb")

    # Kernels are written in the dialects of one release.
    kernels = target.kernels and compiler.version == IREE_VERSION
    text = text_of(export, target, kernels)
    flags = _flags(ctx, target)
    args = ctx.actions.args()
    args.use_param_file("@%s")  # for long flags
    args.set_param_file_format("multiline")
    args.add("--compiler", compiler.iree_compile)
    args.add("--linker", compiler.iree_lld)
    args.add("--text", text)
    args.add("--label", label_text(ctx.label))
    args.add("--row", target_name)
    args.add("--output", out)
    args.add_all(flags, before_each = "--flag")
    library = []
    if target.static_library:
        library = [ctx.actions.declare_file(ctx.label.name + end) for end in [".o", ".h"]]
        args.add("--object", library[0])
        args.add("--header", library[1])
    ctx.actions.run(
        executable = ctx.executable._tool,
        arguments = [args],
        inputs = depset([text], transitive = [compiler.files]),
        outputs = [out] + library,
        resource_set = RESOURCES[ctx.attr.model_size],
        execution_requirements = PATH_MAPPING,
        mnemonic = "IreeCompile",
        progress_message = "Compiling %{label} for " + target_name,
        toolchain = COMPILER_TYPE,
    )

    archives = archives_of(ctx.label, export, ctx.attr.archives)
    info = VmfbInfo(
        program = out,
        text = text,
        contract = export.contract,
        target = target_name,
        device = target.device,
        flags = flags,
        kernels = kernels,
        f16 = target.f16,
        wide = target.wide,
        bytes = target.bytes,
        iree_version = compiler.version,
        scopes = export.scopes,
        archives = archives,
    )
    script = alone(ctx)
    return [
        # As data of another program it is only the file.
        DefaultInfo(files = depset([out] + library), executable = script, default_runfiles = ctx.runfiles([script]), data_runfiles = ctx.runfiles([out])),
        info,
        OutputGroupInfo(
            mlir = depset([text]),
            vmfb = depset([out]),
            library = depset(library),
            irpa = depset(transitive = [a.files for a in archives]),
            contract = depset([export.contract]),
            sizes = declare_sizes(ctx, info),
            dispatches = declare_dispatches(ctx, info, compiler),
            asm = declare_asm(ctx, info, compiler),
            _validation = depset(check_archives(ctx, ctx.label.name + ".archives.checked", export.contract, archives)),
        ),
    ]

iree_vmfb = rule(
    implementation = _iree_vmfb_impl,
    doc = """Compiles an exported model for one target of //toolchains/iree:targets.bzl.

The target is a row's name, `target`, or is chosen by the constraint values of
`platform` or, without it, of the target platform (`--platforms`).

The compiler reads the text from standard input, so the program contains no path,
and it reads neither the weights nor the contract.

It is built without IREE's runtime and the tool that calls it: that is what a model_run is for,
such as `m_run_cpu` of a skainet_model for its `m_vmfb_cpu`. `bazel run :m_vmfb_cpu -- x=1,2` builds
and starts that one.

Output groups: `vmfb`; `library`, the object file and its header, if the target has them; `mlir` and `contract`, what it was compiled from; `irpa`,
its archives; `sizes`, the bytes of each part as JSON; `dispatches`, the text of
its executables and how they depend on each other; `asm`, their code as a tar of
text files. Each is built only when it is requested.""",
    attrs = {
        "export": attr.label(mandatory = True, providers = [StableHloInfo], doc = "The stablehlo_export to compile."),
        "target": attr.string(doc = "A row of the target table, such as cpu_x86_64_v3 or vulkan, or of `rows`."),
        "platform": attr.label(providers = [platform_common.PlatformInfo], doc = "A platform() whose constraint values select the row."),
        "rows": attr.label_list(providers = [IreeTargetInfo], cfg = platform_transition, doc = "Rows of your own, each an iree_target."),
        "optimization": attr.string(
            values = [""] + OPTIMIZATIONS.keys(),
            doc = "What to optimise for; --@skainet//rules:optimization by default. " + "; ".join(["`%s`: %s" % (n, o.doc) for n, o in OPTIMIZATIONS.items()]),
        ),
        "flags": attr.string_list(doc = "More flags for iree-compile; they replace the target's flags of the same names."),
        "archives": attr.label_list(
            providers = [IrpaInfo],
            doc = "The irpa_archive of each scope that the program takes: needed to run it, and checked against it. Compiling does not read them.",
        ),
        "model_size": attr.string(
            default = "medium",
            values = sorted(RESOURCES),
            doc = "The resources that compiling reserves: small (1 core, 250 MB), medium (2, 500 MB) or large (2, 4 GB).",
        ),
        "run": attr.string(doc = "The name of the model_run in this package that calls it, which `bazel run` starts."),
        "_optimization": attr.label(default = "//rules:optimization", providers = [BuildSettingInfo]),
        "_extra_compile_flags": attr.label(default = "//rules:extra_compile_flags", providers = [BuildSettingInfo]),
        "_tool": attr.label(default = "//rules/tools/compile", executable = True, cfg = "exec"),
        "_artifact": ARTIFACT,
        "_allowlist_function_transition": attr.label(default = "@bazel_tools//tools/allowlists/function_transition_allowlist"),
        "_table": attr.label(default = "//toolchains/iree/platforms:table", providers = [IreeTargetTableInfo], cfg = platform_transition),
    },
    executable = True,
    toolchains = [COMPILER_TYPE],
    provides = [VmfbInfo],
)
