"""The table of XLA's targets as JSON, for Go programs."""

load(":targets.bzl", "RUN", "XLA_TARGETS")

def _impl(ctx):
    ctx.actions.write(ctx.outputs.out, json.encode_indent({
        "targets": [{
            "doc": row.doc,
            "name": name,
            "pinned": bool(row.pinned),
            "platform": row.platform,
            "plugins": row.plugins,
            "run": row.tested == RUN,
        } for name, row in XLA_TARGETS.items()],
    }, indent = " ") + "\n")
    return []

table_json = rule(
    implementation = _impl,
    doc = "Writes the table.",
    attrs = {"out": attr.output(mandatory = True)},
)
