"""Other implementations of the formats, fetched only when a test or the benchmark needs them.

    interop_peers = use_extension("//interop:extensions.bzl", "interop_peers", dev_dependency = True)
    use_repo(interop_peers, "format_peers")

Licences: gguf is MIT; libgguf, safetensors and ml-dtypes are Apache 2.0; NumPy
is BSD, PyYAML MIT, tqdm MPL 2.0 and MIT.
"""

load("//tools/repos:pip_packages.bzl", "pip_packages")

def _interop_peers_impl(module_ctx):
    pip_packages(
        name = "format_peers",
        lock = Label("//interop:peers.lock"),
        optional = True,
        python = "3.11",
    )
    return module_ctx.extension_metadata(reproducible = True)

interop_peers = module_extension(
    implementation = _interop_peers_impl,
    doc = "Python packages that read and write GGUF, its quantised blocks and safetensors.",
)
