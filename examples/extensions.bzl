"""The files needed to build and test the examples.

    samples = use_extension("//examples:extensions.bzl", "samples")
    use_repo(samples, "picture_samples")

grace_hopper.jpg is a photograph of the US Navy, in the public domain; it is
fetched by name, version and sha256 from matplotlib's sample data when a
target needs it. No code of matplotlib is run.
"""

load("//tools/repos:archive_files.bzl", "archive_files", "pypi_archive")

def _samples_impl(module_ctx):
    # The wheel of one platform serves all: only the picture is taken from it.
    wheel = "matplotlib-3.10.1-cp312-cp312-manylinux_2_17_x86_64.manylinux2014_x86_64.whl"
    archive_files(
        name = "picture_samples",
        archives = pypi_archive(
            package = "matplotlib",
            version = "3.10.1",
            filename = wheel,
            sha256 = "c96f2c2f825d1257e437a1482c5a2cf4fee15db4261bd6fc0750f81ba2b4ba3d",
        ),
        members = {"grace_hopper.jpg": [wheel + "!matplotlib/mpl-data/sample_data/grace_hopper.jpg"]},
        sha256 = {"grace_hopper.jpg": "a8ca6d734765703b09728ab47fe59f473d93ae3967fc24c7c0288c3c7adb7130"},
    )
    return module_ctx.extension_metadata(reproducible = True)

samples = module_extension(
    implementation = _samples_impl,
    doc = "Pictures for the examples, fetched when used.",
)
