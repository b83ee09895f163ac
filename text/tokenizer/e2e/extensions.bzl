"""Other tokenizers, fetched only when a test needs them.

    tokenizer_peers = use_extension("//text/tokenizer/e2e:extensions.bzl", "tokenizer_peers", dev_dependency = True)
    use_repo(tokenizer_peers, "tokenizer_peers")

Licences: tokenizers and SentencePiece are Apache 2.0, xllamacpp is MIT, as is
llama.cpp inside it.
"""

load("//tools/repos:pip_packages.bzl", "pip_packages")

def _tokenizer_peers_impl(module_ctx):
    pip_packages(
        name = "tokenizer_peers",
        lock = Label("//text/tokenizer/e2e:peers.lock"),
        optional = True,
        python = "3.11",
    )
    return module_ctx.extension_metadata(reproducible = True)

tokenizer_peers = module_extension(
    implementation = _tokenizer_peers_impl,
    doc = "Python packages that tokenize: llama.cpp's, Hugging Face's and SentencePiece.",
)
