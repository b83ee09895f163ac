"""Chooses the static runner for a target's programs."""

load("//toolchains/iree:targets.bzl", "TARGETS")

# By processor and system as in the compiler's triples. Android runs a static
# Linux program too.
_RUNNERS = {
    "aarch64-linux": "aarch64-linux-musl",
    "aarch64-macos": "aarch64-macos",
    "arm64-macos": "aarch64-macos",
    "armv7-linux": "arm-linux-musleabihf",
    "armv7a-linux": "arm-linux-musleabihf",
    "riscv64-linux": "riscv64-linux-musl",
    "x86_64-linux": "x86_64-linux-musl",
    "x86_64-macos": "x86_64-macos",
}

# All of them, for model_tar to choose from while a program's flags are not yet known.
RUNNERS = [
    Label("//toolchains/iree/runner:" + platform)
    for platform in sorted({platform: None for platform in _RUNNERS.values()})
]

def runner_platform(flags, device):
    """Returns the platform of the static runner for a program.

    Args:
      flags: the compiler's; the triple names the processor and the system.
      device: the program's.

    Returns:
      The name of a target of //toolchains/iree/runner, or None.
    """
    platform = None
    for flag in flags:
        name, _, value = flag.partition("=")
        if name == "--iree-llvmcpu-target-triple":
            system = "linux" if "-linux-" in value else "macos" if "-apple-" in value and "-ios" not in value else ""
            platform = _RUNNERS.get(value.partition("-")[0] + "-" + system)
        elif name == "--iree-llvmcpu-link-embedded" and value in ["false", "0"]:
            return None  # the runner loads only IREE's embedded ELF format
    return platform if device in ["local-sync", "local-task"] else None

def runner_of(target):
    """Returns the label of the static runner for programs of a target.

    Args:
      target: a row of //toolchains/iree:targets.bzl.

    Returns:
      The label, or None.
    """
    row = TARGETS.get(target)
    platform = runner_platform(row.flags, row.device) if row else None
    return Label("//toolchains/iree/runner:" + platform) if platform else None
