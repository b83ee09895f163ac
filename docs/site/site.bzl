"""The rule that makes the site."""

def _impl(ctx):
    out = ctx.actions.declare_directory(ctx.attr.name + "_html")
    packages = ctx.files.packages
    ctx.actions.run(
        executable = ctx.executable._node,
        arguments = [
            ctx.file._build.path,
            ctx.file.component.dirname,
            ctx.files.ui[0].path.rpartition("/ui/")[0] + "/ui",
            out.path,
            packages[0].path.partition("/node_modules/")[0] + "/node_modules",
        ],
        inputs = depset(
            [ctx.file.component, ctx.file._build] + ctx.files._extensions,
            transitive = [depset(ctx.files.pages), depset(ctx.files.ui), depset(packages)],
        ),
        outputs = [out],
        mnemonic = "Site",
        progress_message = "Building the site %{label}",
    )
    return [DefaultInfo(files = depset([out]), runfiles = ctx.runfiles([out]))]

site = rule(
    implementation = _impl,
    doc = "A folder of web pages, made of Antora's component by Antora.",
    attrs = {
        "component": attr.label(allow_single_file = ["antora.yml"], mandatory = True, doc = "antora.yml, beside modules/."),
        "packages": attr.label(mandatory = True, doc = "npm_packages' modules."),
        "pages": attr.label_list(allow_files = True, mandatory = True, doc = "The files below modules/."),
        "ui": attr.label_list(allow_files = True, mandatory = True, doc = "The look: the files below ui/."),
        "_build": attr.label(default = ":build.js", allow_single_file = True),
        "_extensions": attr.label_list(default = [":highlight.js", ":listed.js", ":tested.js"], allow_files = True),
        "_node": attr.label(default = "//test/platforms:node", executable = True, cfg = "exec"),
    },
)
