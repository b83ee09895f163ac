"""Files that the pages include: made by the build, kept in the tree, compared."""

load("@bazel_skylib//rules:diff_test.bzl", "diff_test")
load("@rules_shell//shell:sh_binary.bzl", "sh_binary")

def _place(copy):
    """Returns the path of a copy: Antora has pictures in a folder of their own."""
    return "modules/ROOT/%s/%s" % ("images" if copy.endswith(".svg") else "examples", copy)

def included_files(name, files):
    """Declares a test for each file, and the target `name` that writes all of them.

    Antora reads the source tree alone, so the copies are kept in it. A test
    fails when a copy is not what the build makes.

    Args:
      name: of the target to run after a change.
      files: from the copy's name to the label of one file.
    """
    for copy, label in files.items():
        diff_test(
            name = copy.replace(".", "_") + "_test",
            size = "small",
            failure_message = "Write the copies anew: ./bazelw run //%s:%s" % (native.package_name(), name),
            file1 = _place(copy),
            file2 = label,
        )
    sh_binary(
        name = name,
        srcs = ["update.sh"],
        args = [
            "%s/%s=$(rootpath %s)" % (native.package_name(), _place(copy), label)
            for copy, label in files.items()
        ],
        data = files.values(),
    )
