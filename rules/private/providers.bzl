"""The providers that the rules of this package exchange.

From the model to a running program: `ModelInfo` and `StableHloInfo` come
from stablehlo_export, `WeightsIndexInfo` from weights_index, `IrpaInfo` from
irpa_archive, `VmfbInfo` from iree_vmfb, `XlaInfo` from xla_executable.
"""

ModelInfo = provider(
    doc = "A model, written in Go or in a file.",
    fields = {
        "name": "string: the module's name in the text, as in \"name.entry\".",
        "exporter": "FilesToRunProvider: the program that captures and emits the model.",
        "index": "File or None: the weights index that the model is built from.",
        "library": "Target or None: the go_library with the constructor.",
        "constructor": "string: the constructor's name in the library.",
        "graph": "File or None: the graph file of a model without a constructor.",
    },
)

StableHloInfo = provider(
    doc = "An exported model.",
    fields = {
        "name": "string: the module's name.",
        "text": "File: the StableHLO text.",
        "kernels": "File: the text for CPU targets, with kernels instead of some operations.",
        "text_f16": "File: the StableHLO text for processors without f16; identical to text if the model has no f16.",
        "kernels_f16": "File: the same for kernels.",
        "kernels_wide": "File: the text with kernels for processors with 32 vector registers of 64 bytes.",
        "kernels_bytes": "File: the same for those that also multiply bytes (avx512vnni).",
        "contract": "File: entry points and parameters, as JSON.",
        "constants": "File: the archive of the constants that the policy made external; it may be empty.",
        "graph": "File: the graph that the texts are of, for compilers that make texts of their own; written only where one asks for it.",
        "scopes": "list of string: the parameter scopes that the program may name, sorted; the contract lists those it does name.",
    },
)

WeightsIndexInfo = provider(
    doc = "What is known about a weight file without its values.",
    fields = {
        "index": "File: names, shapes, element types and small integers, as JSON.",
        "weights": "File: the weight file.",
        "shards": "list of File: other files that the weight file names.",
    },
)

IrpaInfo = provider(
    doc = "Parameter archives of one scope.",
    fields = {
        "archives": "depset of File: the .irpa files, several if the archive is split; the runtime takes them all.",
        "scope": "string: their parameter scope.",
        "contract": "File: the contract for which they were packed: key, element type, shape, encoding and length of each parameter.",
    },
)

VmfbInfo = provider(
    doc = "A compiled program.",
    fields = {
        "program": "File: the .vmfb.",
        "text": "File: the StableHLO text that it was compiled from.",
        "contract": "File: the contract of that text.",
        "target": "string: the row of the target table.",
        "device": "string: the runtime driver that runs it.",
        "kernels": "bool: whether that text has kernels instead of some operations.",
        "f16": "string: how that text converts f16: `instructions`, or by `integers`.",
        "wide": "bool: whether the row's kernels fill 32 vector registers of 64 bytes.",
        "bytes": "bool: whether they also multiply bytes.",
        "flags": "list of string: the compiler's flags, except for input, output and linker.",
        "iree_version": "string: the compiler's version.",
        "scopes": "list of string: the parameter scopes that the program may name, sorted.",
        "archives": "list of struct(scope = string, files = depset of File): the archives that the target names, for its sibling targets.",
    },
)

XlaInfo = provider(
    doc = "A program for XLA.",
    fields = {
        "program": "File: the .xla.",
        "contract": "File: its contract; constants are no parameters of it.",
        "target": "string: the row of the table of XLA's targets.",
        "device": "string: the platform of the plugin's devices.",
        "level": "string: of optimisation; empty for the default one.",
        "serialized": "bool: whether it is compiled already, for one build of the plugin and one processor.",
        "plugin": "File or None: the plugin for the target platform.",
        "scopes": "list of string: the parameter scopes that the program may name, sorted.",
        "archives": "list of struct(scope = string, files = depset of File): the archives that the target names, for its sibling targets.",
    },
)

# What rules take that call a program of either compiler.
PROGRAM = [[VmfbInfo], [XlaInfo]]

def text_of(export, row, kernels):
    """Returns the text that is compiled for a row of the table of targets.

    Args:
      export: a StableHloInfo.
      row: as targets.bzl describes it.
      kernels: whether the compiler takes kernels for the row.

    Returns:
      A File.
    """
    if kernels and row.wide:
        return export.kernels_bytes if row.bytes else export.kernels_wide
    return getattr(export, ("kernels" if kernels else "text") + ("_f16" if row.f16 == "integers" else ""))

ParityInfo = provider(
    doc = "What a parity test is called with, for who runs it in an action.",
    fields = {"args": "list of strings: the args of its BUILD file, such as tolerances."},
)
