"""The benchmark of a model's backends."""

load("@rules_go//go:def.bzl", "go_binary")

_PACKAGE = "github.com/skainet-dev/skainet-go/bench/backends."

def backends_benchmark(name, model, measures, inputs = [], tags = [], visibility = None):
    """Declares a benchmark of IREE, XLA and the CPU backend, with JAX: ./bazelw run :NAME.

    Not built by //..., since its peer is for one platform.

    Args:
      name: of the program.
      model: the name of a skainet_model with the backends cpu, cpu_v4 and xla.
      measures: what is measured, each "NAME;ENTRY;SIZES".
      inputs: values of arguments, each "NAME=LEAST..MOST".
      tags: of the program.
      visibility: of the program.
    """
    native.filegroup(
        name = name + "_contract",
        srcs = [model + "_mlir"],
        output_group = "contract",
        tags = tags + ["manual"],
    )
    files = {
        "archiveFile": model + "_irpa",
        "compilerFile": Label("//toolchains/iree:compiler_compile"),
        "contractFile": name + "_contract",
        "fileXLA": model + "_executable_xla",
        "libraryFile": Label("//toolchains/iree:runtime_library"),
        "linkerFile": Label("//toolchains/iree:compiler_lld"),
        "oursBinary": Label("//bench/backends/ours"),
        "peer": Label("//bench/backends/peers:jax_contestant.py"),
        "pluginFile": Label("//toolchains/xla:plugin"),
        "programV3": model + "_vmfb_cpu",
        "programV4": model + "_vmfb_cpu_v4",
        "python": Label("@ops_peers//:python"),
    }
    go_binary(
        name = name,
        data = files.values(),
        embed = [Label("//bench/backends:backends_lib")],
        tags = tags + ["benchmark", "manual"],
        visibility = visibility,
        x_defs = {_PACKAGE + k: "$(rlocationpath %s)" % v for k, v in files.items()} | {
            _PACKAGE + "inputs": "|".join(inputs),
            _PACKAGE + "measures": "|".join(measures),
            _PACKAGE + "modelName": model,
        },
    )
