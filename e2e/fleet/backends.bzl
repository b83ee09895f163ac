"""The kinds of device that the fleet has."""

FLEET = {
    "cloud": "cpu_x86_64_v3",
    "edge": "aarch64",
    "gpu": "vulkan_generic",
}
