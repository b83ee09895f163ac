"""What a test needs to run with a set of tools: variables and files."""

ToolEnvironmentInfo = provider(
    doc = "The environment of a set of tools, for a test or a binary that runs in its runfiles folder.",
    fields = {
        "variables": "dict: environment variables; paths are relative to the main repository's runfiles folder.",
        "files": "depset of File: what the paths lead to.",
        "prefix": "list of string: words before a command, such as an emulator; paths as in variables.",
    },
)

def _tool_environment_impl(ctx):
    # A file of another repository has the short path ../REPO/FILE, which is
    # also its path from the folder that tests start in.
    root = ctx.file.anchor.short_path.rpartition("/")[0]
    files = ctx.attr.files[DefaultInfo].files
    return [
        ToolEnvironmentInfo(
            variables = {k: v.replace("{root}", root) for k, v in ctx.attr.variables.items()},
            files = files,
            prefix = [w.replace("{root}", root) for w in ctx.attr.prefix],
        ),
        DefaultInfo(files = files, runfiles = ctx.runfiles(transitive_files = files)),
    ]

tool_environment = rule(
    implementation = _tool_environment_impl,
    doc = "Gives a ToolEnvironmentInfo.",
    attrs = {
        "anchor": attr.label(allow_single_file = True, mandatory = True, doc = "A file in the folder that {root} stands for."),
        "files": attr.label(mandatory = True, doc = "The files of the tools."),
        "prefix": attr.string_list(doc = "Words before a command, with {root} in them."),
        "variables": attr.string_dict(doc = "Variables, with {root} in them."),
    },
    provides = [ToolEnvironmentInfo],
)
