"""The module extension that provides IREE's compiler and runtime.

A workspace that depends on this one need not use it: the toolchains are
registered here. The root module can choose:

    iree = use_extension("@skainet//toolchains/iree:extensions.bzl", "iree")
    iree.toolchain(version = "3.12.0")

and provide its own artifacts (`iree.archive`), installed tools
(`iree.local`) or another place to fetch from (`iree.mirror`).

The extension reads versions.json and declares one repository per artifact; it
fetches nothing. Its decisions are made, and tested, in private/selection.bzl and
private/requests.bzl.
"""

load("//toolchains/iree/private:host_processor.bzl", "host_processor")
load("//toolchains/iree/private:hub_repo.bzl", "hub_build_file", "hub_repo")
load("//toolchains/iree/private:local_repo.bzl", "iree_local")
load("//toolchains/iree/private:requests.bzl", "add_archives", "mirror_urls", "root_requests")
load("//toolchains/iree/private:runtime_source_repo.bzl", "iree_runtime_source")
load("//toolchains/iree/private:selection.bzl", "artifacts", "choose_version", "report")
load("//toolchains/iree/private:wheel_repo.bzl", "iree_wheel")
load(":targets.bzl", "IREE_VERSION")

HUB = "iree_toolchains"
SOURCE = "iree_runtime_source"
_LIBRARY = "@%s//:library" % SOURCE

def plan(module_ctx, version = IREE_VERSION):
    """Decides which repositories to declare, without declaring them.

    Args:
      module_ctx: the module context, or a fake with modules, path and read.
      version: the one that this module asks for.

    Returns:
      A struct with version, artifacts, mirror, source (None if the table has
      none), hosts (the report) and hub (the hub's BUILD text), or with an error.
    """
    table = json.decode(module_ctx.read(module_ctx.path(Label("//toolchains/iree:versions.json"))))
    requests = [struct(module = "skainet", is_root = False, version = version)] + [
        struct(module = m.name, is_root = m.is_root, version = tag.version)
        for m in module_ctx.modules
        for tag in m.tags.toolchain
    ]
    own = root_requests(module_ctx.modules)
    if own.error:
        return own
    brought = [a.version for a in own.archives] + ([None] if own.locals else [])
    choice = choose_version(table, requests, brought)
    if choice.error:
        return struct(error = choice.error)
    added = add_archives(table, choice.version, own)
    if added.error:
        return struct(error = added.error)
    table = added.table
    rows = artifacts(table, choice.version)
    return struct(
        error = None,
        version = choice.version,
        artifacts = rows,
        mirror = own.mirror,
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
        if a.local:
            iree_local(name = a.repo, kind = a.kind, platform = a.platform, path = a.local, version = decided.version, source = _LIBRARY)
            continue
        own = a.file or a.urls
        iree_wheel(
            name = a.repo,
            kind = a.kind,
            platform = a.platform,
            package = a.package,
            version = decided.version,
            filename = a.filename,
            sha256 = a.sha256,
            source = _LIBRARY,
            file = a.file,
            urls = a.urls if own else mirror_urls(decided.mirror, a, decided.version),
            netrc = a.netrc if own or not decided.mirror else decided.mirror.netrc,
            auth_patterns = a.auth_patterns if own or not decided.mirror else decided.mirror.auth_patterns,
        )
    source = decided.source or {"crate": "", "sha256": "", "version": decided.version}
    iree_runtime_source(
        name = SOURCE,
        crate = source["crate"],
        version = source["version"],
        sha256 = source["sha256"],
        cuda_headers = source.get("cuda_headers", {}),
    )
    host_processor(name = "iree_host_processor")
    hub_repo(name = HUB, build_file_text = decided.hub, hosts = decided.hosts)
    return module_ctx.extension_metadata(reproducible = True)

_toolchain = tag_class(
    doc = "Asks for a version of IREE; the root module's word is final, else the highest version is taken, and at least the one that this module is made for.",
    attrs = {"version": attr.string(mandatory = True, doc = "A version listed in versions.json or provided by `archive` or `local` tags.")},
)

_AUTH = {
    "auth_patterns": attr.string_dict(doc = "Headers by host, as in http_archive."),
    "netrc": attr.string(doc = "The .netrc file with logins; the user's own by default."),
}

_archive = tag_class(
    doc = "A compiler or runtime that versions.json lacks, or that replaces one it has. Ignored outside the root module.",
    attrs = {
        "kind": attr.string(values = ["compiler", "runtime"], mandatory = True, doc = "Which of the two."),
        "platform": attr.string(mandatory = True, doc = "Where it runs, such as linux_x86_64."),
        "version": attr.string(mandatory = True, doc = "The version of IREE; it must be that of the toolchain tag."),
        "sha256": attr.string(mandatory = True, doc = "The wheel's sha256."),
        "package": attr.string(doc = "A Python package to get it from, with the host's pip."),
        "filename": attr.string(doc = "The wheel's file name, with `package`."),
        "urls": attr.string_list(doc = "Alternatively, where to download it."),
        "file": attr.label(doc = "Alternatively, a wheel in a workspace."),
    } | _AUTH,
)

_local = tag_class(
    doc = "An IREE installed on the machine. Its version must be that of the toolchain tag. Ignored outside the root module.",
    attrs = {
        "path": attr.string(
            mandatory = True,
            doc = "A folder with bin/ and lib/, or one into which IREE's Python packages were installed; absolute, or relative to the workspace.",
        ),
        "platform": attr.string(mandatory = True, doc = "The machine, such as linux_x86_64."),
        "kinds": attr.string_list(default = ["compiler", "runtime"], doc = "Which of compiler and runtime to use from there."),
    },
)

_mirror = tag_class(
    doc = "Where to download the wheels of versions.json, instead of the index that pip is configured for. " +
          "Ignored outside the root module.",
    attrs = {
        "urls": attr.string_list(
            mandatory = True,
            doc = "Templates with {filename} and any of {package}, {version}, {platform}, {kind}; tried in order.",
        ),
    } | _AUTH,
)

iree = module_extension(
    implementation = _iree_impl,
    doc = "IREE's compiler and runtime for each platform of versions.json.",
    tag_classes = {
        "archive": _archive,
        "local": _local,
        "mirror": _mirror,
        "toolchain": _toolchain,
    },
)
