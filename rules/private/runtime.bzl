"""The runtime that a program is run with."""

load("//toolchains/iree:toolchain.bzl", "RUNTIME_TYPE", "version_fault")

# Optional, so that a platform without one gets a message that says what to do.
RUNTIME_TOOLCHAINS = [config_common.toolchain_type(RUNTIME_TYPE, mandatory = False)]

def runtime_for(ctx, program):
    """Gives the runtime of the target platform, for a program that fits it.

    Args:
      ctx: of a rule with RUNTIME_TOOLCHAINS.
      program: the program's VmfbInfo.

    Returns:
      The IreeRuntimeInfo.
    """
    toolchain = ctx.toolchains[RUNTIME_TYPE]
    if not toolchain:
        fail(("%s: IREE_NO_RUNTIME: no IREE runtime is registered for the target platform, so a program cannot be run there; " +
              "build its iree_vmfb alone, or give a runtime with iree.archive, iree.local or register_toolchains") % ctx.label)
    runtime = toolchain.iree_runtime
    fault = version_fault(program.iree_version, runtime.version)
    if fault:
        fail("%s: IREE_VERSION_SKEW: %s: %s" % (ctx.label, program.program.short_path, fault))
    return runtime
