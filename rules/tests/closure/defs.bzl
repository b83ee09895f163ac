"""Tests what targets depend on, and what they must not."""

load("@bazel_skylib//rules:diff_test.bzl", "diff_test")
load("@bazel_skylib//rules:write_file.bzl", "write_file")

def closure_test(name, targets, pattern, want = []):
    """Tests which labels that match a pattern are in the transitive dependencies of targets.

    Tools and other implicit dependencies count: anything else is not an input of
    any action of these targets.

    Args:
      name: of the test.
      targets: labels.
      pattern: regular expression for labels; those of this repository are //PACKAGE:NAME.
      want: the expected labels, sorted; none by default.
    """
    native.genquery(
        name = name + "_found",
        testonly = True,
        expression = "filter(%r, deps(set(%s)))" % (pattern, " ".join(targets)),
        scope = targets,
    )
    write_file(
        name = name + "_wanted",
        testonly = True,
        out = name + "_wanted.txt",
        content = want + [""] if want else [],
    )
    diff_test(
        name = name,
        size = "small",
        failure_message = "%s: on the left the dependencies of %s that match %s, on the right those allowed" % (native.package_name(), ", ".join(targets), pattern),
        file1 = name + "_found",
        file2 = name + "_wanted.txt",
    )
