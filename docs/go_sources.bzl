"""go_sources: the Go files of this repository that programs are made of."""

_SourcesInfo = provider(
    doc = "Go files.",
    fields = {"files": "depset of File: source files of the main repository."},
)

def _collect_impl(_target, ctx):
    own = [f for f in getattr(ctx.rule.files, "srcs", []) if f.is_source and f.extension == "go" and not f.owner.workspace_name]
    below = [
        dep[_SourcesInfo].files
        for name in ["deps", "embed"]
        for dep in getattr(ctx.rule.attr, name, None) or []
        if _SourcesInfo in dep
    ]
    return [_SourcesInfo(files = depset(own, transitive = below))]

_collect = aspect(
    implementation = _collect_impl,
    attr_aspects = ["deps", "embed"],
)

def _go_sources_impl(ctx):
    return [DefaultInfo(files = depset(transitive = [t[_SourcesInfo].files for t in ctx.attr.targets]))]

go_sources = rule(
    implementation = _go_sources_impl,
    doc = "The Go files of targets and all that they depend on, without those of other modules.",
    attrs = {"targets": attr.label_list(mandatory = True, aspects = [_collect], doc = "Go binaries and libraries.")},
)
