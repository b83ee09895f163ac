"""The rules of the table of targets. Breaking any of them gave wrong numbers, twice
the memory, or different bytes on another machine, without any message:

  * O2: without it, x times W-transposed makes a transposed second copy of
    each weight when the program is loaded;
  * no hoisting of constant expressions: it unpacks quantised weights at load;
  * a CPU and a triple by name: `host` compiles for the machine that builds,
    and no name means a CPU without vector instructions;
  * no silent demotion of f64 to f32;
  * for Vulkan, a target with 8- and 16-bit storage: the compiler's default
    lacks it and computes f16, i8 and bool wrongly;
  * nothing of the machine in the program: no debug symbols, no source map.
"""

# Names of --iree-vulkan-target whose profile has storage b16 and b8, as 3.13
# prints it; adreno has no b8.
_WIDE_STORAGE = ["ampere", "rdna", "turing", "valhall", "ada", "mali-g"]

# The flag that names the architecture for a device: without it the
# compiler assumes the oldest that it knows, or none.
ARCHITECTURE_FLAGS = {
    "cuda": "--iree-cuda-target",
    "hip": "--iree-rocm-target",
    "metal": None,
    "vulkan": "--iree-vulkan-target",
    "webgpu": None,
}

# Values that do not name a processor: the build machine's own, or none.
NO_PROCESSOR = ["", "host"]

def target_faults(name, target):
    """Checks a row of the table.

    Args:
      name: the row's name, for the message.
      target: the row.

    Returns:
      A list of error messages; empty for a valid row.
    """
    values = {}
    faults = []
    for flag in target.flags:
        key, _, value = flag.partition("=")
        if not flag.startswith("--"):
            faults.append("%s: %s is not a flag" % (name, flag))
        if key in values:
            faults.append("%s: %s is given twice" % (name, key))
        values[key] = value

    for key, want in {
        "--iree-input-type": "stablehlo",
        "--iree-opt-const-expr-hoisting": "false",
        "--iree-input-demote-f64-to-f32": "false",
        "--iree-opt-level": "O2",
        "--iree-vm-bytecode-module-strip-source-map": "true",
    }.items():
        if values.get(key) != want:
            faults.append("%s: %s must be %s" % (name, key, want))

    device = values.get("--iree-hal-target-device", "")
    if device == "local":
        if target.device not in ["local-task", "local-sync"]:
            faults.append("%s: a program for a CPU does not run on %s" % (name, target.device))
        if values.get("--iree-hal-local-target-device-backends") == "llvm-cpu":
            if values.get("--iree-llvmcpu-target-cpu", "") in NO_PROCESSOR:
                faults.append("%s: --iree-llvmcpu-target-cpu must name a CPU" % name)
            if not values.get("--iree-llvmcpu-target-triple"):
                faults.append("%s: --iree-llvmcpu-target-triple must be set" % name)
            if values.get("--iree-llvmcpu-debug-symbols") != "false":
                faults.append("%s: --iree-llvmcpu-debug-symbols must be false" % name)
    elif device == "vulkan":
        if not [n for n in _WIDE_STORAGE if values.get(ARCHITECTURE_FLAGS[device], "").startswith(n)]:
            faults.append("%s: --iree-vulkan-target must name one with 8- and 16-bit storage" % name)
    elif device.startswith("#hal.device.target<\"vulkan\""):
        storage = device.partition("storage = ")[2].partition(",")[0].split("|")
        if "b16" not in storage or "b8" not in storage:
            faults.append("%s: the device must have storage b16 and b8" % name)
    elif device in ARCHITECTURE_FLAGS:
        key = ARCHITECTURE_FLAGS[device]
        if key and not values.get(key):
            faults.append("%s: %s must be set" % (name, key))
        if target.device != device:
            faults.append("%s: a program for %s does not run on %s" % (name, device, target.device))
    else:
        faults.append("%s: --iree-hal-target-device is %r, for which there is no rule here" % (name, device))
    if "vulkan" in device and target.device != "vulkan":
        faults.append("%s: a program for Vulkan does not run on %s" % (name, target.device))
    return faults
