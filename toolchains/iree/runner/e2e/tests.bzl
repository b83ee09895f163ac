"""The tests of this folder: helpers, and files passed in environment variables."""

load("@rules_go//go:def.bzl", "go_test")
load("//toolchains/iree/runner:runner_of.bzl", "runner_of")

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
    "//examples/staircase/affine",
    "//examples/staircase/grayscale",
    "//examples/staircase/linear",
    "//errs",
    "//io/irpa",
    "//io/npy",
    "//lang",
    "//tensor/dtype",
    "//tensor",
    "//toolchains/iree/runner/e2e/demo",
    "@com_github_google_go_cmp//cmp",
    "@com_github_stretchr_testify//require",
    "@rules_go//go/runfiles",
]

# What values_test.go and staircase_test.go read besides RUNNER and TAR.
def value_files(row, demo):
    """Returns the programs of a row, by environment variable.

    Args:
      row: of //toolchains/iree:targets.bzl.
      demo: the backend of the model demo.

    Returns:
      A dict for runner_test.
    """
    return {
        "EXTERNAL": "//toolchains/iree/matrix:external_%s" % row,
        "EXTERNAL_ARCHIVE": "//examples/staircase/linear:external_irpa",
        "EXTERNAL_CONTRACT": ":external_contract",
        "GRAY": "//toolchains/iree/matrix:gray_%s" % row,
        "GRAY_CONTRACT": ":gray_contract",
        "LINE": "//toolchains/iree/matrix:line_%s" % row,
        "LINE_CONTRACT": ":line_contract",
        "PROGRAM": ":demo_vmfb_" + demo,
        "TAR": ":demo_tar_" + demo,
    }

def runner_test(name, srcs, files, data = [], env = {}, **kwargs):
    """Declares a go_test of this folder.

    Args:
      name: of the test.
      srcs: test files, next to the helpers that all have.
      files: dict from an environment variable to the file whose runfiles path it holds.
      data: other files.
      env: other environment variables.
      **kwargs: of go_test.
    """
    files = _FILES | files
    go_test(
        name = name,
        srcs = ["helpers_test.go"] + srcs,
        data = {label: None for label in files.values() + data}.keys(),
        env = env | {variable: "$(rlocationpath %s)" % label for variable, label in files.items()},
        gotags = ["integration"],
        deps = _DEPS,
        **kwargs
    )

def emulated_test(name, row, emulator, options = ""):
    """Tests the values of a row's programs on its runner, under an emulator.

    The emulator has no libraries for the processor, so the runner must do without. A runner
    takes a minute and a half of CPU time to compile, so these tests run only when named.

    Args:
      name: of the test.
      row: of //toolchains/iree:targets.bzl, and a backend of the model demo.
      emulator: the emulator's repository.
      options: its options.
    """
    runner_test(
        name = name,
        size = "medium",
        srcs = ["staircase_test.go", "values_test.go"],
        data = [emulator + "//:files"],
        env = {"QEMU_OPTIONS": options},
        files = value_files(row, row) | {
            "QEMU": emulator + "//:env.json",
            "RUNNER": str(runner_of(row)),
        },
        tags = ["manual"],
        target_compatible_with = ["@platforms//cpu:x86_64"],
    )
