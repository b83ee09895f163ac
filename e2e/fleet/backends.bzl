"""The kinds of device in the fleet."""

FLEET = {
    "cloud": "cpu_x86_64_v3",
    "edge": "aarch64",
    "gpu": "vulkan_generic",
}
