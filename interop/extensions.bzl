"""Other implementations of the formats, fetched only when a test or the benchmark needs them.

    interop_peers = use_extension("//interop:extensions.bzl", "interop_peers", dev_dependency = True)
    use_repo(interop_peers, "format_peers", "onnx_wheel")

Licences: gguf is MIT; libgguf, safetensors and ml-dtypes and ONNX are Apache 2.0; NumPy
is BSD, PyYAML MIT, tqdm MPL 2.0 and MIT.
"""

load("//tools/repos:pip_packages.bzl", "pip_packages")
load("//tools/repos:pypi_wheel.bzl", "pypi_wheel")

def _interop_peers_impl(module_ctx):
    pip_packages(
        name = "format_peers",
        lock = Label("//interop:peers.lock"),
        optional = True,
        python = "3.11",
    )
    pypi_wheel(
        name = "onnx_wheel",
        filename = "onnx-1.18.0-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl",
        package = "onnx",
        sha256 = "6acafb3823238bbe8f4340c7ac32fb218689442e074d797bee1c5c9a02fdae75",
        version = "1.18.0",
    )
    return module_ctx.extension_metadata(reproducible = True)

interop_peers = module_extension(
    implementation = _interop_peers_impl,
    doc = "Python packages that read and write GGUF, its quantised blocks and safetensors, and ONNX's own tests.",
)
