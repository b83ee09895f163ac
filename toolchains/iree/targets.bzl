"""The targets that programs are compiled for, as data.

A row is a struct with
  constraints: labels of the constraint values that select the row: a
    platform() that has them all gets its program (platforms/BUILD.bazel has one
    for each row); if several rows match, the one with the most wins;
  device: the runtime driver that runs the program;
  kernels: whether the compiler accepts kernels as text (stream.executable with
    scf and vector operations) for the target;
  f16: how programs convert f16: by instructions of the device, or by integers,
    if the compiler would call a conversion of its own, or reject the program;
  wide: whether the processor has 32 vector registers of 64 bytes, which kernels then fill;
  bytes: whether that processor's instructions also multiply bytes: avx512vnni is one of them;
  instructions: those of a processor that the code may use, by the compiler's names,
    sorted: all features that it writes into programs, except for reserved registers. A
    processor that lacks one would end the process;
  flags: the flags of iree-compile 3.13, complete except for input, output and linker;
  static_library: whether the code is an object file next to the program, to be
    linked with the runtime, for systems that cannot load code;
  refused: for a target that this compiler does not support: why, and what to use
    instead; naming the row fails with this message. None for all others;
  tested: what the tests do with its programs: run them, and on what, or compile them;
  doc: what the target is for.

The rules of the table are in faults.bzl. User-defined rows are made with
iree_target (target.bzl). Go programs have the same table as
compile/iree/target/targets.json, which table_json.bzl writes from this file.
"""

# The release that is fetched where no other is asked for: versions.json has its wheels, the
# flags are its flags, and kernels are written in its dialects.
IREE_VERSION = "3.13.0"

# What a model is compiled for where nothing is said: any x86-64 of the last ten years.
DEFAULT_TARGET = "cpu_x86_64_v3"

COMMON_FLAGS = [
    "--iree-input-type=stablehlo",
    "--iree-opt-level=O2",
    "--iree-opt-const-expr-hoisting=false",
    "--iree-input-demote-f64-to-f32=false",
    "--iree-vm-bytecode-module-strip-source-map=true",
]

# The flag by which code that LLVM generates for a CPU is recognised.
LLVM_CPU_FLAG = "--iree-hal-local-target-device-backends=llvm-cpu"

# Flags for all CPU programs.
_LLVM_CPU = COMMON_FLAGS + [
    "--iree-hal-target-device=local",
    LLVM_CPU_FLAG,
    "--iree-llvmcpu-debug-symbols=false",
    # A layer norm over 1500 rows takes 54 kB of stack; the default limit is 32 kB.
    "--iree-llvmcpu-stack-allocation-limit=262144",
]

_COMPILED = "compiled"

# Without an IREE runtime wheel, the static runner runs programs.
_BY_RUNNER = "run under qemu by the static runner"

def target_row(device, flags, doc, constraints = [], kernels = False, f16 = "instructions", static_library = False, instructions = [], refused = None, tested = _COMPILED, wide = False):
    """Returns a row; the fields are described in the file's docstring."""
    return struct(
        bytes = wide and "avx512vnni" in instructions,
        constraints = constraints,
        device = device,
        doc = doc,
        f16 = f16,
        flags = flags,
        instructions = sorted(instructions),
        kernels = kernels,
        refused = refused,
        static_library = static_library,
        tested = tested,
        wide = wide,
    )

def _values(*names):
    """Returns labels of constraint values; a bare word is in constraints/BUILD.bazel."""
    return [
        Label("@platforms//" + n if ":" in n else "//toolchains/iree/constraints:" + n)
        for n in names
    ]

def _cpu(doc, triple, cpu, values, features = None, instructions = [], extra = [], **kwargs):
    flags = _LLVM_CPU + [
        "--iree-llvmcpu-target-triple=" + triple,
        "--iree-llvmcpu-target-cpu=" + cpu,
    ]
    if features:
        flags.append("--iree-llvmcpu-target-cpu-features=" + features)
    return target_row(
        constraints = _values("local", *values),
        device = "local-task",
        doc = doc,
        flags = flags + extra,
        # A processor's name stands for the instructions, or features name them.
        instructions = instructions or [f.removeprefix("+") for f in features.split(",")],
        **({"kernels": True} | kwargs)
    )

def _vulkan(doc, target, values, **kwargs):
    return target_row(
        constraints = _values("vulkan", *values),
        device = "vulkan",
        doc = doc,
        flags = COMMON_FLAGS + ["--iree-hal-target-device=vulkan", "--iree-vulkan-target=" + target],
        **kwargs
    )

def _vulkan_device(doc, wgp, spirv, values, arch = "generic", **kwargs):
    """Returns a row for a Vulkan device described by its features, if no name that the compiler knows fits."""
    device = ('#hal.device.target<"vulkan", [#hal.executable.target<"vulkan-spirv", "vulkan-spirv-fb", ' +
              '{iree_codegen.target_info = #iree_gpu.target<arch = "%s", features = "%s", wgp = <%s>>}>]> : !hal.device')
    return target_row(
        constraints = _values("vulkan", *values),
        device = "vulkan",
        doc = doc,
        flags = COMMON_FLAGS + ["--iree-hal-target-device=" + device % (arch, spirv, ", ".join(wgp))],
        **kwargs
    )

def _gpu(doc, device, values = [], extra = [], **kwargs):
    """Returns a row for a GPU used other than through Vulkan, whose architecture a flag names."""
    return target_row(
        constraints = _values(device, *values),
        device = device,
        doc = doc,
        flags = COMMON_FLAGS + ["--iree-hal-target-device=" + device] + extra,
        **kwargs
    )

def _cuda(sm, doc, **kwargs):
    return _gpu(doc, "cuda", values = [sm], extra = ["--iree-cuda-target=" + sm], **kwargs)

def _rocm(gfx, doc):
    return _gpu(doc, "hip", values = [gfx], extra = ["--iree-rocm-target=" + gfx])

_X86 = "x86_64-unknown-linux-gnu"
_X86_V1 = ["cmov", "cx8", "fxsr", "mmx", "sse", "sse2", "x87"]
_X86_V3 = _X86_V1 + [
    "avx",
    "avx2",
    "bmi",
    "bmi2",
    "crc32",
    "cx16",
    "f16c",
    "fma",
    "lzcnt",
    "movbe",
    "popcnt",
    "sahf",
    "sse3",
    "sse4.1",
    "sse4.2",
    "ssse3",
    "xsave",
]
_X86_V4 = _X86_V3 + ["avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl"]
_X86_V4_VNNI = _X86_V4 + ["avx512vnni"]
_ARM = "aarch64-unknown-linux-gnu"
_DOTPROD = "+neon,+dotprod"
_CORTEX_A55 = [
    "aes",
    "crc",
    "dotprod",
    "fp-armv8",
    "fullfp16",
    "lse",
    "neon",
    "perfmon",
    "ras",
    "rcpc",
    "rdm",
    "sha2",
    "v8.2a",
]
_APPLE_M1 = [f for f in _CORTEX_A55 if f != "v8.2a"] + [
    "altnzcv",
    "ccdp",
    "ccpp",
    "complxnum",
    "flagm",
    "fp16fml",
    "fptoint",
    "jsconv",
    "pauth",
    "predres",
    "sb",
    "sha3",
    "specrestrict",
    "ssbs",
    "v8.4a",
]

# Programs are not linked to a C library. For a processor without the instruction
# the compiler turns some operations into calls to one, such as fmaxf for a maximum
# that is fused with a sum: the portable text keeps reductions separate, but with the
# kernels' text they would be fused.
_BARE = {"kernels": False}

# For 32-bit Arm the compiler knows no features of a processor by its name.
_CORTEX_M7 = {
    "cpu": "generic",
    "features": "+fp-armv8d16",
    "triple": "thumbv7em-none-eabihf",
    "values": ["cpu:armv7e-mf", "os:none"],
} | _BARE
_HARD_FLOAT = ["--iree-llvmcpu-target-float-abi=hard"]
_RISCV = {
    "cpu": "generic-rv64",
    "extra": ["--iree-llvmcpu-target-abi=lp64d"],
    "f16": "integers",
    "triple": "riscv64-unknown-linux-gnu",
}

TARGETS = {
    "cpu_x86_64_v1": _cpu(
        "any x86-64: only SSE2",
        triple = _X86,
        cpu = "x86-64",
        instructions = _X86_V1,
        f16 = "integers",
        values = ["cpu:x86_64", "x86_64_v1"],
        tested = "run on the host",
    ),
    "cpu_x86_64_v3": _cpu(
        "x86-64 with AVX2 and FMA: nearly all since 2015",
        triple = _X86,
        cpu = "x86-64-v3",
        instructions = _X86_V3,
        values = ["cpu:x86_64"],
        tested = "run on the host",
    ),
    "cpu_x86_64_v4": _cpu(
        "x86-64 with AVX-512: servers since 2017, AMD since 2022",
        triple = _X86,
        cpu = "x86-64-v4",
        instructions = _X86_V4,
        values = ["cpu:x86_64", "x86_64_v4"],
        tested = "run on the host",
        wide = True,
    ),
    "cpu_x86_64_v4_vnni": _cpu(
        "x86-64 with AVX-512 and VNNI, for models of 8 bits: servers since 2019, AMD since 2022",
        triple = _X86,
        cpu = "x86-64-v4",
        features = "+avx512vnni",
        instructions = _X86_V4_VNNI,
        values = ["cpu:x86_64", "x86_64_v4_vnni"],
        tested = "run on the host",
        wide = True,
    ),
    "aarch64": _cpu(
        "64-bit Arm with dot products: phones and servers since 2018",
        triple = _ARM,
        cpu = "generic",
        features = _DOTPROD,
        values = ["cpu:aarch64", "arm_dotprod"],
        tested = "run under qemu",
    ),
    "aarch64_generic": _cpu(
        "any 64-bit Arm, such as Cortex-A53 and A72",
        triple = _ARM,
        cpu = "generic",
        features = "+neon",
        values = ["cpu:aarch64"],
        tested = "run under qemu",
    ),
    "aarch64_cortex_a55": _cpu(
        "Cortex-A55: the small cores of phones, and boards with RK3566",
        triple = _ARM,
        cpu = "cortex-a55",
        instructions = _CORTEX_A55,
        values = ["cpu:aarch64", "cortex_a55"],
        tested = "run under qemu",
    ),
    "aarch64_cortex_a76": _cpu(
        "Cortex-A76: Raspberry Pi 5, RK3588",
        triple = _ARM,
        cpu = "cortex-a76",
        instructions = _CORTEX_A55 + ["ssbs"],
        values = ["cpu:aarch64", "cortex_a76"],
        tested = "run under qemu",
    ),
    "apple_m1": _cpu(
        "Macs with Apple's processors",
        triple = "arm64-apple-macosx14.0.0",
        cpu = "apple-m1",
        instructions = _APPLE_M1,
        values = ["cpu:aarch64", "os:macos"],
        tested = "run under qemu",
    ),
    "android": _cpu(
        "64-bit Arm phones with Android 10 or later",
        triple = "aarch64-none-linux-android29",
        cpu = "generic",
        features = _DOTPROD,
        values = ["cpu:aarch64", "os:android"],
        tested = "run under qemu",
    ),
    "riscv64": _cpu(
        "64-bit RISC-V with hardware floating point (RV64GC), without vectors",
        features = "+m,+a,+f,+d,+c",
        values = ["cpu:riscv64"],
        tested = _BY_RUNNER,
        **_RISCV
    ),
    "riscv64_v": _cpu(
        "64-bit RISC-V with vectors of 256 bits, as the SpacemiT K1 has",
        features = "+m,+a,+f,+d,+c,+v,+zvl256b",
        values = ["cpu:riscv64", "riscv_v256"],
        tested = _BY_RUNNER,
        **_RISCV
    ),
    "armv7": _cpu(
        "32-bit Arm with NEON and division: Cortex-A7 and A15, Raspberry Pi 2",
        triple = "armv7a-unknown-linux-gnueabihf",
        cpu = "generic",
        features = "+neon,+vfp4,+hwdiv,+hwdiv-arm",
        extra = _HARD_FLOAT,
        values = ["cpu:armv7"],
        tested = _BY_RUNNER,
        **_BARE
    ),
    "cortex_m7": _cpu(
        "Cortex-M7 without an operating system; the runtime loads the code, an ELF file, into memory",
        extra = _HARD_FLOAT,
        **_CORTEX_M7
    ),
    "cortex_m7_static": _cpu(
        "Cortex-M7 without an operating system; the code is an object file to link into the firmware",
        extra = _HARD_FLOAT + [
            "--iree-llvmcpu-link-embedded=false",
            "--iree-llvmcpu-link-static",
        ],
        static_library = True,
        **(_CORTEX_M7 | {"values": _CORTEX_M7["values"] + ["static_code"]})
    ),
    "wasm32": _cpu(
        "WebAssembly with 128-bit vectors",
        triple = "wasm32-unknown-unknown",
        cpu = "generic",
        f16 = "integers",
        features = "+simd128",
        values = ["cpu:wasm32"],
        **_BARE
    ),
    "cuda_sm_75": _cuda("sm_75", "NVIDIA Turing: T4, RTX 20; no f16 matrix products"),
    "cuda_sm_80": _cuda("sm_80", "NVIDIA GPUs since Ampere: A100 and, through its driver, H100"),
    "cuda_sm_86": _cuda("sm_86", "NVIDIA Ampere for workstations: A10, A40, RTX 30"),
    "cuda_sm_87": _cuda("sm_87", "NVIDIA Jetson Orin"),
    "cuda_sm_89": _cuda("sm_89", "NVIDIA Ada: L4, L40, RTX 40; and, through its driver, H100"),
    "cuda_sm_90": _cuda(
        "sm_90",
        "NVIDIA Hopper: H100, H200",
        refused = "IREE 3.13.0 has no target for Hopper; use cuda_sm_89, whose PTX a Hopper's driver translates when it loads the program",
        tested = "refused",
    ),
    "metal": _gpu(
        "Apple GPUs: the program contains Metal source",
        device = "metal",
    ),
    "rocm_gfx942": _rocm("gfx942", "AMD Instinct MI300"),
    "rocm_gfx1100": _rocm("gfx1100", "AMD Radeon RX 7900"),
    "rocm_gfx1201": _rocm("gfx1201", "AMD Radeon RX 9070"),
    "vulkan": _vulkan(
        "fourth-generation Mali Valhall, such as Mali-G715",
        target = "valhall4",
        values = ["mali_valhall"],
        tested = "run on Mesa's software driver",
    ),
    # All names that 3.13 knows belong to one vendor, except for
    # vp_android_baseline_2022, which has only 32-bit storage. So the profile
    # is written out: that baseline's limits, with the 8- and 16-bit types that
    # drivers of Vulkan 1.2 offer, and no subgroup operations, so that the
    # width of a subgroup does not matter. Programs for it need the text in which
    # reductions are kept separate from their uses (compile/iree, reduce.go).
    "vulkan_generic": _vulkan_device(
        "any Vulkan device with 8- and 16-bit storage and arithmetic",
        spirv = "spirv:v1.3,cap:Shader",
        values = [],
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
        tested = "run on Mesa's software driver",
    ),
    # The compiler's adreno, and 8-bit storage, which it lacks: i8 and bool would be
    # computed wrongly. A driver without it rejects the program.
    "vulkan_adreno": _vulkan_device(
        "Adreno whose driver has 8-bit storage",
        arch = "adreno",
        spirv = "spirv:v1.6,cap:Shader",
        values = ["adreno"],
        wgp = [
            "compute = fp32|fp16|int32|int16|int8",
            "storage = b64|b32|b16|b8",
            "subgroup = shuffle|arithmetic",
            "dot = dp4xi8toi32",
            "subgroup_size_choices = [64]",
            "max_workgroup_sizes = [1024, 1024, 1024]",
            "max_thread_count_per_workgroup = 1024",
            "max_workgroup_memory_bytes = 32768",
            "max_workgroup_counts = [65535, 65535, 65535]",
        ],
    ),
    "vulkan_rdna3": _vulkan("AMD Radeon RX 7000 through Vulkan", target = "rdna3", values = ["rdna3"]),
    "vulkan_ampere": _vulkan("NVIDIA RTX 30 through Vulkan", target = "ampere", values = ["ampere"]),
    "vmvx": target_row(
        constraints = _values("vmvx"),
        device = "local-task",
        doc = "IREE's portable interpreter: any CPU, slow",
        f16 = "integers",
        flags = COMMON_FLAGS + [
            "--iree-hal-target-device=local",
            "--iree-hal-local-target-device-backends=vmvx",
        ],
        tested = "run on the host",
    ),
    "webgpu": target_row(
        constraints = _values("webgpu"),
        device = "webgpu",
        doc = "browsers' GPUs",
        flags = COMMON_FLAGS + ["--iree-hal-target-device=webgpu"],
        refused = "the pinned compiler, IREE 3.13.0, is built without WebGPU; use wasm32 in a browser, vulkan_generic for a GPU outside of one",
        tested = "refused",
    ),
}
