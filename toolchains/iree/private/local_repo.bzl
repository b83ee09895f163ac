"""A toolchain repository for an IREE installed on the machine."""

load(":selection.bzl", "host_platform")
load(":wheel_repo.bzl", "FOLDERS", "LIBRARIES", "TOOLCHAIN_ATTRS", "write_toolchain")

_TOOLS = {
    "compiler": ["iree-compile", "iree-lld", "iree-opt"],
    "runtime": [
        "iree-benchmark-module",
        "iree-convert-parameters",
        "iree-create-parameters",
        "iree-dump-module",
        "iree-dump-parameters",
        "iree-run-module",
    ],
}

# Tools that not every version has.
_MORE = {"compiler": [], "runtime": ["iree-profile"]}

def _find(root, folders, name):
    for folder in folders:
        found = root.get_child(folder, name) if folder else root.get_child(name)
        if found.exists:
            return found
    return None

def _local_impl(rctx):
    kind, platform = rctx.attr.kind, rctx.attr.platform
    here = host_platform(rctx.os.name, rctx.os.arch)
    if here != platform:
        fail("IREE_LOCAL_PLATFORM: %s: it is declared for %s, but this machine is %s; use it only on that platform" % (rctx.attr.path, platform, here))
    os = platform.partition("_")[0]
    path = rctx.attr.path
    root = rctx.path(path) if path.startswith("/") or ":" in path else rctx.workspace_root.get_child(path)
    names = [t + (".exe" if os == "windows" else "") for t in _TOOLS[kind]]
    if kind == "compiler":
        names.append(LIBRARIES[os])
    folders = ["bin", "lib", FOLDERS[kind], ""]
    for name in names:
        found = _find(root, folders, name)
        if not found:
            fail("IREE_LOCAL_MISSING: %s: it has no %s in any of %s; name the parent folder of bin and lib, or the folder that Python packages are installed into" %
                 (rctx.attr.path, name, ", ".join([f or "." for f in folders])))
        rctx.symlink(found, "bin/" + name)
    for tool in _MORE[kind]:
        name = tool + (".exe" if os == "windows" else "")
        found = _find(root, folders, name)
        if found:
            rctx.symlink(found, "bin/" + name)
    if kind == "compiler":
        # The runtime's tools do not report their version.
        told = rctx.execute([rctx.path("bin/" + names[0]), "--version"])
        words = [w for w in told.stdout.replace("\n", " ").split(" ") if w]
        version = words[words.index("version") + 1] if "version" in words[:-1] else "unknown"
        if not version.startswith(rctx.attr.version):
            fail("IREE_LOCAL_VERSION: %s: iree-compile is version %s, but the build uses IREE %s; request its version with iree.toolchain" %
                 (rctx.attr.path, version, rctx.attr.version))
    write_toolchain(rctx)
    return None

iree_local = repository_rule(
    implementation = _local_impl,
    doc = "Links to an installed IREE, with its toolchain as :toolchain.",
    local = True,
    attrs = TOOLCHAIN_ATTRS | {
        "path": attr.string(mandatory = True, doc = "Its path: absolute, or relative to the workspace."),
    },
)
