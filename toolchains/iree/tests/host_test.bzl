"""Unit tests of what a processor lacks, by the text of Linux."""

load("@bazel_skylib//lib:partial.bzl", "partial")
load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
load("//toolchains/iree:host.bzl", "host_lacks", "needs_host")
load("//toolchains/iree:stand_ins.bzl", "stand_in")
load("//toolchains/iree:targets.bzl", "TARGETS")
load("//toolchains/iree/private:host_processor.bzl", "lacking")

_HASWELL = """\
processor\t: 0
model name\t: Intel(R) Core(TM) i7-4770
flags\t\t: fpu cx8 cmov fxsr sse sse2 pni fma cx16 ssse3 sse4_1 sse4_2 movbe popcnt xsave avx f16c lahf_lm abm bmi1 avx2 bmi2
bugs\t\t: spectre_v1
processor\t: 1
flags\t\t: fpu
"""

_CORTEX_A72 = """\
processor\t: 0
Features\t: fp asimd evtstrm crc32 cpuid
"""

def _lacking_test_impl(ctx):
    env = unittest.begin(ctx)
    avx512 = ["avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl", "avx512vnni"]
    asserts.equals(env, avx512, lacking("x86_64", _HASWELL))
    asserts.equals(env, ["dotprod", "fp16fml", "fullfp16", "lse", "rdm"], lacking("aarch64", _CORTEX_A72))
    for nothing in [lacking("x86_64", ""), lacking("riscv64", _HASWELL), lacking("aarch64", "flags")]:
        asserts.equals(env, [], nothing)

    # What rows need beyond the oldest is told, except for what says nothing of arithmetic.
    told = lacking("x86_64", "flags : none")
    quiet = TARGETS["cpu_x86_64_v1"].instructions + ["crc32", "cx16", "sahf", "xsave"]
    for row in ["cpu_x86_64_v3", "cpu_x86_64_v4", "cpu_x86_64_v4_vnni"]:
        asserts.equals(env, [], [i for i in TARGETS[row].instructions if i not in told + quiet])
    return unittest.end(env)

lacking_test = unittest.make(_lacking_test_impl)

def _host_test_impl(ctx):
    env = unittest.begin(ctx)
    for row in ["vmvx", "vulkan", "no row", "cpu_x86_64_v1", "riscv64"]:
        asserts.equals(env, [], host_lacks(row))
        asserts.equals(env, [], needs_host(row))
    asserts.equals(env, bool(host_lacks("cpu_x86_64_v4")), bool(needs_host("cpu_x86_64_v4")))
    return unittest.end(env)

host_test = unittest.make(_host_test_impl)

def _stand_in_test_impl(ctx):
    env = unittest.begin(ctx)
    for row, target in TARGETS.items():
        on = stand_in(row, "x86_64")
        asserts.equals(env, target.tested.startswith("run "), on.reason == None)
        emulated = "qemu" in target.tested
        asserts.equals(env, emulated, on.runner != None)
        asserts.equals(env, emulated or target.device == "vulkan" and on.reason == None, on.tools != None)
    asserts.equals(env, TARGETS["webgpu"].refused, stand_in("webgpu").reason)
    asserts.equals(env, Label("//toolchains/iree/runner:aarch64-linux-musl"), stand_in("apple_m1", "x86_64").runner)
    asserts.equals(env, None, stand_in("aarch64", "aarch64").runner)
    asserts.equals(env, {}, stand_in("riscv64", "x86_64").env)
    asserts.equals(env, ["QEMU_CPU"], stand_in("riscv64_v", "x86_64").env.keys())
    return unittest.end(env)

stand_in_test = unittest.make(_stand_in_test_impl)

def host_test_suite(name):
    unittest.suite(name, *[partial.make(t, size = "small") for t in [lacking_test, host_test, stand_in_test]])
