"""The tests of this folder: helpers, and files by environment variables."""

load("@rules_go//go:def.bzl", "go_test")

_FILES = {
    "ARCHIVE": ":demo_irpa",
    "CONTRACT": ":demo_contract",
}

_DEPS = [
    "//backend",
    "//backend/argtext",
    "//backend/cpu",
    "//compile/contract",
    "//compile/export",
    "//io/npy",
    "//lang/dtype",
    "//lang/tensor",
    "//toolchains/iree/runner/e2e/demo",
    "@com_github_google_go_cmp//cmp",
    "@com_github_stretchr_testify//require",
    "@rules_go//go/runfiles",
]

def runner_test(name, srcs, files, data = [], **kwargs):
    """A go_test of this folder.

    Args:
      name: of the test.
      srcs: test files, next to the helpers that all have.
      files: from an environment variable to the file whose runfiles path it holds.
      data: other files.
      **kwargs: of go_test.
    """
    files = _FILES | files
    go_test(
        name = name,
        srcs = ["helpers_test.go"] + srcs,
        data = {label: None for label in files.values() + data}.keys(),
        env = {variable: "$(rlocationpath %s)" % label for variable, label in files.items()},
        gotags = ["integration"],
        deps = _DEPS,
        **kwargs
    )
