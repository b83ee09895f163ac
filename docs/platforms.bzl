"""The tables of targets, levels of optimisation and Go's platforms, as CSV for the page on platforms."""

load("//test/platforms:platforms.bzl", "GO_PLATFORMS")
load("//toolchains/iree:optimizations.bzl", "OPTIMIZATIONS")
load("//toolchains/iree:targets.bzl", "COMMON_FLAGS", "TARGETS")

def _csv(header, rows):
    lines = [header] + rows
    return "\n".join([
        ",".join(['"%s"' % cell.replace('"', '""') for cell in line])
        for line in lines
    ]) + "\n"

def _code(words):
    return " ".join(["`+%s+`" % w for w in words])

def _value(label):
    # The settings of this project have a name alone in the page.
    if label.package == "toolchains/iree/constraints":
        return label.name
    return "%s:%s" % (label.package, label.name)

def _impl(ctx):
    rows = []
    for name, row in TARGETS.items():
        flags = [f for f in row.flags if f not in COMMON_FLAGS]
        rows.append([
            "`%s`" % name,
            _code([_value(c) for c in row.constraints]),
            row.device,
            ("kernels" if row.kernels else "portable") + (", wide" if row.wide else "") + (", f16 by integers" if row.f16 == "integers" else ""),
            row.tested,
            (row.doc + ". Refused: " + row.refused) if row.refused else row.doc,
            _code(flags),
        ])
    ctx.actions.write(ctx.outputs.targets, _csv(
        ["Target", "Constraint values", "Driver", "Text", "In the tests", "For", "Flags besides those of all"],
        rows,
    ))
    ctx.actions.write(ctx.outputs.optimizations, _csv(
        ["Level", "For", "Flags", "Flags for processors"],
        [["`%s`" % n, o.doc, _code(o.flags), _code(o.cpu)] for n, o in OPTIMIZATIONS.items()],
    ))
    ctx.actions.write(ctx.outputs.go, _csv(
        ["GOOS/GOARCH", "For", "In the tests"],
        [["`linux/amd64`", "Linux on x86-64", "all tests"]] + [
            ["`%s`" % n.replace("_", "/"), row.doc, ("built; operations run under " + row.by if row.runner else "built") + ("; by name" if row.like else "")]
            for n, row in GO_PLATFORMS.items()
        ],
    ))
    return []

platform_tables = rule(
    implementation = _impl,
    doc = "The files `go`, `optimizations` and `targets`.",
    attrs = {
        "go": attr.output(mandatory = True),
        "optimizations": attr.output(mandatory = True),
        "targets": attr.output(mandatory = True),
    },
)
