"""Aspects for the command line.

    bazel build --aspects=@skainet//rules:aspects.bzl%program_sizes --output_groups=program_sizes //app
"""

load("//rules/private:program_sizes.bzl", _ProgramSizesInfo = "ProgramSizesInfo", _program_sizes = "program_sizes")

program_sizes = _program_sizes
ProgramSizesInfo = _ProgramSizesInfo
