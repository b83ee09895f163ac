"""The two toolchains of IREE: the compiler runs in actions, the runtime on the target.

Both carry the version of their artifacts: a program compiled by one version
is only guaranteed to load in the same version of the runtime, and the
rules that run a program compare the two.
"""

COMPILER_TYPE = Label("//toolchains/iree:compiler_toolchain_type")
RUNTIME_TYPE = Label("//toolchains/iree:runtime_toolchain_type")

IreeCompilerInfo = provider(
    doc = "IREE's compiler for the execution platform.",
    fields = {
        "version": "string: the version, such as 3.13.0.",
        "iree_compile": "File: the executable iree-compile.",
        "iree_opt": "File: the executable iree-opt.",
        "iree_lld": "File: the linker that CPU and HIP targets need, for --iree-llvmcpu-embedded-linker-path.",
        "library": "File: the compiler's shared library, in the same folder as the executables.",
        "files": "depset of File: everything that an action with iree-compile needs.",
    },
)

IreeRuntimeInfo = provider(
    doc = "IREE's runtime for the target platform.",
    fields = {
        "version": "string: the version, such as 3.13.0.",
        "library": "File or None: libireert, the runtime with the flat API of runtime/ireert.h. " +
                   "None if it could not be built; then programs run through iree_run_module.",
        "iree_run_module": "File: the executable iree-run-module.",
        "iree_benchmark_module": "File: the executable iree-benchmark-module.",
        "iree_dump_module": "File: the executable iree-dump-module.",
        "iree_create_parameters": "File: the executable iree-create-parameters.",
        "iree_convert_parameters": "File: the executable iree-convert-parameters.",
        "iree_dump_parameters": "File: the executable iree-dump-parameters.",
        "files": "depset of File: all of the above.",
        "iree_profile": "File or None: the executable iree-profile, which not every version has. It is not among files.",
    },
)

_RUNTIME_TOOLS = [
    "iree_run_module",
    "iree_benchmark_module",
    "iree_dump_module",
    "iree_create_parameters",
    "iree_convert_parameters",
    "iree_dump_parameters",
]

def _tool(doc):
    return attr.label(allow_single_file = True, mandatory = True, doc = doc)

def _compiler_impl(ctx):
    info = IreeCompilerInfo(
        version = ctx.attr.version,
        iree_compile = ctx.file.iree_compile,
        iree_opt = ctx.file.iree_opt,
        iree_lld = ctx.file.iree_lld,
        library = ctx.file.library,
        files = depset(
            [ctx.file.iree_compile, ctx.file.iree_opt, ctx.file.iree_lld, ctx.file.library],
            transitive = [ctx.attr.data[DefaultInfo].files] if ctx.attr.data else [],
        ),
    )
    return [
        platform_common.ToolchainInfo(iree_compiler = info),
        info,
        DefaultInfo(files = info.files),
    ]

iree_compiler_toolchain = rule(
    implementation = _compiler_impl,
    doc = "An IREE compiler: ToolchainInfo with an IreeCompilerInfo as `iree_compiler`.",
    attrs = {
        "version": attr.string(mandatory = True, doc = "The version of IREE."),
        "iree_compile": _tool("iree-compile"),
        "iree_opt": _tool("iree-opt"),
        "iree_lld": _tool("iree-lld"),
        "library": _tool("libIREECompiler"),
        "data": attr.label(allow_files = True, doc = "Other files that some targets need, such as ROCm's bitcode."),
    },
    provides = [IreeCompilerInfo, platform_common.ToolchainInfo],
)

def _runtime_impl(ctx):
    tools = {name: getattr(ctx.file, name) for name in _RUNTIME_TOOLS}
    libraries = ctx.attr.library[DefaultInfo].files.to_list() if ctx.attr.library else []
    library = libraries[0] if libraries else None
    info = IreeRuntimeInfo(
        version = ctx.attr.version,
        library = library,
        iree_profile = ctx.file.iree_profile,
        files = depset(tools.values() + libraries),
        **tools
    )
    return [
        platform_common.ToolchainInfo(iree_runtime = info),
        info,
        DefaultInfo(files = info.files),
    ]

iree_runtime_toolchain = rule(
    implementation = _runtime_impl,
    doc = "An IREE runtime: ToolchainInfo with an IreeRuntimeInfo as `iree_runtime`.",
    attrs = {
        "version": attr.string(mandatory = True, doc = "The version of IREE."),
        "library": attr.label(doc = "A target that provides libireert, or no file if it cannot be built."),
        "iree_profile": attr.label(allow_single_file = True, doc = "iree-profile, or none."),
    } | {name: _tool(name.replace("_", "-")) for name in _RUNTIME_TOOLS},
    provides = [IreeRuntimeInfo, platform_common.ToolchainInfo],
)

def _current_runtime_impl(ctx):
    info = ctx.toolchains[RUNTIME_TYPE].iree_runtime
    return [info, DefaultInfo(files = info.files, runfiles = ctx.runfiles(transitive_files = info.files))]

current_iree_runtime = rule(
    implementation = _current_runtime_impl,
    doc = "The runtime chosen for the target platform, for rules that take files: all tools and libireert.",
    toolchains = [RUNTIME_TYPE],
    provides = [IreeRuntimeInfo],
)

def _current_compiler_impl(ctx):
    info = ctx.toolchains[COMPILER_TYPE].iree_compiler
    return [info, DefaultInfo(files = info.files, runfiles = ctx.runfiles(transitive_files = info.files))]

current_iree_compiler = rule(
    implementation = _current_compiler_impl,
    doc = "The compiler chosen for the execution platform, for rules that take files.",
    toolchains = [COMPILER_TYPE],
    provides = [IreeCompilerInfo],
)

def _runtime_file_impl(ctx):
    f = getattr(ctx.toolchains[RUNTIME_TYPE].iree_runtime, ctx.attr.field)
    if not f:
        # $(rlocationpath) requires exactly one file: an empty one with a telling name.
        f = ctx.actions.declare_file(ctx.label.name + ".absent")
        ctx.actions.write(f, "")
    return [DefaultInfo(files = depset([f]), runfiles = ctx.runfiles([f]))]

current_iree_runtime_file = rule(
    implementation = _runtime_file_impl,
    doc = """One file of the runtime chosen for the target platform.

If the runtime lacks it, an empty file whose name ends in `.absent`.""",
    attrs = {"field": attr.string(mandatory = True, doc = "A field of IreeRuntimeInfo that is a File or None.")},
    toolchains = [RUNTIME_TYPE],
)

def _compiler_file_impl(ctx):
    f = getattr(ctx.toolchains[COMPILER_TYPE].iree_compiler, ctx.attr.field)
    files = ctx.toolchains[COMPILER_TYPE].iree_compiler.files
    return [DefaultInfo(files = depset([f]), runfiles = ctx.runfiles([f], transitive_files = files))]

current_iree_compiler_file = rule(
    implementation = _compiler_file_impl,
    doc = """One file of the compiler chosen for the execution platform, for tests that compile as they run.

The compiler's other files are its runfiles.""",
    attrs = {"field": attr.string(mandatory = True, doc = "A field of IreeCompilerInfo that is a File.")},
    toolchains = [COMPILER_TYPE],
)
