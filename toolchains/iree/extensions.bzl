"""The module extension that brings IREE's compiler and runtime.

    iree = use_extension("//toolchains/iree:extensions.bzl", "iree")
    iree.toolchain(version = "3.13.0")
    use_repo(iree, "iree_toolchains")
    register_toolchains("@iree_toolchains//:all")

The extension reads versions.json and declares one repository per artifact; it
fetches nothing. What it decides is in private/selection.bzl, tested there.
"""

load("//toolchains/iree/private:hub_repo.bzl", "hub_build_file", "hub_repo")
load("//toolchains/iree/private:runtime_source_repo.bzl", "iree_runtime_source")
load("//toolchains/iree/private:selection.bzl", "artifacts", "choose_version", "report")
load("//toolchains/iree/private:wheel_repo.bzl", "iree_wheel")

HUB = "iree_toolchains"
SOURCE = "iree_runtime_source"

def plan(module_ctx):
    """Decides which repositories there are; declares none.

    Args:
      module_ctx: the module context, or a fake with modules, path and read.

    Returns:
      A struct with version, artifacts, source, hosts (the
      report) and hub (the hub's BUILD text), or with an error.
    """
    table = json.decode(module_ctx.read(module_ctx.path(Label("//toolchains/iree:versions.json"))))
    requests = [
        struct(module = m.name, is_root = m.is_root, version = tag.version)
        for m in module_ctx.modules
        for tag in m.tags.toolchain
    ]
    choice = choose_version(table, requests)
    if choice.error:
        return struct(error = choice.error)
    rows = artifacts(table, choice.version)
    return struct(
        error = None,
        version = choice.version,
        artifacts = rows,
        source = table["versions"][choice.version]["runtime_source"],
        hosts = report(table, choice.version),
        hub = hub_build_file(rows, {
            "compiler": str(Label("//toolchains/iree:compiler_toolchain_type")),
            "runtime": str(Label("//toolchains/iree:runtime_toolchain_type")),
        }),
    )

def _iree_impl(module_ctx):
    decided = plan(module_ctx)
    if decided.error:
        fail(decided.error)
    for a in decided.artifacts:
        iree_wheel(
            name = a.repo,
            kind = a.kind,
            platform = a.platform,
            package = a.package,
            version = decided.version,
            filename = a.filename,
            sha256 = a.sha256,
            source = "@%s//:library" % SOURCE,
        )
    iree_runtime_source(
        name = SOURCE,
        crate = decided.source["crate"],
        version = decided.source["version"],
        sha256 = decided.source["sha256"],
    )
    hub_repo(name = HUB, build_file_text = decided.hub, hosts = decided.hosts)
    return module_ctx.extension_metadata(reproducible = True)

_toolchain = tag_class(
    doc = "Asks for a version of IREE; the root module's word is final.",
    attrs = {"version": attr.string(mandatory = True, doc = "A version that versions.json has.")},
)

iree = module_extension(
    implementation = _iree_impl,
    doc = "IREE's compiler and runtime for each platform of versions.json.",
    tag_classes = {"toolchain": _toolchain},
)
