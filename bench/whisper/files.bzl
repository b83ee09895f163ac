"""The files of the benchmark: from a variable of its program to a target."""

_PACKAGE = "github.com/skainet-dev/skainet-go/bench/whisper."

OURS = {
    "archiveFile": "//models/whisper:tiny_en_irpa",
    "clipFile": "@speech_samples//:jfk.wav",
    "contractFile": "//bench/whisper:contract",
    "libraryFile": "//toolchains/iree:runtime_library",
    "oursBinary": "//bench/whisper/ours",
    "programV3": "//models/whisper:tiny_en_vmfb_cpu",
    "programV4": "//models/whisper:tiny_en_vmfb_cpu_v4",
    "settingsFile": "@whisper_tiny_en//:config.json",
    "tokenizerFile": "@whisper_tiny_en//:vocabulary.txt",
}

# The larger model, which takes minutes to compile.
BASE = {
    "baseArchive": "//models/whisper:base_irpa",
    "baseContract": "//bench/whisper:base_contract",
    "baseSettings": "@whisper_base//:config.json",
    "baseTokenizer": "@whisper_base//:vocabulary.txt",
    "baseV3": "//models/whisper:base_vmfb_cpu",
    "baseV4": "//models/whisper:base_vmfb_cpu_v4",
}

PEERS = {
    "baseWeights": "@whisper_base//:model.bin",
    "fasterWhisper": "//bench/whisper/peers:faster_whisper_contestant",
    "ggml": "//bench/whisper:tiny_en_ggml",
    "python": "@whisper_peers//:python",
    "weightsFile": "@whisper_tiny_en//:model.bin",
    "whisperCpp": "//bench/whisper/peers:whisper_cpp_contestant",
}

def definitions(files):
    """Gives the x_defs of files."""
    return {_PACKAGE + name: "$(rlocationpath %s)" % target for name, target in files.items()}
