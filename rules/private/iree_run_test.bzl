"""iree_run_test: what a program prints for given arguments."""

load("@bazel_skylib//rules:diff_test.bzl", "diff_test")
load("@bazel_skylib//rules:write_file.bzl", "write_file")
load(":iree_run.bzl", "iree_run")

def expected_faults(expected, expected_file):
    """Checks what iree_run_test is to compare with.

    Args:
      expected: as in iree_run_test.
      expected_file: as in iree_run_test.

    Returns:
      What is wrong, or None.
    """
    if expected == None and expected_file == None:
        return "RUN_EXPECTED: nothing is expected; give the lines as expected, or their file as expected_file"
    if expected != None and expected_file != None:
        return "RUN_EXPECTED: both expected and expected_file are given; give one"
    return None

def iree_run_test(name, program, expected = None, expected_file = None, size = "small", tags = [], visibility = None, **kwargs):
    """Calls a program once and compares what it prints.

    The call is the target `NAME_run`, which a build makes too.

    Args:
      name: of the test.
      program: an iree_vmfb.
      expected: the lines to be printed, as a list.
      expected_file: or the file that holds them.
      size: of the test.
      tags: of all targets.
      visibility: of the test and of `NAME_text`, the file with what was printed.
      **kwargs: what iree_run takes: `args`, `archive`, `entry`, `results`, `device`.
    """
    fault = expected_faults(expected, expected_file)
    if fault:
        fail("%s: %s" % (name, fault))
    iree_run(
        name = name + "_run",
        program = program,
        tags = tags,
        **kwargs
    )
    native.filegroup(
        name = name + "_text",
        srcs = [name + "_run"],
        output_group = "text",
        tags = tags + ["manual"],
        visibility = visibility,
    )
    if expected != None:
        expected_file = name + "_expected.txt"
        write_file(
            name = name + "_expected",
            out = expected_file,
            content = expected + [""],
            newline = "unix",
            tags = tags + ["manual"],
        )
    diff_test(
        name = name,
        size = size,
        failure_message = "the program printed something else",
        file1 = expected_file,
        file2 = name + "_text",
        tags = tags,
        visibility = visibility,
    )
