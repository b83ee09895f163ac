"""iree_run_test: checks what a program prints for given arguments."""

load("@bazel_skylib//rules:write_file.bzl", "write_file")
load("//toolchains/iree:labels.bzl", "label_text")
load(":iree_run.bzl", "iree_run")
load(":launcher.bzl", "launcher", "word")

def _compare_impl(ctx):
    words = [
        "compare",
        "--label=" + label_text(ctx.label),
        "--atol=" + ctx.attr.atol,
        "--rtol=" + ctx.attr.rtol,
        word("%s", ctx.file.printed),
        word("%s", ctx.file.expected),
    ]
    return [DefaultInfo(
        executable = launcher(ctx, ctx.executable._tool, words),
        runfiles = ctx.runfiles([ctx.file.printed, ctx.file.expected]).merge(ctx.attr._tool[DefaultInfo].default_runfiles),
    )]

_compare_test = rule(
    implementation = _compare_impl,
    attrs = {
        "atol": attr.string(),
        "rtol": attr.string(),
        "expected": attr.label(allow_single_file = True, mandatory = True),
        "printed": attr.label(allow_single_file = True, mandatory = True),
        "_tool": attr.label(default = "//rules/tools/artifact", executable = True, cfg = "target"),
    },
    test = True,
)

def _is_tolerance(text):
    digits, e, exponent = text.lower().partition("e")
    if e and not exponent.lstrip("+-").isdigit():
        return False
    return digits.replace(".", "", 1).isdigit()

def expected_faults(expected, expected_file, atol = "0", rtol = "0"):
    """Checks the expectation of an iree_run_test.

    Args:
      expected: as in iree_run_test.
      expected_file: as in iree_run_test.
      atol: as in iree_run_test.
      rtol: as in iree_run_test.

    Returns:
      An error message, or None.
    """
    if expected == None and expected_file == None:
        return "RUN_EXPECTED: no expected output is given; set expected to a list of lines, or expected_file to a file"
    if expected != None and expected_file != None:
        return "RUN_EXPECTED: both expected and expected_file are set; set only one"
    if expected != None and type(expected) != "list":
        return "RUN_EXPECTED: expected is %r; write a list of lines: expected = [\"y: f32[2] = [1 2]\"]" % (expected,)
    for name, text in {"atol": atol, "rtol": rtol}.items():
        if type(text) != "string" or not _is_tolerance(text):
            return "RUN_EXPECTED: %s is %r; give it as text, such as \"1e-5\"" % (name, text)
    return None

def iree_run_test(
        name,
        program,
        expected = None,
        expected_file = None,
        atol = "0",
        rtol = "0",
        size = "small",
        tags = [],
        visibility = None,
        **kwargs):
    """Calls a program once and compares what it prints.

    The call is the target `NAME_run`, which a build runs too. A difference is reported with
    the result, the index, both values and the tolerance:

    ```
    RUN_MISMATCH: y: 1 of 4 elements differ by more than 0 + 0 times what is wanted; first y[1 0]: got 3, want 5 (differs by 2)
    ```

    Arguments and results of rank 2, for a model that adds `[[1, 2], [3, 4]]` to itself:

    ```
    iree_run_test(
        name = "twice_test",
        args = {"x": "1,2,3,4"},  # all elements in row-major order, or the label of a .npy file
        expected = ["y: f32[2x2] = [[2 4] [6 8]]"],
        program = ":twice_vmfb_cpu",
    )
    ```

    Args:
      name: of the test.
      program: an iree_vmfb.
      expected: the expected lines, as a list.
      expected_file: alternatively, a file with the expected lines.
      atol: absolute tolerance.
      rtol: relative tolerance; a difference up to `atol + rtol * |expected|` is allowed.
      size: of the test.
      tags: of all targets.
      visibility: of the test and of `NAME_text`, the file with the program's output.
      **kwargs: attributes of iree_run: `args`, `archive`, `entry`, `results`, `device`.
    """
    fault = expected_faults(expected, expected_file, atol, rtol)
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
    _compare_test(
        name = name,
        size = size,
        atol = atol,
        expected = expected_file,
        printed = name + "_text",
        rtol = rtol,
        tags = tags,
        visibility = visibility,
    )
