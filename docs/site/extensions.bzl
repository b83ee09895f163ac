"""The packages that the site is made with.

    site = use_extension("//docs/site:extensions.bzl", "site", dev_dependency = True)
    use_repo(site, "site_packages")
"""

load("//test/platforms:extensions.bzl", "NODE_WHEELS")
load("//tools/repos:npm_packages.bzl", "npm_packages")

# Node's name of this machine; on another, npm must be installed.
def _host(module_ctx):
    system = {"linux": "linux", "mac os x": "macos"}.get(module_ctx.os.name, module_ctx.os.name)
    cpu = {"aarch64": "aarch64", "amd64": "x86_64", "x86_64": "x86_64"}.get(module_ctx.os.arch, module_ctx.os.arch)
    return "%s_%s" % (system, cpu)

def _site_impl(module_ctx):
    npm_packages(
        name = "site_packages",
        lock = "//docs/site:package-lock.json",
        npm = json.encode(NODE_WHEELS.get(_host(module_ctx), NODE_WHEELS["linux_x86_64"])),
        package = "//docs/site:package.json",
    )
    return module_ctx.extension_metadata(reproducible = True)

site = module_extension(
    implementation = _site_impl,
    doc = "Antora and what it needs, fetched when the site is built.",
    os_dependent = True,
    arch_dependent = True,
)
