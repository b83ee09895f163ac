"""Optimisation levels by name, as data.

A level is a struct with
  flags: for all rows; they replace flags of the same name;
  cpu: the same, for rows whose code LLVM generates for a CPU;
  doc: what it is for.

The effect of each on size and time is in the docs (platforms); tools/repro/levels.py measures it.
"""

load(":target.bzl", "with_flags")
load(":targets.bzl", "LLVM_CPU_FLAG")

OPTIMIZATIONS = {
    "latency": struct(
        doc = "the row's own flags; the default",
        flags = [],
        cpu = [],
    ),
    "size": struct(
        doc = "the smallest, but a slower, program",
        flags = [
            "--iree-opt-strip-assertions=true",
            "--iree-vm-bytecode-module-strip-debug-ops=true",
        ],
        cpu = [
            # Vectors of 128 bits and no remainder loops.
            "--iree-llvmcpu-target-vector-width-in-bytes=16",
            "--iree-llvmcpu-vector-pproc-strategy=none",
        ],
    ),
    "debug": struct(
        doc = "names and lines for debuggers and profilers",
        flags = ["--iree-vm-bytecode-module-strip-source-map=false"],
        cpu = ["--iree-llvmcpu-debug-symbols=true"],
    ),
    "aggressive": struct(
        doc = "tiled matrix products: faster if they are large and no kernel applies, slower if they are small, and a second copy of weights that no kernel takes",
        flags = [
            "--iree-opt-level=O3",
            "--iree-opt-strip-assertions=true",
        ],
        cpu = ["--iree-dispatch-creation-data-tiling=true"],
    ),
}

def optimized(row, level):
    """Returns the flags of a row at a level.

    Args:
      row: of the table of targets.
      level: a name in OPTIMIZATIONS, or "" for latency.

    Returns:
      The flags.
    """
    o = OPTIMIZATIONS[level or "latency"]
    flags = with_flags(row.flags, o.flags)
    if LLVM_CPU_FLAG in flags:
        flags = with_flags(flags, o.cpu)
    return flags
