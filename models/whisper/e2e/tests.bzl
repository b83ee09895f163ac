"""The tests of this folder: helpers, and files passed in environment variables."""

load("@rules_go//go:def.bzl", "go_test")

_HELPERS = [
    "compare_test.go",
    "files_test.go",
    "program_test.go",
]

_DEPS = [
    "//audio/mel",
    "//audio/wav",
    "//backend",
    "//backend/iree",
    "//compile/contract",
    "//tensor",
    "@com_github_stretchr_testify//require",
    "@rules_go//go/runfiles",
]

_FILES = {
    "ARCHIVE": "//models/whisper:tiny_en_irpa",
    "CLIP": "@speech_samples//:jfk.wav",
    "CONTRACT": "//models/whisper:tiny_en_contract",
    "FLAX": "//models/whisper:testdata/flax_tiny_en.json",
}

def e2e_test(name, srcs, files, data = [], deps = [], **kwargs):
    """Declares a go_test of this folder.

    Args:
      name: of the test.
      srcs: test files, next to the helpers that all have.
      files: dict from an environment variable to the file whose runfiles path it holds.
      data: other files.
      deps: in addition to those of the helpers.
      **kwargs: of go_test.
    """
    files = _FILES | files
    go_test(
        name = name,
        srcs = _HELPERS + srcs,
        data = {label: None for label in files.values() + data}.keys(),
        env = {variable: "$(rlocationpath %s)" % label for variable, label in files.items()},
        gotags = ["integration"],
        deps = _DEPS + deps,
        **kwargs
    )
