"""The formats of weight files, and the fixture's weights in each."""

_HALVES = "--max-shard-size=8B"

def _format(files, output = None, args = ""):
    return struct(files = files, output = output, args = args)

# From a corpus of test/badfiles, or "gguf_split", to the weight file followed
# by the others that it names, and to the arguments of `skainet convert` that write
# it, which are empty for the file that it reads and for a format that it does not write.
FORMATS = {
    "ctranslate2": _format(["//rules/tests/fixture:good.bin"]),
    "gguf": _format(["good.gguf"], "good.gguf"),
    "gguf_split": _format(["halves-0000%d-of-00002.gguf" % i for i in [1, 2]], "halves.gguf", _HALVES),
    "irpa": _format(["good.irpa"], "good.irpa"),
    "onnx": _format(["//rules/tests/fixture:good.onnx"]),
    "safetensors": _format(["good.safetensors"], "good.safetensors"),
    "safetensors_index": _format(
        ["halves.safetensors.index.json"] + ["halves-0000%d-of-00002.safetensors" % i for i in [1, 2]],
        "halves.safetensors",
        _HALVES,
    ),
}

def actions_of(formats):
    """Returns the environment in which a test finds the actions of each format's model.

    Args:
      formats: names.

    Returns:
      A dict from a variable to the path of a model_actions file.
    """
    return {"ACTIONS_" + name: "$(rlocationpath :%s_actions)" % name for name in formats}
