"""Checks whether a program can run where a target would run it."""

load("//toolchains/iree:labels.bzl", "label_text")
load("//toolchains/iree:toolchain.bzl", "RUNTIME_TYPE")
load("//toolchains/xla:targets.bzl", "XLA_TARGETS")
load(":providers.bzl", "VmfbInfo", "XlaInfo")

# For rules that run programs. Optional, so that a platform without a runtime gets a
# message that says what to do.
RUNTIME_TOOLCHAINS = [config_common.toolchain_type(RUNTIME_TYPE, mandatory = False)]

# The processors that the target platform is tested for.
CPUS = attr.label_keyed_string_dict(
    default = {
        Label("@platforms//cpu:aarch64"): "aarch64",
        Label("@platforms//cpu:armv7"): "armv7",
        Label("@platforms//cpu:riscv64"): "riscv64",
        Label("@platforms//cpu:x86_64"): "x86_64",
    },
    providers = [platform_common.ConstraintValueInfo],
)

# Their other names in triples.
_NAMES = {"arm64": "aarch64", "armv7a": "armv7"}

def cpu_of(flags):
    """Returns the processor that the compiler's flags target.

    Args:
      flags: a list of string.

    Returns:
      Its name in @platforms//cpu if it has one there, else its name in the triple; None for a program
      that is not for a CPU.
    """
    for flag in flags:
        name, _, value = flag.partition("=")
        if name == "--iree-llvmcpu-target-triple":
            cpu = value.partition("-")[0]
            return _NAMES.get(cpu, cpu)
    return None

def platform_fault(program, here):
    """Compares the processor of a program with that of a platform.

    Args:
      program: VmfbInfo.
      here: the platform's processor, or None if unknown.

    Returns:
      An error message, or None.
    """
    cpu = cpu_of(program.flags)
    if not cpu or not here or cpu == here:
        return None
    return "PROGRAM_PLATFORM: the program is for %s (target %r), but this build's platform is %s; use a program for it, or copy the .tar of this one to such a machine" % (cpu, program.target, here)

def version_fault(program, runtime):
    """Compares the version of IREE that compiled a program with the version that would run it.

    Args:
      program: VmfbInfo.
      runtime: IreeRuntimeInfo.

    Returns:
      An error message, or None.
    """
    if program.iree_version == runtime.version:
        return None
    return "IREE_VERSION: the program was compiled by IREE %s, but the runtime is %s; register compiler and runtime of the same version with iree.toolchain(version = %s)" % (
        program.iree_version,
        runtime.version,
        repr(program.iree_version),
    )

def run_fault(ctx, program):
    """Returns why a program cannot be run.

    Args:
      ctx: of a rule with the attribute _cpus and the toolchain type RUNTIME_TYPE.
      program: VmfbInfo.

    Returns:
      An error message, or None.
    """
    here = None
    for target, name in ctx.attr._cpus.items():
        if ctx.target_platform_has_constraint(target[platform_common.ConstraintValueInfo]):
            here = name
    return platform_fault(program, here) or version_fault(program, ctx.toolchains[RUNTIME_TYPE].iree_runtime)

def need_runnable(ctx, program):
    """Fails if a program is for another processor or another version of IREE.

    Args:
      ctx: of a rule with the attribute _cpus and the toolchain type RUNTIME_TYPE.
      program: VmfbInfo.
    """
    fault = run_fault(ctx, program)
    if fault:
        fail("%s: %s" % (label_text(ctx.label), fault))

def need_version(ctx, program):
    """Fails if a program that an emulator runs is for another version of IREE.

    Args:
      ctx: of a rule with the toolchain type RUNTIME_TYPE.
      program: VmfbInfo.
    """
    fault = version_fault(program, runtime_of(ctx))
    if fault:
        fail("%s: %s" % (label_text(ctx.label), fault))

def no_plugin(info):
    """Returns what is said where a program's plugin is not there.

    Args:
      info: XlaInfo.

    Returns:
      A message.
    """
    row = XLA_TARGETS[info.target]
    return ("XLA_PLUGIN: no plugin for %s is chosen, or none is registered for this platform; build with --@skainet//toolchains/xla:plugin_kind=%s, or bring one: " +
            "xla.local(kind = \"%s\", path = ..., platform = ...) in MODULE.bazel") % (info.target, " or ".join(row.kinds), row.kinds[0])

def need_plugin(ctx, program):
    """Fails if the plugin of a program is not there.

    Args:
      ctx: of the rule.
      program: XlaInfo.
    """
    if not program.plugin:
        fail("%s: %s" % (label_text(ctx.label), no_plugin(program)))

def program_of(target):
    """Returns what a program says of itself.

    Args:
      target: of the rule iree_vmfb or xla_executable.

    Returns:
      VmfbInfo or XlaInfo.
    """
    return target[XlaInfo if XlaInfo in target else VmfbInfo]

def runtime_of(ctx):
    """Returns the runtime of the target platform.

    Args:
      ctx: of a rule with RUNTIME_TOOLCHAINS.

    Returns:
      IreeRuntimeInfo.
    """
    toolchain = ctx.toolchains[RUNTIME_TYPE]
    if not toolchain:
        fail(("%s: IREE_NO_RUNTIME: no IREE runtime is registered for the target platform, so programs cannot be run there; " +
              "build the iree_vmfb alone, or give a runtime with iree.archive, iree.local or register_toolchains") % label_text(ctx.label))
    return toolchain.iree_runtime
