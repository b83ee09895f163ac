"""iree_parity_test: a compiled program against the CPU reference."""

load("@rules_go//go:def.bzl", "go_binary")
load("//toolchains/iree:toolchain.bzl", "RUNTIME_TYPE")
load("//tools/repos:environment.bzl", "ToolEnvironmentInfo")
load(":exporter_main.bzl", "model_main")
load(":providers.bzl", "IrpaInfo", "VmfbInfo", "WeightsIndexInfo")

_MAIN = """func main() {
	os.Exit(paritymain.Main(paritymain.Model{Name: %s, Build: model.%s, Cases: %s}, os.Args[1:], os.Stdout, os.Stderr))
}
"""

def _parity_run_impl(ctx):
    program = ctx.attr.program[VmfbInfo]
    runtime = ctx.toolchains[RUNTIME_TYPE].iree_runtime
    archives = ctx.attr.archive[IrpaInfo].archives.to_list()
    driver = ctx.executable.driver

    words = [
        "--program=" + program.program.short_path,
        "--contract=" + program.contract.short_path,
        "--device=" + (ctx.attr.device or program.device),
        "--tool=" + runtime.iree_run_module.short_path,
    ]
    inputs = [program.program, program.contract] + archives
    words += ["--archive=%s=%s" % (ctx.attr.archive[IrpaInfo].scope, a.short_path) for a in archives]
    if runtime.library:
        words.append("--library=" + runtime.library.short_path)
    if ctx.attr.dtype:
        words.append("--dtype=" + ctx.attr.dtype)
    if ctx.attr.weight_policy:
        words.append("--weights=" + ctx.attr.weight_policy)
    if ctx.attr.index:
        index = ctx.attr.index[WeightsIndexInfo].index
        words.append("--index=" + index.short_path)
        inputs.append(index)

    # A script rather than arguments: the paths are known only here, and what
    # the BUILD file gives as args follows them.
    script = ctx.actions.declare_file(ctx.label.name + ".sh")
    ctx.actions.write(script, "#!/bin/sh\nexec ./%s %s \"$@\"\n" % (
        driver.short_path,
        " ".join(["'%s'" % w for w in words]),
    ), is_executable = True)
    files = [runtime.files]
    env = {}
    if ctx.attr.tools:
        files.append(ctx.attr.tools[ToolEnvironmentInfo].files)
        env |= ctx.attr.tools[ToolEnvironmentInfo].variables
    runfiles = ctx.runfiles(inputs, transitive_files = depset(transitive = files))
    return [
        DefaultInfo(executable = script, runfiles = runfiles.merge_all(
            [ctx.attr.driver[DefaultInfo].default_runfiles],
        )),
        RunEnvironmentInfo(environment = env | ctx.attr.env),
    ]

_parity_run_test = rule(
    implementation = _parity_run_impl,
    test = True,
    attrs = {
        "driver": attr.label(mandatory = True, executable = True, cfg = "target"),
        "program": attr.label(mandatory = True, providers = [VmfbInfo]),
        "archive": attr.label(mandatory = True, providers = [IrpaInfo]),
        "index": attr.label(providers = [WeightsIndexInfo]),
        "device": attr.string(),
        "dtype": attr.string(),
        "weight_policy": attr.string(),
        "env": attr.string_dict(),
        "tools": attr.label(providers = [ToolEnvironmentInfo]),
    },
    toolchains = [RUNTIME_TYPE],
)

def iree_parity_test(
        name,
        model,
        program,
        archive,
        constructor = "Model",
        module_name = None,
        index = None,
        cases = None,
        device = None,
        dtype = "",
        weight_policy = "",
        env = {},
        tools = None,
        tags = [],
        visibility = None,
        **kwargs):
    """Runs a program and the CPU reference on the same calls and compares the results.

    Args:
      name: of the test.
      model: the go_library with the constructor that the program was exported from.
      program: an iree_vmfb.
      archive: an irpa_archive with the program's parameters, which the reference reads too.
      constructor: the constructor's name.
      module_name: the module's name in the text; the test's name by default.
      index: the weights_index, for a model with weights.
      cases: a `func(*contract.Contract) ([]parity.Case, error)` in the library;
        by default each entry point is called once with made-up values.
      device: the runtime's device; the one of the program's target by default.
      dtype: the precision that the program was exported in.
      weight_policy: the weight policy that it was exported with.
      env: environment of the test.
      tools: a tool_environment that the device needs, such as a software driver;
        where the host lacks it the test is incompatible and skipped.
      tags: of the test.
      visibility: of the test.
      **kwargs: `args`, `timeout` and what else a test takes. Arguments:
        --atol, --rtol (floats), --workers, --only=CASE.
    """
    cases = "model." + cases if cases else "nil"
    model_main(
        name = name + "_main",
        model = model,
        driver = "github.com/skainet-dev/skainet-go/backend/parity/paritymain",
        body = _MAIN % (json.encode(module_name or name), constructor, cases),
        testonly = True,
        tags = tags + ["manual"],
    )
    go_binary(
        name = name + "_driver",
        srcs = [name + "_main"],
        deps = [model, Label("//backend/parity/paritymain")],
        testonly = True,
        tags = tags + ["manual"],
    )
    _parity_run_test(
        name = name,
        driver = name + "_driver",
        program = program,
        archive = archive,
        index = index,
        device = device,
        dtype = dtype,
        weight_policy = weight_policy,
        env = env,
        tools = tools,
        tags = tags,
        visibility = visibility,
        **kwargs
    )
