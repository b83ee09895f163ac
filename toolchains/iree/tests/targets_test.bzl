"""Unit tests of the target table: each row keeps the rules, and each rule bites."""

load("@bazel_skylib//lib:partial.bzl", "partial")
load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
load("//toolchains/iree:targets.bzl", "TARGETS", "target_faults")

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
    return unittest.end(env)

rows_test = unittest.make(_rows_test_impl)

def _changed(row, key, value, device = None):
    """A row with a flag set to value, or dropped where value is None."""
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
        ("vulkan_generic", "--iree-hal-target-device", narrow),
        ("vulkan_generic", "--iree-hal-target-device", "vulkan"),
        ("vulkan", "--iree-hal-target-device", "npu"),
        # Another architecture than the one that is meant.
        ("cuda_sm_80", "--iree-cuda-target", None),
        ("rocm_gfx942", "--iree-rocm-target", None),
    ]:
        faults = target_faults(row, _changed(row, key, value))
        asserts.equals(env, 1, len(faults), "%s %s=%s: %s" % (row, key, value, faults))
    asserts.equals(env, 1, len(target_faults("v", _changed("vulkan", "", None, device = "local-task"))))
    asserts.equals(env, 1, len(target_faults("m", _changed("metal", "", None, device = "vulkan"))))
    asserts.equals(env, 1, len(target_faults("c", _changed("aarch64", "", None, device = "vulkan"))))
    return unittest.end(env)

faults_test = unittest.make(_faults_test_impl)

def targets_test_suite(name):
    unittest.suite(name, *[partial.make(t, size = "small") for t in [rows_test, faults_test]])
