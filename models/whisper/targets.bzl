"""The targets of one size of Whisper."""

load("@rules_go//go:def.bzl", "go_binary")
load("//rules:defs.bzl", "program_parts", "skainet_model")

_BACKENDS = {
    "aarch64": "aarch64",
    "cpu": "cpu_x86_64_v3",
    "cpu_v4": "cpu_x86_64_v4",
    "vulkan": "vulkan",
    "vulkan_generic": "vulkan_generic",
    "xla": "xla_cpu",
}

def whisper_model(name, weights, dtype = "", manual_backends = [], parity_cases = "", parity_timeout = "long", atol = "1e-3", no_parity = {}, size_limits = {}):
    """Declares a Whisper: what skainet_model declares, and `NAME_transcribe`.

    Args:
      name: prefix of the targets' names.
      weights: a repository with model.bin, vocabulary.txt and config.json of a
        CTranslate2 Whisper.
      dtype: the precision the programs compute in, as in skainet_model.
      manual_backends: backends that are built only when named.
      parity_cases: the cases of ParityCases to run, by name; all by default.
      parity_timeout: Bazel's timeout class of the parity tests; a whole model takes over five
        minutes on an emulated processor.
      atol: the difference that the parity test allows.
      no_parity: as in skainet_model.
      size_limits: as in skainet_model.
    """
    skainet_model(
        name = name,
        backends = _BACKENDS,
        documents = {
            "//models/cards:whisper.md": "MODEL_CARD.md",
            "@whisper_assets//:LICENSE": "LICENSE-weights",
        },
        dtype = dtype,
        manual_backends = manual_backends,
        model = ":whisper",
        module_name = "whisper",
        # Each takes minutes; a cut is compared on every backend in //...
        manual_parity = [backend for backend in ["aarch64", "cpu_v4", "xla"] if backend not in no_parity],
        no_parity = no_parity,
        # The encoder's last layer norm normalises values of 20 from sums
        # over 1500 positions: 2e-4 was seen against another f32 implementation.
        parity_args = ["--atol=" + atol, "--only=" + parity_cases],
        parity_cases = "ParityCases",
        parity_timeout = parity_timeout,
        size_limits = size_limits,
        visibility = ["//visibility:public"],
        weights = weights + "//:model.bin",
    )

    native.filegroup(
        name = name + "_contract",
        srcs = [name + "_mlir"],
        output_group = "contract",
        visibility = ["//models/whisper:__subpackages__"],
    )
    program_parts(
        name = name + "_transcribe_parts",
        files = {
            weights + "//:config.json": "settings",
            weights + "//:vocabulary.txt": "tokenizer",
        },
        programs = [name + "_vmfb_" + backend for backend in ["cpu", "cpu_v4", "vulkan"]],
    )

    # The model that hears speech, for --vad.
    program_parts(
        name = name + "_vad_parts",
        programs = ["//models/zoo/silero:vad_vmfb_cpu"],
        variable = "vadParts",
    )
    parts = [name + "_transcribe_parts", name + "_vad_parts"]
    go_binary(
        name = name + "_transcribe",
        srcs = parts,
        data = parts,
        embed = ["//cmd/transcribe:transcribe_lib"],
        visibility = ["//visibility:public"],
    )
