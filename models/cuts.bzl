"""Cuts of models, which are compared with the CPU reference on everything that runs here."""

load("//rules:defs.bzl", "skainet_model")

# What this machine runs, emulates, or has a driver in software for, of each kind.
EVERYWHERE = {
    "aarch64": "aarch64",
    "cpu": "cpu_x86_64_v3",
    "cpu_v1": "cpu_x86_64_v1",
    "cpu_v4": "cpu_x86_64_v4",
    "riscv64": "riscv64",
    "vmvx": "vmvx",
    "vulkan": "vulkan",
    "xla": "xla_cpu",
}

def cut_model(name, weights, tokens = None, parity_tools = {}, **kwargs):
    """Declares a cut of a model: a few of its layers, with its weights, for parity tests.

    The whole model would take an emulator, an interpreter or a driver in software hours; its
    tests run only when named.

    Args:
      name: of the model.
      weights: the file of the whole model.
      tokens: how many of a GGUF file's first tokens the cut keeps; all by default.
      parity_tools: as in skainet_model.
      **kwargs: of skainet_model.
    """
    if tokens:
        native.genrule(
            name = name + "_weights",
            srcs = [weights],
            outs = [name + ".gguf"],
            cmd = "$(execpath //test/cut) $< %d $@" % tokens,
            tools = ["//test/cut"],
        )
        weights = name + ".gguf"
    skainet_model(
        name = name,
        backends = EVERYWHERE,
        parity_timeout = "long",
        parity_tools = parity_tools,
        siblings = [
            "layer_diff",
            "parity_test",
        ],
        weights = weights,
        **kwargs
    )
