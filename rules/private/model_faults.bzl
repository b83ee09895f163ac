"""What can be wrong with the arguments of skainet_model, and what follows from them."""

load(":iree_size_test.bzl", "limit_faults")

SIBLINGS = ["bench", "layer_diff", "parity_test", "run", "size_test", "tar"]

def default_backend(backends, parity):
    """The backend of `m.run` and the others that are of one backend.

    Args:
      backends: as in skainet_model.
      parity: as in skainet_model.

    Returns:
      A name: cpu where there is one, else the first that is compared, else the first;
      None where there is no backend.
    """
    if "cpu" in backends:
        return "cpu"
    if parity:
        return parity[0]
    return list(backends)[0] if backends else None

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
    for argument, names in {
        "manual_backends": manual_backends,
        "parity": parity,
        "parity_tools": parity_tools,
        "runners": runners,
    }.items():
        for name in names:
            if name not in backends:
                return "MODEL_BACKENDS: %s names the backend %r, which backends does not have; use one of %s, or add it there" % (argument, name, ", ".join(sorted(backends)) or "none")
    for name in siblings:
        if name not in SIBLINGS:
            return "MODEL_SIBLINGS: there is no sibling %r; use some of %s" % (name, ", ".join(SIBLINGS))
    if shards and not weights:
        return "WEIGHTS_SHARD: shards are parts of weights, and there are none; give the file that names them as weights"
    if size_limits:
        fault = limit_faults({what: str(n) for what, n in size_limits.items()})
        if fault:
            return "SIZE_LIMITS: " + fault
    return None
