"""Checks of the arguments of skainet_model, and its default backend."""

load("//toolchains/iree:targets.bzl", "TARGETS")
load("//toolchains/xla:targets.bzl", "XLA_TARGETS")
load(":iree_size_test.bzl", "limit_faults")

SIBLINGS = ["bench", "layer_diff", "parity_test", "run", "size_test", "tar"]

def default_backend(backends, parity):
    """Returns the backend of `m.run` and of the other targets with a single backend.

    Args:
      backends: as in skainet_model.
      parity: as in skainet_model.

    Returns:
      A name: cpu if there is one, else the first of parity, else the first;
      None if there is no backend.
    """
    if "cpu" in backends:
        return "cpu"
    if parity:
        return parity[0]
    return list(backends)[0] if backends else None

def cpu_backends(first, backends, manual_backends):
    """Returns the backends of `m.run`, which calls the best of them.

    Args:
      first: the default backend.
      backends: as in skainet_model.
      manual_backends: as in skainet_model.

    Returns:
      A list of names: the default backend and, if that is a row of the table for a CPU, the
      others of the same device and triple.
    """
    row = TARGETS.get(backends[first])
    triple = _triple(row) if row else None
    return [first] + [
        name
        for name, target in backends.items()
        if triple and name != first and name not in manual_backends and target in TARGETS and _triple(TARGETS[target]) == triple
    ]

def _triple(row):
    for flag in row.flags:
        if flag.startswith("--iree-llvmcpu-target-triple="):
            return flag
    return None

_EXAMPLES = {"dict": "{\"cpu\": ...}", "list": "[\"...\"]"}

# Those of dicts that are not by backend.
_OWN_EXAMPLES = {
    "fixed": "{\"sr\": \"16000\"}",
    "parity_inputs": "{\"input_ids\": \"0..30521\"}",
    "parity_recorded": "{\"case\": [\"case.npz\"]}",
    "shapes": "{\"input_ids\": \"batch,seq\"}",
    "states": "{\"next_state\": \"state\"}",
}

# The advice for labels; only these may be omitted.
_OPTIONAL = {
    "archive": "give the archive, or omit it for one of the model's own",
    "weights": "give the weight file, or omit it for a model without weights",
}
_ADVICE = _OPTIONAL | {
    name: "give the model file"
    for name in ["gguf", "graph", "onnx", "stablehlo"]
}

def argument_faults(lists, dicts, labels):
    """Checks the types of skainet_model's arguments.

    Bazel would report a line inside the macro, or take an empty
    string for an argument that is not given.

    Args:
      lists: dict from each list argument to its value.
      dicts: the same for dict arguments.
      labels: the same for arguments that are one label, or None.

    Returns:
      The first fault, as "CODE: what is wrong; what to write instead", or None.
    """
    for kind, arguments in {"dict": dicts, "list": lists}.items():
        for name, value in arguments.items():
            # The rules accept or reject the value of a select().
            if type(value) not in [kind, "select"]:
                return "MODEL_ARGUMENTS: %s is %r; write a %s: %s = %s" % (name, value, kind, name, [value] if kind == "list" and type(value) == "string" else _OWN_EXAMPLES.get(name, _EXAMPLES[kind]))
    for name, value in labels.items():
        if not value and (value == "" or name not in _OPTIONAL):
            return "MODEL_ARGUMENTS: %s is empty; %s" % (name, _ADVICE.get(name, "give the go_library with the constructor"))
        if type(value) in ["dict", "list"]:
            return "MODEL_ARGUMENTS: %s is %r; give one label" % (name, value)
    return None

def _backend_fault(backends, parity):
    for name, target in backends.items():
        if not name:
            return "MODEL_BACKENDS: the backend of %r has no name; write backends = {\"cpu\": %r}" % (target, target)
        if [c for c in name.elems() if not (c.isalnum() or c in "_-.")]:
            return "MODEL_BACKENDS: the backend %r is part of the names of targets and files; use only letters, digits and _-." % name
        if not target:
            return "MODEL_BACKENDS: the backend %r has no target; give a row of //toolchains/iree:targets.bzl, such as backends = {%r: \"cpu_x86_64_v3\"}, or the label of a platform()" % (name, name)
        if type(target) != "string":
            return "MODEL_BACKENDS: the target of the backend %r is %r; write the name of a row, or a label in quotes" % (name, target)
    for i, name in enumerate(parity):
        if name in parity[:i]:
            return "MODEL_BACKENDS: parity names the backend %r twice; remove one of them" % name
    return None

def model_faults(backends, manual_backends, parity, parity_tools, siblings, weights, shards, runners, size_limits):
    """Checks the arguments of skainet_model.

    Args:
      backends: as in skainet_model, and so are the others.
      manual_backends: names.
      parity: names.
      parity_tools: by name.
      siblings: names of targets.
      weights: a label or None.
      shards: labels.
      runners: by name.
      size_limits: by name.

    Returns:
      The first fault, as "CODE: what is wrong; what to write instead", or None.
    """
    fault = _backend_fault(backends, parity)
    if fault:
        return fault
    for argument, names in {
        "manual_backends": manual_backends,
        "parity": parity,
        "parity_tools": parity_tools,
        "runners": runners,
    }.items():
        for name in names:
            if name not in backends:
                return "MODEL_BACKENDS: %s names the backend %r, which is not in backends; use one of %s, or add it there" % (argument, name, ", ".join(sorted(backends)) or "none")
    for name in siblings:
        if name not in SIBLINGS:
            return "MODEL_SIBLINGS: unknown sibling %r; use some of %s" % (name, ", ".join(SIBLINGS))
    if shards and not weights:
        return "WEIGHTS_SHARD: shards are given without weights; set weights to the file that names them"
    if size_limits and backends and backends[default_backend(backends, parity)] in XLA_TARGETS:
        return "SIZE_LIMITS: the sizes are those of a program of IREE, and %r is for XLA; remove size_limits, or add a backend cpu" % default_backend(backends, parity)
    if size_limits:
        fault = limit_faults({what: str(n) for what, n in size_limits.items()})
        if fault:
            return "SIZE_LIMITS: " + fault
    return None
