"""Which static runner a target's programs get."""

# From a row of //toolchains/iree:targets.bzl to the runner of its programs. Android
# runs a static program for Linux as well as any.
_RUNNERS = {
    "aarch64": "aarch64-linux-musl",
    "aarch64_cortex_a55": "aarch64-linux-musl",
    "aarch64_cortex_a76": "aarch64-linux-musl",
    "aarch64_generic": "aarch64-linux-musl",
    "android": "aarch64-linux-musl",
    "apple_m1": "aarch64-macos",
    "armv7": "arm-linux-musleabihf",
    "cpu_x86_64_v1": "x86_64-linux-musl",
    "cpu_x86_64_v3": "x86_64-linux-musl",
    "cpu_x86_64_v4": "x86_64-linux-musl",
    "riscv64": "riscv64-linux-musl",
    "riscv64_v": "riscv64-linux-musl",
}

def runner_of(target):
    """Gives the label of the static runner for programs of a target.

    Args:
      target: a row of //toolchains/iree:targets.bzl.

    Returns:
      The label, or None where there is none.
    """
    platform = _RUNNERS.get(target)
    return Label("//toolchains/iree/runner:" + platform) if platform else None
