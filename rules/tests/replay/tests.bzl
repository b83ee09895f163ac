"""The tests of this folder."""

load("@rules_go//go:def.bzl", "go_test")

# Another kind of machine, for machine_test.go.
_MACHINE = {
    "COMPILER": "@iree_compiler_linux_aarch64//:bin/iree-compile",
    "EMULATOR": "@qemu_aarch64//:exec",
    "LINKER": "@iree_compiler_linux_aarch64//:bin/iree-lld",
}

def replay_test(name, actions, mnemonics, places = 2, programs = [], **kwargs):
    """Reruns actions and compares their outputs with Bazel's.

    Args:
      name: of the test.
      actions: a target of actions.bzl.
      mnemonics: those that must be among the actions, separated by spaces.
      places: in how many folders.
      programs: the actions' programs for Linux on aarch64, to run
        under an emulator: NAME_aarch64 for NAME.
      **kwargs: of go_test.
    """
    data = [actions]
    env = {
        "ACTIONS": "$(rlocationpath %s)" % actions,
        "MNEMONICS": mnemonics,
        "PLACES": str(places),
    }
    if programs:
        data = data + _MACHINE.values() + ["@iree_compiler_linux_aarch64//:toolchain"] + programs
        env = env | {variable: "$(rlocationpaths %s)" % label for variable, label in _MACHINE.items()} | {
            "PROGRAMS": " ".join(["$(rlocationpath %s)" % p for p in programs]),
        }
        kwargs = kwargs | {"target_compatible_with": ["@platforms//cpu:x86_64", "@platforms//os:linux"]}
    go_test(
        name = name,
        size = "medium",
        srcs = [
            "machine_test.go",
            "replay_test.go",
        ],
        data = data,
        env = env,
        gotags = ["integration"],
        deps = [
            "//rules/tests/actions",
            "@com_github_stretchr_testify//require",
        ],
        **kwargs
    )
