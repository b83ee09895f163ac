"""iree_parity_test: compares a compiled program with the CPU reference."""

load("@rules_go//go:def.bzl", "go_binary")
load("//toolchains/iree:labels.bzl", "label_text")
load(":constructor.bzl", "constructor_fault")
load(":exporter_main.bzl", "model_main")
load(":launcher.bzl", "launcher")
load(":parity_words.bzl", "PARITY_ATTRS", "parity_words")
load(":providers.bzl", "ParityInfo")
load(":runnable.bzl", "RUNTIME_TOOLCHAINS")

_MAIN = """func main() {
	os.Exit(paritymain.Main(paritymain.Model{Name: %s, Build: model.%s, Cases: %s}, os.Args[1:], os.Stdout, os.Stderr))
}
"""

def _parity_impl(ctx):
    parity = parity_words(ctx)
    words = list(parity.words)
    if ctx.attr.layer_diff:
        words.append("--layer-diff=" + ctx.attr.layer_diff)

    # A script rather than arguments: the paths are known only here, and the args
    # of the BUILD file follow them.
    return [
        DefaultInfo(
            executable = launcher(ctx, ctx.executable.driver, words, prefix = parity.prefix),
            runfiles = parity.runfiles,
        ),
        RunEnvironmentInfo(environment = parity.environment),
        ParityInfo(args = ctx.attr.args),
        OutputGroupInfo(_validation = parity.validation),
    ]

# The name of this variable is the kind in queries: bazel query 'kind(iree_parity_test, //...)'
# lists the comparisons, and with --output=build those that are not made, with the reason.
_iree_parity_test = rule(
    implementation = _parity_impl,
    test = True,
    attrs = PARITY_ATTRS | {
        "layer_diff": attr.string(),
        "no_parity": attr.string(doc = "Why the comparison is not made; such a test is incompatible with every platform."),
    },
    toolchains = RUNTIME_TOOLCHAINS,
)

def parity_driver(name, model, constructor, module_name, cases, tags):
    """Declares the program that compares; a model's backends share it.

    Args:
      name: of the go_binary.
      model: as in iree_parity_test, and so are the others.
      constructor: the constructor.
      module_name: the module's name.
      cases: a function's name or None.
      tags: of the targets.
    """
    cases = "model." + cases if cases else "nil"
    model_main(
        name = name + "_main",
        model = model,
        driver = "github.com/skainet-dev/skainet-go/backend/parity/paritymain",
        body = _MAIN % (json.encode(module_name), constructor, cases),
        testonly = True,
        tags = tags + ["manual"],
    )
    go_binary(
        name = name,
        srcs = [name + "_main"],
        deps = [model, Label("//backend/parity/paritymain")],
        testonly = True,
        tags = tags + ["manual"],
    )

def cases_of_files(recorded):
    """Returns the cases that each file of recorded ones belongs to.

    Args:
      recorded: dict from cases to lists of labels.

    Returns:
      A dict from labels to cases, separated by commas.
    """
    files = {}
    for case, labels in recorded.items():
        for label in labels:
            files.setdefault(label, []).append(case)
    return {label: ",".join(cases) for label, cases in files.items()}

def parity_run_test(name, layer_diff = None, no_parity = "", target_compatible_with = [], **kwargs):
    """Declares a comparison.

    Args:
      name: of the test.
      layer_diff: as in iree_parity_test.
      no_parity: why the comparison is not made: the test is incompatible.
      target_compatible_with: of the test.
      **kwargs: other attributes.
    """
    _iree_parity_test(
        name = name,
        layer_diff = label_text(native.package_relative_label(layer_diff)) if layer_diff else "",
        no_parity = no_parity,
        target_compatible_with = [Label("@platforms//:incompatible")] if no_parity else target_compatible_with,
        **kwargs
    )

def iree_parity_test(
        name,
        program,
        archive,
        model = None,
        graph = None,
        constructor = "Model",
        module_name = None,
        index = None,
        cases = None,
        recorded = {},
        device = None,
        dtype = "",
        weight_policy = "",
        env = {},
        tools = None,
        runner = None,
        layer_diff = None,
        tags = [],
        visibility = None,
        **kwargs):
    """Runs a program and the CPU reference on the same calls and compares the results.

    Args:
      name: of the test.
      program: an iree_vmfb.
      archive: an irpa_archive with the program's parameters, which the reference reads too.
      model: the go_library with the constructor that the program was exported from.
      graph: the graph file that it was exported from instead, or the `m_graph` of a skainet_model.
      constructor: the constructor, as in skainet_model.
      module_name: the module's name in the text; the test's name by default.
      index: the weights_index, for a model with weights.
      cases: a `func(*contract.Contract) ([]parity.Case, error)` in the library;
        by default each entry point is called once with made-up values.
      recorded: dict from cases to files of arguments and results, as `parity_recorded` of
        skainet_model.
      device: the runtime's device; that of the program's target by default.
      dtype: the precision that the program was exported in.
      weight_policy: the weight policy that it was exported with.
      env: environment of the test.
      tools: a tool_environment that the device needs, such as a software driver or an
        emulator; if the host lacks it, the test is incompatible and skipped.
      runner: the static runner for the program's processor (//toolchains/iree/runner), if
        that is not the host's: it runs the program, and tools have its emulator.
      layer_diff: the name of a skainet_layer_diff in the same package, which the
        message of a failure suggests.
      tags: of the test.
      visibility: of the test.
      **kwargs: `args`, `timeout` and other test attributes. Arguments:
        --atol, --rtol (floats), --threads, --only=CASE.
    """
    if (model == None) == (graph == None):
        fail("%s: MODEL_ARGUMENTS: give the program's model: either model, the go_library with the constructor, or graph" % name)
    fault = constructor_fault(constructor)
    if fault:
        fail("%s: %s" % (name, fault))
    if model != None:
        parity_driver(
            name = name + "_driver",
            model = model,
            constructor = constructor,
            module_name = module_name or name,
            cases = cases,
            tags = tags,
        )
    parity_run_test(
        name = name,
        program = program,
        archive = archive,
        index = index,
        device = device,
        dtype = dtype,
        weight_policy = weight_policy,
        env = env,
        tools = tools,
        runner = runner,
        layer_diff = layer_diff,
        tags = tags,
        visibility = visibility,
        **(kwargs | {"recorded": cases_of_files(recorded)} | ({"graph": graph} if model == None else {"driver": name + "_driver"}))
    )
