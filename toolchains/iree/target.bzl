"""Chooses the row of the table that a program is compiled for: by name, or by platform.

User-defined rows are targets:

    iree_target(
        name = "kitchen_display",
        base = "aarch64_generic",
        constraint_values = ["@platforms//cpu:aarch64", ":kitchen"],
        doc = "the display in the kitchen",
        flags = ["--iree-llvmcpu-target-cpu=cortex-a35"],
    )

that are passed to iree_vmfb as `rows`, in addition to those of targets.bzl.
"""

load(":faults.bzl", "target_faults")
load(":labels.bzl", "label_text")
load(":targets.bzl", "COMMON_FLAGS", "TARGETS", "target_row")

IreeTargetInfo = provider(
    doc = "A user-defined row.",
    fields = {
        "label": "Label: the iree_target.",
        "name": "string: the row's name.",
        "row": "struct: a row as targets.bzl describes it.",
        "matches": "bool: whether the target platform has all its constraint values, of which there is at least one.",
    },
)

IreeTargetTableInfo = provider(
    doc = "The rows of the table that match the target platform.",
    fields = {
        "platform": "Label: the target platform.",
        "matching": "list of string: the rows whose constraint values it all has.",
    },
)

def with_flags(flags, more):
    """Returns flags in which those of `more` replace flags of the same name.

    Args:
      flags: a list of `--name=value` or `--name`.
      more: another.

    Returns:
      The list: the flags that stay, then more.
    """
    names = [f.partition("=")[0] for f in more]
    return [f for f in flags if f.partition("=")[0] not in names] + more

def usable(rows):
    """Returns the names of the rows that the compiler supports, as suggestions.

    Args:
      rows: dict from names to rows.

    Returns:
      A list of names, in the order of rows.
    """
    return [name for name, row in rows.items() if not row.refused]

def _has(ctx, value):
    return ctx.target_platform_has_constraint(value[platform_common.ConstraintValueInfo])

def _table_impl(ctx):
    # By the names of the rows: the label of an alias differs.
    held = [name for value, name in ctx.attr.values.items() if _has(ctx, value)]
    return [IreeTargetTableInfo(
        platform = ctx.fragments.platform.platform,
        matching = [
            name
            for name, row in TARGETS.items()
            if not [value for value in row.constraints if str(value) not in held]
        ],
    )]

iree_target_table = rule(
    implementation = _table_impl,
    doc = "The rows of targets.bzl that match the target platform.",
    attrs = {
        "values": attr.label_keyed_string_dict(
            mandatory = True,
            providers = [platform_common.ConstraintValueInfo],
            doc = "Maps the constraint values of the rows to the labels that the rows use.",
        ),
    },
    fragments = ["platform"],
    provides = [IreeTargetTableInfo],
)

def _target_impl(ctx):
    name = ctx.label.name
    if name in TARGETS:
        fail("%s: TARGET_NAME: the table has a row of this name; choose another" % label_text(ctx.label))
    base = TARGETS.get(ctx.attr.base) if ctx.attr.base else target_row(None, COMMON_FLAGS, "")
    if not base:
        fail("%s: TARGET_BASE: unknown row %r; use one of %s" % (label_text(ctx.label), ctx.attr.base, ", ".join(usable(TARGETS))))
    if base.refused:
        fail("%s: TARGET_BASE: %s: %s" % (label_text(ctx.label), ctx.attr.base, base.refused))
    device = ctx.attr.device or base.device
    if not device:
        fail("%s: TARGET_DEVICE: give base or device: the runtime's driver, such as local-task or vulkan" % label_text(ctx.label))
    row = target_row(
        constraints = [value.label for value in ctx.attr.constraint_values],
        device = device,
        doc = ctx.attr.doc,
        f16 = ctx.attr.f16 or base.f16,
        flags = with_flags(base.flags, ctx.attr.flags),
        kernels = base.kernels and ctx.attr.kernels,
        static_library = base.static_library,
        tested = "",
        wide = base.wide,
    )
    faults = target_faults(name, row)
    if faults:
        fail("%s: TARGET_FLAGS: %s" % (label_text(ctx.label), "; ".join(faults)))
    values = ctx.attr.constraint_values
    return [IreeTargetInfo(label = ctx.label, name = name, row = row, matches = bool(values) and all([_has(ctx, v) for v in values]))]

iree_target = rule(
    implementation = _target_impl,
    doc = """A user-defined row: a target that programs are compiled for.

It must keep the rules of the table (faults.bzl).""",
    attrs = {
        "base": attr.string(doc = "The row of the table to start from; without one, flags must be complete."),
        "constraint_values": attr.label_list(
            providers = [platform_common.ConstraintValueInfo],
            doc = "A platform with all of them gets this row, unless another row has more.",
        ),
        "device": attr.string(doc = "The runtime's driver; that of base by default."),
        "doc": attr.string(doc = "What the target is for."),
        "f16": attr.string(
            values = ["", "instructions", "integers"],
            doc = "How programs convert f16: with `instructions`, or with `integers` on a processor that has none, such as RISC-V without Zfhmin, for which the compiler's own conversion flushes small numbers to 0. By default as in base, else `instructions`.",
        ),
        "flags": attr.string_list(doc = "Flags for iree-compile; they replace those of the same name in base."),
        "kernels": attr.bool(default = True, doc = "Whether to compile the text with kernels, if base does."),
    },
    provides = [IreeTargetInfo],
)

def _platform_impl(settings, attr):
    here = settings["//command_line_option:platforms"]
    return {"//command_line_option:platforms": [attr.platform] if attr.platform else here}

# For the targets that depend on the platform to choose a row: only they are analysed for another
# platform; everything else is unchanged.
platform_transition = transition(
    implementation = _platform_impl,
    inputs = ["//command_line_option:platforms"],
    outputs = ["//command_line_option:platforms"],
)

def _own(label, rows):
    """Returns user-defined rows by name; a row listed again through an alias counts once."""
    own = {}
    for r in rows:
        if r.name in own and own[r.name].label != r.label:
            fail("%s: VMFB_ROWS: %s and %s both have the name %r; remove one of them from rows, or rename it" %
                 (label_text(label), label_text(own[r.name].label), label_text(r.label), r.name))
        own[r.name] = r
    return own

def select_target(label, name, platform, table, rows):
    """Chooses the row of a program.

    Args:
      label: the label that asks, for messages.
      name: a row's name, or "".
      platform: whether a platform was named.
      table: an IreeTargetTableInfo.
      rows: a list of IreeTargetInfo.

    Returns:
      The row's name, and the row.
    """
    own = _own(label, rows)
    label = label_text(label)
    known = TARGETS | {n: r.row for n, r in own.items()}
    if name and platform:
        fail("%s: VMFB_TARGET: target and platform are both set; set only one" % label)
    if name and name not in known:
        if name[0] in [":", "/", "@"]:
            fail("%s: VMFB_TARGET: target is the name of a row, and %r is a label; give a platform() as platform, and an iree_target as one of rows with its name as target" % (label, name))
        fail("%s: VMFB_TARGET: unknown target %r; use one of %s, or your own row: add an iree_target of that name to rows" % (label, name, ", ".join(sorted(usable(known)))))
    if not name:
        matching = table.matching + [n for n, r in own.items() if r.matches]
        most = max([len(known[n].constraints) for n in matching]) if matching else 0
        best = [n for n in matching if len(known[n].constraints) == most]
        if not best:
            fail("%s: VMFB_PLATFORM: no row of the table matches the platform %s; give it the constraint values of %s, or set target to one of %s" % (
                label,
                label_text(table.platform),
                label_text(Label("//toolchains/iree/constraints")).rpartition(":")[0],
                ", ".join(sorted(usable(known))),
            ))
        best = [n for n in best if n in own] or best
        if len(best) > 1:
            fail("%s: VMFB_PLATFORM: the platform %s matches %s equally well; set target to one of them" % (label, label_text(table.platform), " and ".join(best)))
        name = best[0]
    if known[name].refused:
        fail("%s: VMFB_REFUSED: no program for %s: %s" % (label, name, known[name].refused))
    return name, known[name]
