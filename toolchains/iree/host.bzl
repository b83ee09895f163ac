"""Which rows of the table the machine that Bazel runs on can run natively."""

load("@iree_host_processor//:processor.bzl", "ARCHITECTURE", "LACKS")
load("//toolchains/iree/private:host_processor.bzl", "architecture_of")
load(":targets.bzl", "TARGETS")

def host_lacks(row):
    """Returns what this machine lacks for the programs of a row.

    Args:
      row: a name; one that is not in the table lacks nothing.

    Returns:
      A list of instructions. It is empty for another architecture, which an emulator runs.
    """
    row = TARGETS.get(row)
    triples = [f.partition("=")[2] for f in row.flags if f.startswith("--iree-llvmcpu-target-triple=")] if row else []
    if not triples or architecture_of(triples[0].partition("-")[0]) != ARCHITECTURE:
        return []
    return [name for name in row.instructions if name in LACKS]

def needs_host(row):
    """Returns the target_compatible_with of a test that runs a row's programs on this machine.

    Args:
      row: a name.

    Returns:
      A list of labels: empty, or a constraint that nothing fulfils.
    """
    return [Label("@platforms//:incompatible")] if host_lacks(row) else []
