"""The tests of this folder: helpers, and files passed in environment variables."""

load("@rules_go//go:def.bzl", "go_test")

def interop_test(name, files, srcs = [], oracle = None, deps = [], **kwargs):
    """Declares a go_test of this folder.

    Args:
      name: of the test.
      files: from an environment variable to the file whose runfiles path it holds.
      srcs: test files, next to the helpers that all have.
      oracle: a script that runs on Python with the packages of peers.lock. Where
        they cannot be had, the test is incompatible with the host.
      deps: next to those of the helpers.
      **kwargs: of go_test.
    """
    if oracle:
        files = files | {
            "ORACLE": oracle,
            "PYTHON": "@format_peers//:python",
        }
    go_test(
        name = name,
        srcs = ["files_test.go"] + srcs,
        data = {label: None for label in files.values()}.keys(),
        env = {variable: "$(rlocationpath %s)" % label for variable, label in files.items()},
        gotags = ["integration"],
        deps = [
            "//test/errtest",
            "@com_github_stretchr_testify//require",
            "@rules_go//go/runfiles",
        ] + deps,
        **kwargs
    )
