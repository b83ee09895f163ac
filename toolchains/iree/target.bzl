"""Which row of the table a program is compiled for: by name, or by platform.

Rows of one's own are targets:

    iree_target(
        name = "kitchen_display",
        base = "aarch64_generic",
        constraint_values = ["@platforms//cpu:aarch64", ":kitchen"],
        doc = "the display in the kitchen",
        flags = ["--iree-llvmcpu-target-cpu=cortex-a35"],
    )

and are given to iree_vmfb as `rows`, beside those of targets.bzl.
"""

load(":faults.bzl", "target_faults")
load(":labels.bzl", "label_text")
load(":targets.bzl", "COMMON_FLAGS", "TARGETS", "target_row")

IreeTargetInfo = provider(
    doc = "A row of one's own.",
    fields = {
        "label": "Label: the iree_target.",
        "name": "string: the row's name.",
        "row": "struct: a row as targets.bzl describes it.",
        "matches": "bool: whether the target platform has all its constraint values, of which there is at least one.",
    },
)

IreeTargetTableInfo = provider(
    doc = "The table as the target platform sees it.",
    fields = {
        "platform": "Label: the target platform.",
        "matching": "list of string: the rows whose constraint values it all has.",
    },
)

def with_flags(flags, more):
    """Gives flags in which those of `more` stand in for flags of the same name.

    Args:
      flags: a list of `--name=value` or `--name`.
      more: another.

    Returns:
      The list: what stays, then more.
    """
    names = [f.partition("=")[0] for f in more]
    return [f for f in flags if f.partition("=")[0] not in names] + more

def usable(rows):
    """Gives the names of rows that the compiler has, to be suggested.

    Args:
      rows: from names to rows.

    Returns:
      A list of names, in the order of rows.
    """
    return [name for name, row in rows.items() if not row.refused]

def _has(ctx, value):
    return ctx.target_platform_has_constraint(value[platform_common.ConstraintValueInfo])

def _table_impl(ctx):
    # By the names that the rows have: of an alias the target's label is another.
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
    doc = "The rows of targets.bzl that the target platform may get.",
    attrs = {
        "values": attr.label_keyed_string_dict(
            mandatory = True,
            providers = [platform_common.ConstraintValueInfo],
            doc = "The constraint values that the rows name, and how they name them.",
        ),
    },
    fragments = ["platform"],
    provides = [IreeTargetTableInfo],
)

def _target_impl(ctx):
    name = ctx.label.name
    if name in TARGETS:
        fail("%s: TARGET_NAME: the table has a row of this name; give yours another" % label_text(ctx.label))
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
    )
    faults = target_faults(name, row)
    if faults:
        fail("%s: TARGET_FLAGS: %s" % (label_text(ctx.label), "; ".join(faults)))
    values = ctx.attr.constraint_values
    return [IreeTargetInfo(label = ctx.label, name = name, row = row, matches = bool(values) and all([_has(ctx, v) for v in values]))]

iree_target = rule(
    implementation = _target_impl,
    doc = """A row of one's own: a target that programs are compiled for.

The rules of the table (faults.bzl) hold for it too.""",
    attrs = {
        "base": attr.string(doc = "The row of the table to begin with; without one, flags hold all that a target needs."),
        "constraint_values": attr.label_list(
            providers = [platform_common.ConstraintValueInfo],
            doc = "A platform with all of them gets this row, unless another row has more.",
        ),
        "device": attr.string(doc = "The runtime's driver; that of base by default."),
        "doc": attr.string(doc = "For whom it is."),
        "f16": attr.string(
            values = ["", "instructions", "integers"],
            doc = "How programs convert f16: by `instructions`, or by `integers` on a processor that has none, such as RISC-V without Zfhmin, of which the compiler makes a conversion that takes small numbers for 0; what base does by default, else by instructions.",
        ),
        "flags": attr.string_list(doc = "Flags for iree-compile, in place of those of the same name in base."),
        "kernels": attr.bool(default = True, doc = "Whether to compile the text with kernels, where base does."),
    },
    provides = [IreeTargetInfo],
)

def _platform_impl(settings, attr):
    here = settings["//command_line_option:platforms"]
    return {"//command_line_option:platforms": [attr.platform] if attr.platform else here}

# For what asks the platform which row it gets: that alone is analysed for another
# platform, all else stays what it is.
platform_transition = transition(
    implementation = _platform_impl,
    inputs = ["//command_line_option:platforms"],
    outputs = ["//command_line_option:platforms"],
)

def _own(label, rows):
    """Rows of one's own by name; a row that is also given by an alias is one row."""
    own = {}
    for r in rows:
        if r.name in own and own[r.name].label != r.label:
            fail("%s: VMFB_ROWS: %s and %s both have the name %r; leave one of them out of rows, or give it another name" %
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
        fail("%s: VMFB_TARGET: target and platform are given; give one of them" % label)
    if name and name not in known:
        if name[0] in [":", "/", "@"]:
            fail("%s: VMFB_TARGET: target is the name of a row, and %r is a label; give a platform() as platform, and an iree_target as one of rows with its name as target" % (label, name))
        fail("%s: VMFB_TARGET: unknown target %r; use one of %s, or one of your own: an iree_target of that name among rows" % (label, name, ", ".join(sorted(usable(known)))))
    if not name:
        matching = table.matching + [n for n, r in own.items() if r.matches]
        most = max([len(known[n].constraints) for n in matching]) if matching else 0
        best = [n for n in matching if len(known[n].constraints) == most]
        if not best:
            fail("%s: VMFB_PLATFORM: no row of the table is for the platform %s; give it constraint values of %s, or name a target: %s" % (
                label,
                label_text(table.platform),
                label_text(Label("//toolchains/iree/constraints")).rpartition(":")[0],
                ", ".join(sorted(usable(known))),
            ))
        best = [n for n in best if n in own] or best
        if len(best) > 1:
            fail("%s: VMFB_PLATFORM: the platform %s has the constraint values of %s alike; name one of them as target" % (label, label_text(table.platform), " and ".join(best)))
        name = best[0]
    if known[name].refused:
        fail("%s: VMFB_REFUSED: no program for %s: %s" % (label, name, known[name].refused))
    return name, known[name]
