"""The targets of the hermetic C toolchain, as data.

A row is a struct with
  zig: zig's name of the target, with the lowest glibc or macOS that its
    programs run on;
  constraints: the labels of the platform, without the C library;
  libc: the constraint value of //toolchains/zig that the platform must also
    have. No platform of Bazel has one, so in another workspace the toolchain is
    chosen only when requested, unless that registers //toolchains/zig/default;
  headers: the folders of zig's lib that compilation reads; for Android, whose C
    library zig has no headers of, those of //toolchains/zig/android come first;
  flags: for compiling and linking, besides the target;
  doc: what the target is for.
"""

# The folders of zig's lib/libc/include by C library; the architecture's own are
# in the row.
_LIBC_HEADERS = {
    "glibc": ["generic-glibc", "any-linux-any"],
    "musl": ["generic-musl", "any-linux-any"],
    "bionic": ["generic-musl", "any-linux-any"],
    "libsystem": ["any-darwin-any"],
    "none": [],
}

def _target(doc, zig, os, cpu, libc, headers, flags = []):
    return struct(
        doc = doc,
        flags = flags,
        zig = zig,
        constraints = ["@platforms//os:" + os, "@platforms//cpu:" + cpu],
        libc = libc,
        headers = ["lib/include"] + ["lib/libc/include/" + h for h in _LIBC_HEADERS[libc] + headers],
    )

# Where zig_repo.bzl puts the libraries that programs for Android are linked with.
ANDROID_LIBRARIES = "lib/libc/bionic"

ZIG_TARGETS = {
    "aarch64-linux-android": _target(
        "64-bit Arm Android 10 (API level 29) or later, for shared libraries",
        zig = "aarch64-linux-android.29",
        os = "android",
        cpu = "aarch64",
        libc = "bionic",
        headers = ["aarch64-linux-musl", "aarch64-linux-any"],
        flags = ["-fno-emulated-tls"],
    ),
    "aarch64-linux-gnu": _target(
        "64-bit Arm Linux with glibc 2.28 (2018) or later",
        zig = "aarch64-linux-gnu.2.28",
        os = "linux",
        cpu = "aarch64",
        libc = "glibc",
        headers = ["aarch64-linux-gnu", "aarch64-linux-any"],
    ),
    "aarch64-linux-musl": _target(
        "64-bit Arm Linux, static: needs no system libraries",
        zig = "aarch64-linux-musl",
        os = "linux",
        cpu = "aarch64",
        libc = "musl",
        headers = ["aarch64-linux-musl", "aarch64-linux-any"],
    ),
    "aarch64-macos": _target(
        "Macs with Apple's processors, macOS 13 or later",
        zig = "aarch64-macos.13.0",
        os = "macos",
        cpu = "aarch64",
        libc = "libsystem",
        headers = [],
    ),
    "arm-linux-musleabihf": _target(
        "32-bit Arm Linux with hardware floating point (armv7), static",
        zig = "arm-linux-musleabihf",
        os = "linux",
        cpu = "armv7",
        libc = "musl",
        headers = ["arm-linux-musl", "arm-linux-any"],
    ),
    "cortex_m7-none-eabihf": _target(
        "Cortex-M7 with double-precision floats, without an operating system or C library",
        zig = "thumb-freestanding-eabihf",
        flags = ["-mcpu=cortex_m7"],
        os = "none",
        cpu = "armv7e-mf",
        libc = "none",
        headers = [],
    ),
    "riscv64-linux-musl": _target(
        "64-bit RISC-V Linux (rv64gc), static",
        zig = "riscv64-linux-musl",
        os = "linux",
        cpu = "riscv64",
        libc = "musl",
        headers = ["riscv64-linux-musl", "riscv-linux-any"],
    ),
    "x86_64-linux-gnu": _target(
        "x86-64 Linux with glibc 2.28 (2018) or later",
        zig = "x86_64-linux-gnu.2.28",
        os = "linux",
        cpu = "x86_64",
        libc = "glibc",
        headers = ["x86-linux-gnu", "x86-linux-any"],
    ),
    "x86_64-macos": _target(
        "Macs with Intel's processors, macOS 13 or later",
        zig = "x86_64-macos.13.0",
        os = "macos",
        cpu = "x86_64",
        libc = "libsystem",
        headers = [],
    ),
    "x86_64-linux-musl": _target(
        "x86-64 Linux, static: needs no system libraries",
        zig = "x86_64-linux-musl",
        os = "linux",
        cpu = "x86_64",
        libc = "musl",
        headers = ["x86_64-linux-musl", "x86-linux-any"],
    ),
}
