"""The targets of one size of Gemma 3."""

load("//rules:defs.bzl", "skainet_model")

_BACKENDS = {
    "aarch64": "aarch64",
    "android": "android",
    "cpu": "cpu_x86_64_v3",
    "cpu_v4": "cpu_x86_64_v4",
    "cuda": "cuda_sm_80",
    "metal": "metal",
    "rocm_gfx1100": "rocm_gfx1100",
    "rocm_gfx942": "rocm_gfx942",
    "vulkan": "vulkan",
    "vulkan_adreno": "vulkan_adreno",
    "vulkan_generic": "vulkan_generic",
    "vulkan_rdna3": "vulkan_rdna3",
    "xla": "xla_cpu",
}

def gemma3_model(name, weights, constructor = "Model", manual_backends = [], no_parity = {}, size_limits = {}):
    """Declares a Gemma 3: what skainet_model declares, and `NAME_contract`.

    Args:
      name: prefix of the targets' names.
      weights: its GGUF file.
      constructor: Model, or Context(N) for caches of N positions.
      manual_backends: backends that are built only when named.
      no_parity: as in skainet_model.
      size_limits: as in skainet_model.
    """
    skainet_model(
        name = name,
        backends = _BACKENDS,
        constructor = constructor,
        documents = {"//models/cards:gemma3.md": "MODEL_CARD.md"},
        manual_backends = manual_backends,
        model = ":gemma3",
        module_name = "gemma3",
        # Each takes minutes; a cut is compared on every backend in //...
        manual_parity = ["cpu_v4", "xla"],
        no_parity = no_parity,
        # Keys and values are rounded to f16 in the caches: if sums in another
        # order round one to its neighbour, logits of 20 change by about 1e-3.
        parity_args = ["--atol=1e-2", "--rtol=1e-3"],
        parity_cases = "ParityCases",
        # XLA compiles five entry points, and computes in f32 what IREE computes in blocks.
        parity_timeout = "long",
        size_limits = size_limits,
        visibility = ["//visibility:public"],
        weights = weights,
    )
    native.filegroup(
        name = name + "_contract",
        srcs = [name + "_mlir"],
        output_group = "contract",
        visibility = ["//models:__subpackages__"],
    )
