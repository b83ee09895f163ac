"""What the benchmark of operations compares with, fetched only when it is built.

    ops_peers = use_extension("//bench/ops:extensions.bzl", "ops_peers", dev_dependency = True)
    use_repo(ops_peers, "ops_peers")

Licences: JAX, jaxlib and ml-dtypes are Apache 2.0; NumPy is BSD, opt-einsum MIT.
"""

load("//tools/repos:pip_packages.bzl", "pip_packages")

def _ops_peers_impl(module_ctx):
    pip_packages(
        name = "ops_peers",
        lock = Label("//bench/ops:peers.lock"),
        python = "3.11",
    )
    return module_ctx.extension_metadata(reproducible = True)

ops_peers = module_extension(
    implementation = _ops_peers_impl,
    doc = "NumPy with OpenBLAS and JAX with XLA, for the benchmark alone.",
)
