"""What runs a row's programs here: this machine, an emulator, or a driver in software."""

load("@iree_host_processor//:processor.bzl", "ARCHITECTURE")
load("//toolchains/iree/private:host_processor.bzl", "architecture_of")
load(":targets.bzl", "TARGETS")

_MESA = Label("@lavapipe//:env")

# By processor: an emulator, and the static runner that runs in it. The code is the same
# whatever the system, so programs for Android and macOS run on the runner for Linux.
_EMULATORS = {
    "aarch64": struct(runner = Label("//toolchains/iree/runner:aarch64-linux-musl"), tools = Label("@qemu_aarch64//:env")),
    "armv7a": struct(runner = Label("//toolchains/iree/runner:arm-linux-musleabihf"), tools = Label("@qemu_arm//:env")),
    "riscv64": struct(runner = Label("//toolchains/iree/runner:riscv64-linux-musl"), tools = Label("@qemu_riscv64//:env")),
}

# Instructions that an emulator shows only when it is asked to.
_SHOWN = {"zvl256b": {"QEMU_CPU": "rv64,v=true,vlen=256,vext_spec=v1.0"}}

def stand_in(row, here = ARCHITECTURE):
    """Returns what runs the programs of a row here.

    Args:
      row: a name of the table.
      here: the architecture of this machine, as in triples.

    Returns:
      struct(reason, tools, runner, env): reason is why nothing does, or None; tools is the
      label of the tool_environment with the emulator or the driver, or None; runner is that
      of the static runner that the emulator runs, or None; env is its environment.
    """
    target = TARGETS[row]
    tested = target.tested
    if tested == "run on the host":
        return struct(env = {}, reason = None, runner = None, tools = None)
    if tested == "run on Mesa's software driver":
        return struct(env = {}, reason = None, runner = None, tools = _MESA)
    if not tested.startswith("run under qemu"):
        why = target.refused or "nothing here runs its programs: the tests have no device for %s, and no emulator of one" % row
        return struct(env = {}, reason = why, runner = None, tools = None)
    triple = [f for f in target.flags if f.startswith("--iree-llvmcpu-target-triple=")][0].partition("=")[2]
    cpu = architecture_of(triple.partition("-")[0])
    if cpu == here:
        return struct(env = {}, reason = None, runner = None, tools = None)
    env = {}
    for instruction in target.instructions:
        env |= _SHOWN.get(instruction, {})
    emulator = _EMULATORS[cpu]
    return struct(env = env, reason = None, runner = emulator.runner, tools = emulator.tools)
