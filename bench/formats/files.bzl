"""The files of the benchmark: from a variable of its program to a target."""

_PACKAGE = "github.com/skainet-dev/skainet-go/bench/formats."

OURS = {
    "oursFile": "//bench/formats/ours",
    "skainetFile": "//cmd/skainet",
}

PEERS = {
    "ggufPeerFile": "//bench/formats/peers:gguf_contestant",
    "libggufPeerFile": "//bench/formats/peers:libgguf_contestant",
    "modelFile": "@gemma3_270m_q4_k_m//:gemma-3-270m-q4_k_m.gguf",
    "pythonFile": "@format_peers//:python",
}

def definitions(files):
    """Gives the x_defs of files."""
    return {_PACKAGE + name: "$(rlocationpath %s)" % target for name, target in files.items()}
