"""What targets depend on, and what they must not."""

load("@bazel_skylib//rules:diff_test.bzl", "diff_test")
load("@bazel_skylib//rules:write_file.bzl", "write_file")

def closure_test(name, targets, pattern, want = []):
    """Tests which labels of a form are among all that targets depend on.

    Tools and other implicit dependencies count: what is not among them is an input of
    no action of these targets.

    Args:
      name: of the test.
      targets: labels.
      pattern: regular expression for labels, those of this repository as //PACKAGE:NAME.
      want: the labels that there must be, sorted; by default none.
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
        failure_message = "%s: left is what %s depend on of %s, right what may be there" % (native.package_name(), ", ".join(targets), pattern),
        file1 = name + "_found",
        file2 = name + "_wanted.txt",
    )
