"""The module extension that provides the hermetic C toolchain.

    zig = use_extension("//toolchains/zig:extensions.bzl", "zig")
    use_repo(zig, "zig_linux_aarch64", "zig_linux_x86_64", "zig_macos_aarch64")
    register_toolchains("//toolchains/zig:all")

It declares one repository for each machine that zig runs on and fetches
nothing. A build fetches the one for its own machine when it compiles for a platform that
has one of the C libraries of //toolchains/zig among its constraints, or, with
//toolchains/zig/default:all registered too, for any other.
"""

load("//toolchains/zig/private:zig_repo.bzl", "zig_wheel")

REPO_PREFIX = "zig_"

def _zig_impl(module_ctx):
    table = json.decode(module_ctx.read(module_ctx.path(Label("//toolchains/zig:versions.json"))))
    version = table["default"]
    for host, wheel in table["versions"][version].items():
        zig_wheel(
            name = REPO_PREFIX + host,
            filename = wheel["filename"],
            sha256 = wheel["sha256"],
            version = version,
        )
    return module_ctx.extension_metadata(reproducible = True)

zig = module_extension(
    implementation = _zig_impl,
    doc = "zig's wheels, each a C toolchain, fetched when used.",
)
