"""What the benchmark and //models/zoo:live_onnxruntime_tests compare with, fetched only when one of them is built.

    zoo_peers = use_extension("//bench/zoo:extensions.bzl", "zoo_peers", dev_dependency = True)
    use_repo(zoo_peers, "zoo_peers")

Licences: ONNX Runtime is MIT, OpenVINO Apache 2.0; ONNX and what they import is Apache 2.0, BSD or, typing_extensions, PSF 2.0.
"""

load("//tools/repos:pip_packages.bzl", "pip_packages")

def _zoo_peers_impl(module_ctx):
    pip_packages(
        name = "zoo_peers",
        lock = Label("//bench/zoo:peers.lock"),
        optional = True,
        python = "3.11",
    )
    return module_ctx.extension_metadata(reproducible = True)

zoo_peers = module_extension(
    implementation = _zoo_peers_impl,
    doc = "ONNX Runtime and OpenVINO, for the benchmark and by-name tests alone.",
)
