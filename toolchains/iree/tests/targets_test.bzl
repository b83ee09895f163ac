"""Unit tests of the target table: each row keeps the rules, and each rule catches a violation."""

load("@bazel_skylib//lib:partial.bzl", "partial")
load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
load("//toolchains/iree:faults.bzl", "target_faults")
load("//toolchains/iree:optimizations.bzl", "OPTIMIZATIONS", "optimized")
load("//toolchains/iree:targets.bzl", "TARGETS", "target_row")

def _rows_test_impl(ctx):
    env = unittest.begin(ctx)
    for want in [
        "aarch64",
        "android",
        "cpu_x86_64_v3",
        "cpu_x86_64_v4",
        "cuda_sm_80",
        "metal",
        "rocm_gfx1100",
        "rocm_gfx942",
        "vmvx",
        "vulkan",
        "vulkan_generic",
    ]:
        asserts.true(env, want in TARGETS, want)
    for name, target in TARGETS.items():
        asserts.equals(env, [], target_faults(name, target))
        asserts.true(env, target.doc != "", name)
        asserts.equals(env, bool(target.refused), target.tested == "refused", name)
        asserts.true(env, len(target.constraints) > 0, name)
    return unittest.end(env)

def _constraints_test_impl(ctx):
    """No two rows are for the same platform."""
    env = unittest.begin(ctx)
    seen = {}
    for name, target in TARGETS.items():
        key = ",".join(sorted([str(c) for c in target.constraints]))
        asserts.false(env, key in seen, "%s and %s" % (name, seen.get(key)))
        seen[key] = name
    return unittest.end(env)

constraints_test = unittest.make(_constraints_test_impl)

def _levels_test_impl(ctx):
    """A level keeps the rules, except those that it is meant to break."""
    env = unittest.begin(ctx)
    broken = {
        "aggressive": ["--iree-opt-level must be O2"],
        "debug": ["--iree-llvmcpu-debug-symbols must be false", "--iree-vm-bytecode-module-strip-source-map must be true"],
    }
    for name, target in TARGETS.items():
        asserts.equals(env, target.flags, optimized(target, ""))
        for level, o in OPTIMIZATIONS.items():
            asserts.true(env, o.doc != "", level)
            row = target_row(target.device, optimized(target, level), "")
            allowed = ["%s: %s" % (name, fault) for fault in broken.get(level, [])]
            asserts.equals(env, [], [f for f in target_faults(name, row) if f not in allowed], level)
    return unittest.end(env)

levels_test = unittest.make(_levels_test_impl)

rows_test = unittest.make(_rows_test_impl)

def _changed(row, key, value, device = None):
    """Returns a row with a flag set to value, or removed if value is None."""
    flags = []
    for flag in TARGETS[row].flags:
        if flag.partition("=")[0] != key:
            flags.append(flag)
        elif value != None:
            flags.append(key + "=" + value)
    return struct(device = device or TARGETS[row].device, doc = "", flags = flags)

def _faults_test_impl(ctx):
    env = unittest.begin(ctx)
    narrow = '#hal.device.target<"vulkan", [#x<{t = #iree_gpu.target<wgp = <compute = fp32|fp16, storage = b32|b16, subgroup = none>>}>]> : !hal.device'
    for row, key, value in [
        # A transposed second copy of every weight.
        ("cpu_x86_64_v3", "--iree-opt-level", None),
        ("cpu_x86_64_v3", "--iree-opt-level", "O0"),
        # Quantised weights unpacked at load.
        ("aarch64", "--iree-opt-const-expr-hoisting", None),
        ("vulkan", "--iree-opt-const-expr-hoisting", "true"),
        # Another program on another machine.
        ("cpu_x86_64_v3", "--iree-llvmcpu-target-cpu", None),
        ("cpu_x86_64_v3", "--iree-llvmcpu-target-cpu", "host"),
        ("cpu_x86_64_v4", "--iree-llvmcpu-target-cpu", ""),
        ("aarch64", "--iree-llvmcpu-target-triple", None),
        ("aarch64", "--iree-llvmcpu-debug-symbols", None),
        ("vmvx", "--iree-vm-bytecode-module-strip-source-map", None),
        # Wrong numbers for f16, i8 and bool.
        ("vulkan", "--iree-vulkan-target", None),
        ("vulkan", "--iree-vulkan-target", "vp_android_baseline_2022"),
        ("vulkan", "--iree-vulkan-target", "adreno"),
        ("vulkan_ampere", "--iree-vulkan-target", None),
        ("vulkan_rdna3", "--iree-vulkan-target", "adreno-740"),
        ("vulkan_adreno", "--iree-hal-target-device", narrow),
        ("vulkan_generic", "--iree-hal-target-device", narrow),
        ("vulkan_generic", "--iree-hal-target-device", "vulkan"),
        ("vulkan", "--iree-hal-target-device", "npu"),
        # Not the intended architecture.
        ("cuda_sm_80", "--iree-cuda-target", None),
        ("cuda_sm_89", "--iree-cuda-target", ""),
        ("rocm_gfx942", "--iree-rocm-target", None),
        ("rocm_gfx1201", "--iree-rocm-target", ""),
        ("armv7", "--iree-llvmcpu-target-cpu", "host"),
        ("riscv64", "--iree-llvmcpu-target-triple", None),
        ("cortex_m7_static", "--iree-llvmcpu-debug-symbols", "true"),
    ]:
        faults = target_faults(row, _changed(row, key, value))
        asserts.equals(env, 1, len(faults), "%s %s=%s: %s" % (row, key, value, faults))
    asserts.equals(env, 1, len(target_faults("v", _changed("vulkan", "", None, device = "local-task"))))
    asserts.equals(env, 1, len(target_faults("m", _changed("metal", "", None, device = "vulkan"))))
    asserts.equals(env, 1, len(target_faults("c", _changed("aarch64", "", None, device = "vulkan"))))
    return unittest.end(env)

faults_test = unittest.make(_faults_test_impl)

def targets_test_suite(name):
    unittest.suite(name, *[partial.make(t, size = "small") for t in [rows_test, constraints_test, levels_test, faults_test]])
