"""What the processor of the machine that Bazel runs on lacks.

Tests run there, unless they are executed remotely. One that would need an instruction that
is missing is incompatible, rather than failed or passed.
"""

# Instructions that rows may need, by the compiler's names, and what Linux calls them.
_TOLD = {
    "aarch64": {
        "dotprod": "asimddp",
        "fp16fml": "asimdfhm",
        "fullfp16": "asimdhp",
        "lse": "atomics",
        "neon": "asimd",
        "rdm": "asimdrdm",
    },
    "x86_64": {
        "avx": "avx",
        "avx2": "avx2",
        "avx512bw": "avx512bw",
        "avx512cd": "avx512cd",
        "avx512dq": "avx512dq",
        "avx512f": "avx512f",
        "avx512vl": "avx512vl",
        "avx512vnni": "avx512_vnni",
        "bmi": "bmi1",
        "bmi2": "bmi2",
        "f16c": "f16c",
        "fma": "fma",
        "lzcnt": "abm",
        "movbe": "movbe",
        "popcnt": "popcnt",
        "sse3": "pni",
        "sse4.1": "sse4_1",
        "sse4.2": "sse4_2",
        "ssse3": "ssse3",
    },
}

# What it is in rctx.os.arch.
_ARCHITECTURES = {"amd64": "x86_64", "arm64": "aarch64"}

def architecture_of(name):
    """Returns the name of an architecture in the compiler's triples.

    Args:
      name: a name in rctx.os.arch, or in a triple.

    Returns:
      A string.
    """
    return _ARCHITECTURES.get(name, name)

def lacking(architecture, cpuinfo):
    """Returns the instructions that the processor lacks.

    Args:
      architecture: as in triples.
      cpuinfo: the text of /proc/cpuinfo, "" where there is none.

    Returns:
      A sorted list; empty where nothing is known.
    """
    for line in cpuinfo.split("\n"):
        key, colon, value = line.partition(":")
        if colon and key.strip() in ["flags", "Features"]:
            has = value.split(" ")
            return sorted([ours for ours, theirs in _TOLD.get(architecture, {}).items() if theirs not in has])
    return []

_FILE = """\
\"\"\"Made by //toolchains/iree/private:host_processor.bzl.\"\"\"

ARCHITECTURE = {architecture}
LACKS = {lacks}
"""

_BUILD = """\
load("@bazel_skylib//:bzl_library.bzl", "bzl_library")

bzl_library(
    name = "bzl",
    srcs = ["processor.bzl"],
    visibility = ["//visibility:public"],
)
"""

def _impl(rctx):
    architecture = architecture_of(rctx.os.arch)
    given = rctx.os.environ.get("SKAINET_HOST_LACKS", "")
    if given:
        lacks = sorted([name for name in given.split(",") if name not in ["", "none"]])
    else:
        cpuinfo = rctx.path("/proc/cpuinfo")
        lacks = lacking(architecture, rctx.read(cpuinfo, watch = "no") if cpuinfo.exists else "")
    rctx.file("BUILD.bazel", _BUILD, executable = False)
    rctx.file("processor.bzl", _FILE.format(architecture = repr(architecture), lacks = repr(lacks)), executable = False)
    return None

host_processor = repository_rule(
    implementation = _impl,
    doc = """What the processor of this machine lacks, as constants of processor.bzl.

For tests that run elsewhere, `--repo_env=SKAINET_HOST_LACKS=avx512f,avx512bw` says what
is lacking there, and `none` that nothing is.""",
    configure = True,
    environ = ["SKAINET_HOST_LACKS"],
    local = True,
)
