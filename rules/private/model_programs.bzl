"""The programs of a skainet_model: which rule makes that of a row, and its name."""

load("//toolchains/xla:targets.bzl", "XLA_TARGETS")
load(":iree_vmfb.bzl", "iree_vmfb")
load(":xla_executable.bzl", "target_fault", "xla_executable")

def is_xla(target):
    """Reports whether a target of skainet_model is one for XLA, which the table may lack.

    Args:
      target: as in its backends.

    Returns:
      A bool.
    """
    return target.startswith("xla_")

def program_name(name, backend, backends):
    """Returns the name of a backend's program.

    Args:
      name: of the skainet_model.
      backend: a name.
      backends: as in skainet_model.

    Returns:
      A name.
    """
    return name + ("_executable_" if is_xla(backends[backend]) else "_vmfb_") + backend

def run_name(name, backend):
    """Returns the name of the target that calls a backend's program.

    Args:
      name: of the skainet_model.
      backend: a name.

    Returns:
      A name.
    """
    return name + "_run_" + backend

def xla_faults(backends, sizes = []):
    """Checks what is for XLA of skainet_model.

    Args:
      backends: as in skainet_model.
      sizes: as in skainet_model.

    Returns:
      The first fault, as "CODE: what is wrong; what to write instead", or None.
    """
    for name, target in backends.items():
        if is_xla(target):
            fault = target_fault(target)
            if fault:
                return "%s (backend %r)" % (fault, name)
    if sizes and not [target for target in backends.values() if is_xla(target)]:
        return "MODEL_ARGUMENTS: sizes are those that XLA compiles for, and no backend is one of XLA; add one, such as backends = {\"xla\": \"xla_cpu\"}, or leave them out: programs of IREE are for any"
    return None

def declare_program(name, backend, backends, tags, iree, xla, **kwargs):
    """Declares the program of a backend.

    Args:
      name: of the skainet_model.
      backend: a name.
      backends: as in skainet_model.
      tags: of the target.
      iree: dict of attributes of iree_vmfb alone.
      xla: dict of attributes of xla_executable alone.
      **kwargs: attributes of both rules.
    """
    target = backends[backend]
    program = program_name(name, backend, backends)
    if target in XLA_TARGETS:
        xla_executable(name = program, target = target, tags = tags, **(kwargs | xla))
        return
    iree_vmfb(
        name = program,
        tags = tags,
        **(kwargs | iree | {"platform" if target[:1] in [":", "/", "@"] else "target": target})
    )
