"""What the benchmark compares with, fetched only when the benchmark is built.

    text_peers = use_extension("//bench/text:extensions.bzl", "text_peers", dev_dependency = True)
    use_repo(text_peers, "text_peers")

Licences: llama.cpp and xllamacpp are MIT.
"""

load("//tools/repos:pip_packages.bzl", "pip_packages")

def _text_peers_impl(module_ctx):
    pip_packages(
        name = "text_peers",
        lock = Label("//bench/text:peers.lock"),
        python = "3.11",
    )
    return module_ctx.extension_metadata(reproducible = True)

text_peers = module_extension(
    implementation = _text_peers_impl,
    doc = "llama.cpp, for the benchmark alone.",
)
