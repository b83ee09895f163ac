"""What the benchmark compares with, fetched only when the benchmark is built.

    bench_peers = use_extension("//bench/whisper:extensions.bzl", "bench_peers", dev_dependency = True)
    use_repo(bench_peers, "whisper_cpp_header", "whisper_peers")

Licences: faster-whisper, CTranslate2, whisper.cpp and pywhispercpp are MIT; what
they import is MIT, BSD, Apache 2.0 or MPL 2.0.
"""

load("//tools/repos:archive_files.bzl", "archive_files", "pypi_archive")
load("//tools/repos:pip_packages.bzl", "pip_packages")

def _bench_peers_impl(module_ctx):
    pip_packages(
        name = "whisper_peers",
        lock = Label("//bench/whisper:peers.lock"),
        python = "3.11",
    )

    # Sizes, mel filters and vocabulary of tiny.en without tensors, which
    # whisper.cpp keeps for its tests.
    sdist = "pywhispercpp-1.5.1.tar.gz"
    archive_files(
        name = "whisper_cpp_header",
        archives = pypi_archive(
            package = "pywhispercpp",
            version = "1.5.1",
            filename = sdist,
            sha256 = "5df897e5dd9d9f16804fc937bd85b9f5880a0b29a55f8843585e0e03d76195e5",
        ),
        members = {
            "tiny.en.bin": [sdist + "!pywhispercpp-1.5.1/whisper.cpp/models/for-tests-ggml-tiny.en.bin"],
        },
        sha256 = {"tiny.en.bin": "dd6b7796204a1cdf7164666423034e6e1a7a3e9f5c22327b4b7974c4584bd82d"},
    )
    return module_ctx.extension_metadata(reproducible = True)

bench_peers = module_extension(
    implementation = _bench_peers_impl,
    doc = "Other implementations of Whisper, for the benchmark alone.",
)
