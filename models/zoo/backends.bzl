"""The targets of the zoo's programs."""

# With AVX2 alone, and with AVX-512; a program for both chooses as it starts.
BACKENDS = {
    "cpu": "cpu_x86_64_v3",
    "cpu_v4": "cpu_x86_64_v4",
}

# Models that multiply bytes: also with VNNI, an instruction for them.
_OF_BYTES = [
    "//models/zoo/bge:small",
    "//models/zoo/e5:small",
]

def backends_of(model):
    """Returns the targets of a model's programs.

    Args:
      model: its label, such as "//models/zoo/bge:small".

    Returns:
      A dict for skainet_model.
    """
    return BACKENDS | {"cpu_vnni": "cpu_x86_64_v4_vnni"} if model in _OF_BYTES else BACKENDS
