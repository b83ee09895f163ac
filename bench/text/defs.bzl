"""The benchmark of a language model."""

load("@rules_go//go:def.bzl", "go_binary")

# What a model's own programs are made with is no rule for others.
# buildifier: disable=bzl-visibility
load("//rules/private:exporter_main.bzl", "model_main")

_PACKAGE = "github.com/skainet-dev/skainet-go/bench/text."

_MAIN = """func main() {
	os.Exit(reference.Main(model.%s, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
"""

def text_benchmark(name, prefix, model, weights, constructor = "Model", weight_policy = "", backends = None, tags = [], visibility = None):
    """Declares a benchmark beside llama.cpp: ./bazelw run :NAME.

    Not built by //..., since its peer is for one platform.

    Args:
      name: of the program.
      prefix: the name of a skainet_model with the backends cpu and cpu_v4.
      model: its go_library.
      weights: its GGUF file, which llama.cpp runs.
      constructor: its constructor.
      weight_policy: its weight policy.
      backends: a backends_benchmark of the model, which runs with --backends.
      tags: for all targets.
      visibility: of the program.
    """
    tags = tags + ["manual"]
    model_main(
        name = name + "_reference_main",
        model = model,
        driver = "github.com/skainet-dev/skainet-go/bench/text/reference",
        body = _MAIN % constructor,
        tags = tags,
    )
    go_binary(
        name = name + "_reference",
        srcs = [name + "_reference_main"],
        tags = tags,
        deps = [model, Label("//bench/text/reference")],
    )
    native.filegroup(
        name = name + "_contract",
        srcs = [prefix + "_mlir"],
        output_group = "contract",
        tags = tags,
    )
    files = {
        "archiveFile": prefix + "_irpa",
        "contractFile": name + "_contract",
        "indexFile": prefix + "_index",
        "libraryFile": Label("//toolchains/iree:runtime_library"),
        "llamaCpp": Label("//bench/text/peers:llama_cpp_contestant"),
        "oursBinary": Label("//bench/text/ours"),
        "programV3": prefix + "_vmfb_cpu",
        "programV4": prefix + "_vmfb_cpu_v4",
        "python": Label("@text_peers//:python"),
        "referenceBinary": name + "_reference",
        "weightsFile": weights,
    }
    if backends:
        files["backendsBench"] = backends
    go_binary(
        name = name,
        data = files.values(),
        embed = [Label("//bench/text:text_lib")],
        tags = tags + ["benchmark"],
        visibility = visibility,
        x_defs = {_PACKAGE + k: "$(rlocationpath %s)" % v for k, v in files.items()} | {
            _PACKAGE + "modelName": prefix,
            _PACKAGE + "weightPolicy": weight_policy,
        },
    )
