"""Which backends of a model are compared with the CPU reference, on what, and why others are not."""

load("//toolchains/iree:stand_ins.bzl", "stand_in")
load("//toolchains/iree:targets.bzl", "TARGETS")
load("//toolchains/xla:targets.bzl", "RUN", "XLA_TARGETS")

_OWN = "nothing is known of what runs its programs: it is no row of the table; name the backend in parity, and what it needs in parity_tools, to compare it"

def left_out(target):
    """Returns why the programs of a target are not compared unless parity names the backend.

    Args:
      target: a row of the table, a row of the caller's, or the label of a platform.

    Returns:
      A reason, or None for a row that this machine runs or emulates.
    """
    if target in XLA_TARGETS:
        return None if XLA_TARGETS[target].tested == RUN else "nothing here runs its programs: the tests have no device for " + target
    return stand_in(target).reason if target in TARGETS else _OWN

def parity_faults(backends, parity, no_parity, manual_parity = []):
    """Checks parity and no_parity of skainet_model.

    Args:
      backends: as in skainet_model.
      parity: as in skainet_model.
      no_parity: as in skainet_model.
      manual_parity: as in skainet_model.

    Returns:
      The first fault, as "CODE: what is wrong; what to write instead", or None.
    """
    for name in manual_parity:
        if name not in backends or name in no_parity:
            return "MODEL_PARITY: manual_parity names the backend %r, which is not compared; use one of %s" % (name, ", ".join(sorted(compared(backends, parity, no_parity))) or "none")
    if type(no_parity) == "dict":
        for name, why in no_parity.items():
            if name not in backends:
                return "MODEL_BACKENDS: no_parity names the backend %r, which is not in backends; use one of %s, or add it there" % (name, ", ".join(sorted(backends)) or "none")
            if name in (parity or []):
                return "MODEL_PARITY: parity and no_parity both name the backend %r; remove it from one of them" % name
            if type(why) != "string" or not why.strip():
                return "MODEL_PARITY: no_parity gives no reason for the backend %r; write one: no_parity = {%r: \"what takes its place\"}" % (name, name)
    elif type(no_parity) != "string":
        return "MODEL_PARITY: no_parity is %r; write a dict from backends to reasons, or one reason for all that parity leaves out" % (no_parity,)
    elif no_parity and parity == None:
        return "MODEL_PARITY: no_parity is one reason for all backends that parity leaves out, and parity is not given; name the backends: no_parity = {%r: %r}" % (list(backends)[0] if backends else "cpu", no_parity)
    if parity == None:
        return None
    for name, target in backends.items():
        if name not in parity and not no_parity_of(no_parity, name) and not left_out(target):
            return "MODEL_PARITY: parity leaves out the backend %r, whose programs run here, without a reason; add it to parity, or write no_parity = {%r: \"what takes its place\"}" % (name, name)
    return None

def no_parity_of(no_parity, name):
    """Returns the reason that no_parity gives for a backend, or None.

    Args:
      no_parity: as in skainet_model.
      name: of the backend.

    Returns:
      A string or None.
    """
    return no_parity.get(name) if type(no_parity) == "dict" else no_parity or None

def compared(backends, parity, no_parity):
    """Returns the backends to compare.

    Args:
      backends: as in skainet_model.
      parity: as in skainet_model.
      no_parity: as in skainet_model.

    Returns:
      A list of names.
    """
    if parity != None:
        return parity
    return [name for name, target in backends.items() if not no_parity_of(no_parity, name) and not left_out(target)]

def reasons(backends, compared, no_parity):
    """Returns why each other backend is not compared.

    Args:
      backends: as in skainet_model.
      compared: the names that are.
      no_parity: as in skainet_model.

    Returns:
      A dict from names to reasons.
    """
    return {
        name: no_parity_of(no_parity, name) or left_out(target)
        for name, target in backends.items()
        if name not in compared
    }
