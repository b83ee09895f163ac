"""Programs whose --help the page of commands has."""

load("@rules_go//go:def.bzl", "go_binary")

def programs(libraries):
    """Declares a binary for each program, without a model.

    Args:
      libraries: dict from a program's name to its library.

    Returns:
      The binaries' labels, in the order of their names.
    """
    for program, library in libraries.items():
        go_binary(
            name = "program_" + program,
            out = "programs/" + program,
            embed = [library],
            tags = ["manual"],
            visibility = ["//visibility:private"],
        )
    return [":program_" + program for program in sorted(libraries)]
