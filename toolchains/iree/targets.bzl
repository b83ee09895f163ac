"""The targets that programs are compiled for, as data.

A row is a struct with
  device: the runtime driver that runs the program;
  kernels: whether the compiler takes kernels as text (stream.executable with
    scf and vector operations) for the target;
  flags: the flags of iree-compile 3.13, complete but for input, output and linker;
  doc: for whom it is.

Rules of the table, each one a fault that gave wrong numbers, twice the memory
or other bytes on another machine without a word; target_faults tests them:

  * O2, for without it x times W-transposed makes a transposed second copy of
    each weight when the program is loaded;
  * no hoisting of constant expressions, which unpacks quantised weights at load;
  * a CPU and a triple by name: `host` compiles for whichever machine builds,
    no name for a CPU without vector instructions;
  * no silent change of f64 to f32;
  * for Vulkan a target with 8- and 16-bit storage: the compiler's default one
    lacks it and computes f16, i8 and bool wrongly;
  * nothing of the machine in the program: no debug symbols, no source map.
"""

_COMMON = [
    "--iree-input-type=stablehlo",
    "--iree-opt-level=O2",
    "--iree-opt-const-expr-hoisting=false",
    "--iree-input-demote-f64-to-f32=false",
    "--iree-vm-bytecode-module-strip-source-map=true",
]

# Flags of every program for a CPU.
_LLVM_CPU = _COMMON + [
    "--iree-hal-target-device=local",
    "--iree-hal-local-target-device-backends=llvm-cpu",
    "--iree-llvmcpu-debug-symbols=false",
    # A layer norm over 1500 rows takes 54 kB of stack where 32 kB are allowed.
    "--iree-llvmcpu-stack-allocation-limit=262144",
]

def _cpu(doc, triple, cpu, features = None, extra = []):
    flags = _LLVM_CPU + [
        "--iree-llvmcpu-target-triple=" + triple,
        "--iree-llvmcpu-target-cpu=" + cpu,
    ]
    if features:
        flags.append("--iree-llvmcpu-target-cpu-features=" + features)
    return struct(device = "local-task", doc = doc, flags = flags + extra, kernels = True)

def _vulkan(doc, target, extra = []):
    return struct(
        device = "vulkan",
        kernels = False,
        doc = doc,
        flags = _COMMON + ["--iree-hal-target-device=vulkan", "--iree-vulkan-target=" + target] + extra,
    )

def _vulkan_device(doc, wgp, spirv):
    """A Vulkan device given by what it can do, where no name of the compiler fits."""
    device = ('#hal.device.target<"vulkan", [#hal.executable.target<"vulkan-spirv", "vulkan-spirv-fb", ' +
              '{iree_codegen.target_info = #iree_gpu.target<arch = "generic", features = "%s", wgp = <%s>>}>]> : !hal.device')
    return struct(
        device = "vulkan",
        kernels = False,
        doc = doc,
        flags = _COMMON + ["--iree-hal-target-device=" + device % (spirv, ", ".join(wgp))],
    )

def _gpu(doc, device, extra = []):
    """A GPU other than through Vulkan, whose architecture a flag names."""
    return struct(
        device = device,
        kernels = False,
        doc = doc,
        flags = _COMMON + ["--iree-hal-target-device=" + device] + extra,
    )

TARGETS = {
    "cpu_x86_64_v3": _cpu(
        "x86-64 with AVX2 and FMA: nearly all since 2015",
        triple = "x86_64-unknown-linux-gnu",
        cpu = "x86-64-v3",
    ),
    "cpu_x86_64_v4": _cpu(
        "x86-64 with AVX-512: servers since 2017, AMD since 2022",
        triple = "x86_64-unknown-linux-gnu",
        cpu = "x86-64-v4",
    ),
    "aarch64": _cpu(
        "64-bit Arm with dot products: phones and servers since 2018",
        triple = "aarch64-unknown-linux-gnu",
        cpu = "generic",
        features = "+neon,+dotprod",
    ),
    "android": _cpu(
        "64-bit Arm phones with Android 10 or later",
        triple = "aarch64-none-linux-android29",
        cpu = "generic",
        features = "+neon,+dotprod",
    ),
    # 3.13 knows no target of Hopper (sm_90); its driver translates programs for
    # sm_80 when they are loaded.
    "cuda_sm_80": _gpu(
        "NVIDIA GPUs since Ampere: A100 and, through its driver, H100",
        device = "cuda",
        extra = ["--iree-cuda-target=sm_80"],
    ),
    "metal": _gpu(
        "Apple GPUs: the program holds Metal's source",
        device = "metal",
    ),
    "rocm_gfx942": _gpu(
        "AMD Instinct MI300",
        device = "hip",
        extra = ["--iree-rocm-target=gfx942"],
    ),
    "rocm_gfx1100": _gpu(
        "AMD Radeon RX 7900",
        device = "hip",
        extra = ["--iree-rocm-target=gfx1100"],
    ),
    "vulkan": _vulkan(
        "Mali Valhall of the fourth generation: Mali-G715 and its kin",
        target = "valhall4",
    ),
    # All names that 3.13 knows are one vendor's, but for
    # vp_android_baseline_2022, which has 32-bit storage alone. So the profile
    # is written out: that baseline's limits, with the 8- and 16-bit types that
    # drivers of Vulkan 1.2 offer, and no subgroup operations, so that the
    # width of a subgroup does not matter. Programs for it need the text in which
    # reductions are kept apart from what uses them (compile/hlo, reduce.go).
    "vulkan_generic": _vulkan_device(
        "any Vulkan device with 8- and 16-bit storage and arithmetic",
        spirv = "spirv:v1.3,cap:Shader",
        wgp = [
            "compute = fp32|fp16|int32|int16|int8",
            "storage = b32|b16|b8",
            "subgroup = none",
            "subgroup_size_choices = [64]",
            "max_workgroup_sizes = [128, 128, 64]",
            "max_thread_count_per_workgroup = 128",
            "max_workgroup_memory_bytes = 16384",
            "max_workgroup_counts = [65535, 65535, 65535]",
        ],
    ),
    "vmvx": struct(
        device = "local-task",
        kernels = False,
        doc = "IREE's portable interpreter: any CPU, slow, no f16",
        flags = _COMMON + [
            "--iree-hal-target-device=local",
            "--iree-hal-local-target-device-backends=vmvx",
        ],
    ),
}

# Names of --iree-vulkan-target whose profile has storage b16 and b8, as 3.13
# prints it; adreno has no b8.
_WIDE_STORAGE = ["ampere", "rdna", "turing", "valhall", "ada", "mali-g"]

# The flag with which the other devices' targets name an architecture: without it
# the compiler takes the oldest that it knows, or none.
_ARCHITECTURE = {
    "cuda": "--iree-cuda-target",
    "hip": "--iree-rocm-target",
    "metal": None,
}

def target_faults(name, target):
    """Checks a row of the table.

    Args:
      name: the row's name, for the message.
      target: the row.

    Returns:
      A list of what is wrong; empty for a good row.
    """
    values = {}
    faults = []
    for flag in target.flags:
        key, _, value = flag.partition("=")
        if not flag.startswith("--"):
            faults.append("%s: %s is no flag" % (name, flag))
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
            if values.get("--iree-llvmcpu-target-cpu", "host") in ["", "host"]:
                faults.append("%s: --iree-llvmcpu-target-cpu must name a CPU" % name)
            if not values.get("--iree-llvmcpu-target-triple"):
                faults.append("%s: --iree-llvmcpu-target-triple must be given" % name)
            if values.get("--iree-llvmcpu-debug-symbols") != "false":
                faults.append("%s: --iree-llvmcpu-debug-symbols must be false" % name)
    elif device == "vulkan":
        if not [n for n in _WIDE_STORAGE if values.get("--iree-vulkan-target", "").startswith(n)]:
            faults.append("%s: --iree-vulkan-target must name one with 8- and 16-bit storage" % name)
    elif device.startswith("#hal.device.target<\"vulkan\""):
        storage = device.partition("storage = ")[2].partition(",")[0].split("|")
        if "b16" not in storage or "b8" not in storage:
            faults.append("%s: the device must have storage b16 and b8" % name)
    elif device in _ARCHITECTURE:
        key = _ARCHITECTURE[device]
        if key and not values.get(key):
            faults.append("%s: %s must be given" % (name, key))
        if target.device != device:
            faults.append("%s: a program for %s does not run on %s" % (name, device, target.device))
    else:
        faults.append("%s: --iree-hal-target-device is %r, which has no rule here" % (name, device))
    if "vulkan" in device and target.device != "vulkan":
        faults.append("%s: a program for Vulkan does not run on %s" % (name, target.device))
    return faults
