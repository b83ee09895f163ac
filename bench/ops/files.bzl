"""The files of the benchmark: from a variable of its program to a target."""

_PACKAGE = "github.com/skainet-dev/skainet-go/bench/ops."

OURS = {
    "gonumFile": "//bench/ops/gonum",
    "oursFile": "//bench/ops/ours",
}

PEERS = {
    "gomlxFile": "//bench/ops/gomlx:run.sh",
    "numpyFile": "//bench/ops/peers:numpy_contestant",
    "pythonFile": "@ops_peers//:python",
    "xlaFile": "//bench/ops/peers:xla_contestant",
}

def definitions(files):
    """Gives the x_defs of files."""
    return {_PACKAGE + name: "$(rlocationpath %s)" % target for name, target in files.items()}
