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

PEERS = {
    "fasterWhisper": "//bench/whisper/peers:faster_whisper_contestant",
    "ggml": "//bench/whisper:tiny_en_ggml",
    "model": "@whisper_tiny_en//:model.bin",
    "python": "@whisper_peers//:python",
    "whisperCpp": "//bench/whisper/peers:whisper_cpp_contestant",
}

def definitions(files):
    """Gives the x_defs of files."""
    return {_PACKAGE + name: "$(rlocationpath %s)" % target for name, target in files.items()}
