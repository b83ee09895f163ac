"""The tables of targets and optimisation levels as JSON, for Go programs."""

load(":faults.bzl", "ARCHITECTURE_FLAGS", "NO_PROCESSOR")
load(":optimizations.bzl", "OPTIMIZATIONS")
load(":targets.bzl", "DEFAULT_TARGET", "IREE_VERSION", "LLVM_CPU_FLAG", "TARGETS")

def _target(name, row):
    return {
        "device": row.device,
        "doc": row.doc,
        "f16": row.f16,
        "flags": row.flags,
        "instructions": row.instructions,
        "kernels": row.kernels,
        "name": name,
        "refused": row.refused or "",
        "static_library": row.static_library,
        "wide": row.wide,
    }

def _level(name, level):
    return {
        "cpu": level.cpu,
        "doc": level.doc,
        "flags": level.flags,
        "name": name,
    }

def _impl(ctx):
    ctx.actions.write(ctx.outputs.out, json.encode_indent({
        "architecture_flags": {device: flag or "" for device, flag in ARCHITECTURE_FLAGS.items()},
        "default_target": DEFAULT_TARGET,
        "iree": IREE_VERSION,
        "levels": [_level(name, level) for name, level in OPTIMIZATIONS.items()],
        "llvm_cpu_flag": LLVM_CPU_FLAG,
        "no_processor": NO_PROCESSOR,
        "targets": [_target(name, row) for name, row in TARGETS.items()],
    }, indent = " ") + "\n")
    return []

table_json = rule(
    implementation = _impl,
    doc = "Writes the tables.",
    attrs = {"out": attr.output(mandatory = True)},
)
