"""A test that runs a program on a stand-in for its machine."""

load("@bazel_skylib//rules:native_binary.bzl", "native_test")
load("//toolchains/iree:host.bzl", "needs_host")
load("//toolchains/iree:targets.bzl", "TARGETS")

_AARCH64_TOOL = "@iree_runtime_linux_aarch64//:bin/iree-run-module"
_HOST_TOOL = "//toolchains/iree:runtime_tool"

# How programs of a row are run, by the row's field `tested`: a command
# that takes another, and the runtime's tool to use.
RUNNERS = {
    "run on Mesa's software driver": ("@lavapipe//:exec", _HOST_TOOL),
    "run under qemu": ("@qemu_aarch64//:exec", _AARCH64_TOOL),
}

def program_run_test(name, program, row, input, expected):
    """Calls the entry point main of a program and compares its result.

    Args:
      name: of the test.
      program: an iree_vmfb.
      row: of the table; if the host lacks instructions of its programs, the test is
        incompatible.
      input: the argument, in the syntax of iree-run-module.
      expected: the result, in the same syntax.
    """
    runner = TARGETS[row].tested
    command, tool = RUNNERS.get(runner, (":on_host.sh", _HOST_TOOL))

    # The program's label by itself would refer to the script that runs it.
    file = name + "_program"
    native.filegroup(
        name = file,
        srcs = [program],
        output_group = "vmfb",
        tags = ["manual"],
    )
    native_test(
        name = name,
        size = "small",
        src = command,
        args = [
            "$(rootpath %s)" % tool,
            "--device=" + TARGETS[row].device,
            "--module=$(rootpath %s)" % file,
            "--function=main",
            "'--input=%s'" % input,
            "'--expected_output=%s'" % expected,
        ],
        data = [file, tool],
        target_compatible_with = ["@platforms//cpu:x86_64", "@platforms//os:linux"] + needs_host(row),
    )
