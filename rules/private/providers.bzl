"""The providers that the rules of this package exchange."""

ModelInfo = provider(
    doc = "A model written in Go.",
    fields = {
        "name": "string: the module's name in the text, as in \"name.entry\".",
        "exporter": "FilesToRunProvider: the program that captures and emits the model.",
        "index": "File or None: the weights index that the model is built from.",
        "library": "Target: the go_library with the constructor.",
        "constructor": "string: the constructor's name in the library.",
    },
)

StableHloInfo = provider(
    doc = "An exported model.",
    fields = {
        "name": "string: the module's name.",
        "text": "File: the StableHLO text.",
        "kernels": "File: the text for CPU targets, with kernels in place of some operations.",
        "contract": "File: entry points and parameters, as JSON.",
        "constants": "File: the archive of the constants that the policy made external; it may be empty.",
    },
)

WeightsIndexInfo = provider(
    doc = "What is known of a weight file without its values.",
    fields = {
        "index": "File: names, shapes, element types and small integers, as JSON.",
        "weights": "File: the weight file.",
        "shards": "list of File: other files that the weight file names.",
    },
)

IrpaInfo = provider(
    doc = "Parameter archives.",
    fields = {
        "archives": "depset of File: the .irpa files.",
        "scope": "string: the parameter scope that they serve.",
        "contract": "File: the contract for which they were packed.",
    },
)

VmfbInfo = provider(
    doc = "A compiled program.",
    fields = {
        "program": "File: the .vmfb.",
        "contract": "File: the contract of the text that it was compiled from.",
        "target": "string: the row of the target table.",
        "device": "string: the runtime driver that runs it.",
        "iree_version": "string: the compiler's version.",
    },
)
