"""The targets of XLA, as data: the platform of a plugin, which decides for which of its devices.

A row is a struct with
  platform: of the plugin's devices, as the plugin names it;
  kinds: of plugins (private/selection.bzl) that have such devices; the build setting
    `plugin_kind` chooses one of them;
  unasked: the kind that is taken where the setting names none of them; without it a plugin, which
    is large, is fetched only where one is asked for;
  pinned: labels of the constraint values of the machines for which plugins.json has one;
    without any the plugin is brought by its path;
  plugins: names of the files of such plugins, in the order in which they are looked for next to
    a program;
  tested: what the tests do with its programs: run them, or nothing;
  doc: what the target is for.

The levels of optimisation have the names of those of IREE (//toolchains/iree:optimizations.bzl).
Go programs have the same table as compile/xla/targets.json, which table_json.bzl writes from
this file.
"""

RUN = "run on the host"
NOT_RUN = "not run"

_X86_LINUX = [Label("@platforms//os:linux"), Label("@platforms//cpu:x86_64")]

NO_PLUGIN = "none"

def _row(platform, kinds, doc, plugins, pinned = [], tested = NOT_RUN, unasked = NO_PLUGIN):
    return struct(
        doc = doc,
        kinds = kinds,
        pinned = pinned,
        platform = platform,
        plugins = plugins,
        tested = tested,
        unasked = unasked,
    )

XLA_TARGETS = {
    "xla_cpu": _row(
        "cpu",
        ["cpu"],
        "the processor that the program is compiled on",
        ["pjrt_c_api_cpu_plugin.so", "libpjrt_cpu.so", "xla_cpu_pjrt.so"],
        pinned = _X86_LINUX,
        tested = RUN,
        unasked = "cpu",
    ),
    "xla_cuda": _row(
        "cuda",
        ["cuda12", "cuda13"],
        "NVIDIA GPUs, with the libraries of CUDA 12 or 13",
        ["xla_cuda_plugin.so", "pjrt_c_api_gpu_plugin.so", "pjrt_c_api_cuda_plugin.so"],
        pinned = _X86_LINUX,
    ),
    "xla_rocm": _row(
        "rocm",
        ["rocm"],
        "AMD GPUs, with the libraries of ROCm 7",
        ["xla_rocm_plugin.so", "pjrt_c_api_gpu_plugin.so", "pjrt_c_api_rocm_plugin.so"],
        pinned = _X86_LINUX,
    ),
    "xla_tpu": _row(
        "tpu",
        ["tpu"],
        "TPUs, by Google's libtpu",
        ["libtpu.so", "pjrt_c_api_tpu_plugin.so"],
        pinned = _X86_LINUX,
    ),
}

def plugin_kind(row, setting):
    """Returns the kind of plugin that compiles and runs programs of a row.

    Args:
      row: of XLA_TARGETS.
      setting: the value of the build setting plugin_kind.

    Returns:
      The setting if such a plugin has the devices, else what is taken unasked, which may be
      NO_PLUGIN.
    """
    return setting if setting in row.kinds else row.unasked
