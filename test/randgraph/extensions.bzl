"""The StableHLO reference interpreter, fetched only by what runs it.

    random_peers = use_extension("//test/randgraph:extensions.bzl", "random_peers")
    use_repo(random_peers, "stablehlo_peer")

Licences: jaxlib and ml-dtypes are Apache 2.0; NumPy is BSD.
"""

load("//tools/repos:pip_packages.bzl", "pip_packages")

def _random_peers_impl(module_ctx):
    pip_packages(
        name = "stablehlo_peer",
        lock = Label("//test/randgraph:peers.lock"),
        optional = True,
        python = "3.11",
    )
    return module_ctx.extension_metadata(reproducible = True)

random_peers = module_extension(
    implementation = _random_peers_impl,
    doc = "jaxlib, which has the StableHLO reference interpreter.",
)
