# The IREE runtime with the flat API of toolchains/iree/runtime, as one shared library.
load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_import", "cc_library")
load("{sources}", "CUDA_SOURCES", "HOSTS", "LOCAL_SOURCES", "SOURCES", "system_sources")

package(default_visibility = ["//visibility:public"])

# Optimised whatever --compilation_mode says: a runtime built -O0 would make
# every measurement and every test of numbers slow.
_COPTS = [
    "-std=gnu11",
    "-O2",
    "-DNDEBUG",
    "-g0",
    "-fvisibility=hidden",
    "-ffunction-sections",
    "-fdata-sections",
] + [
    # The runtime's messages name its files. As this repository has another name in
    # each workspace, so would its bytes be others.
    "-ffile-prefix-map=%s/=" % root
    for root in [
        "{root}",
        "{shim_root}",
    ]
    if root
]

# Whether this version has the header for the driver of CUDA.
_CUDA = {cuda}

_DEFINES = [
    "IREE_ALLOCATOR_SYSTEM_CTL=iree_allocator_libc_ctl",
    "IREE_THREADING_ENABLE=1",
    "IREE_HAVE_HAL_EXECUTABLE_LOADER_EMBEDDED_ELF=1",
    "IREE_HAVE_HAL_EXECUTABLE_EMBEDDED_ELF_PLUGIN=1",
    "IREE_HAVE_HAL_EXECUTABLE_LOADER_SYSTEM_LIBRARY=1",
    "IREE_HAVE_HAL_EXECUTABLE_SYSTEM_LIBRARY_PLUGIN=1",
    "IREE_HAVE_HAL_EXECUTABLE_LOADER_VMVX_MODULE=1",
    "IREE_HAVE_HAL_LOCAL_SYNC_DRIVER_MODULE=1",
    "IREE_HAVE_HAL_LOCAL_TASK_DRIVER_MODULE=1",
    "IREE_HAVE_HAL_VULKAN_DRIVER_MODULE=1",
] + (["IREE_HAVE_HAL_CUDA_DRIVER_MODULE=1"] if _CUDA else [])

# The compiler of the flatbuffer schemas, out of the runtime's wheel: it spares a
# compiler for the machine that builds.
[
    config_setting(
        name = platform,
        constraint_values = constraints,
    )
    for platform, constraints in HOSTS.items()
]

alias(
    name = "flatcc",
    actual = select(
        {":" + platform: "@iree_runtime_%s//:bin/iree-flatcc-cli" % platform for platform in HOSTS},
        no_match_error = "IREE has no runtime wheel for this machine",
    ),
)

cc_library(
    name = "flatcc_headers",
    hdrs = glob(["iree/third_party/flatcc/**/*.h"]),
    includes = [
        "iree/third_party/flatcc/config",
        "iree/third_party/flatcc/external",
        "iree/third_party/flatcc/include",
        "iree/third_party/flatcc/include/flatcc/reflection",
    ],
    textual_hdrs = glob(["iree/third_party/flatcc/external/lex/*.c"]),
)

_SCHEMAS = [
    "base/internal/flatcc/dummy",
    "schemas/bytecode_module_def",
    "schemas/cuda_executable_def",
    "schemas/executable_debug_info",
    "schemas/vulkan_executable_def",
]

[
    genrule(
        name = "schema_" + schema.replace("/", "_"),
        srcs = ["iree/runtime/src/iree/%s.fbs" % schema] + glob(
            ["iree/runtime/src/iree/schemas/*.fbs"],
            exclude = ["iree/runtime/src/iree/%s.fbs" % schema],
        ),
        outs = ["iree/runtime/src/iree/%s_%s.h" % (schema, kind) for kind in ["reader", "builder", "verifier"]],
        cmd = ("schema=$(location iree/runtime/src/iree/%s.fbs) && $(execpath :flatcc) " +
               "-o $(RULEDIR)/iree/runtime/src/iree/%s -I $${schema%%/runtime/src/*}/runtime/src " +
               "--reader --builder --verifier $$schema") % (schema, schema.rpartition("/")[0]),
        tools = [":flatcc"],
    )
    for schema in _SCHEMAS
]

cc_library(
    name = "runtime_headers",
    hdrs = glob([
        "iree/third_party/cuda/*.h",
        "iree/third_party/nccl/*.h",
        "iree/runtime/src/**/*.def",
        "iree/runtime/src/**/*.h",
        "iree/runtime/src/**/*.inc",
        "iree/runtime/src/**/*.inl",
        "iree/third_party/vulkan_headers/include/**/*.h",
    ], allow_empty = True) + [":schema_" + schema.replace("/", "_") for schema in _SCHEMAS],
    includes = [
        "iree",
        "iree/runtime/src",
        "iree/third_party/cuda",
        "iree/third_party/vulkan_headers/include",
    ],
    deps = [":flatcc_headers"],
)

# How a caller without the runtime calls a program's code: it needs no other header.
cc_library(
    name = "executable_library",
    hdrs = ["iree/runtime/src/iree/hal/local/executable_library.h"],
    includes = ["iree/runtime/src"],
)

# musl's headers, which are those for Android too, declare less than glibc's where a file
# forgets one. What files define before their first header must then be defined before this one.
_MUSL_COPTS = [
    "-D_GNU_SOURCE",
    "-include",
    "time.h",
]

cc_library(
    name = "runtime",
    srcs = system_sources(SOURCES + (CUDA_SOURCES if _CUDA else [])) + [
        "iree/runtime/src/iree/vm/bytecode/isa/encoding_table.c",
        "iree/third_party/flatcc/src/runtime/verifier.c",
    ],
    copts = _COPTS + ["-w"] + select({
        "@platforms//os:android": _MUSL_COPTS,
        "//conditions:default": [],
    }),
    defines = _DEFINES,
    deps = [":runtime_headers"],
)

cc_binary(
    name = "libireert.so",
    srcs = [
        "{shim}:ireert.h",
        "{shim}:sources",
    ],
    additional_linker_inputs = ["{shim}:ireert.map"],
    copts = _COPTS + [
        "-Wall",
        "-Werror",
    ] + select({
        "@platforms//os:android": _MUSL_COPTS,
        "//conditions:default": [],
    }),
    linkopts = [
        "-Wl,--gc-sections",
        "-Wl,--no-undefined",
        "-Wl,-z,relro,-z,now",
        "-Wl,--version-script=$(location {shim}:ireert.map)",
        "-Wl,-soname,libireert.so",
        "-s",
    ] + select({
        "@platforms//os:android": [],  # the toolchain names them
        "//conditions:default": [
            "-lm",
            "-lpthread",
            "-ldl",
        ],
    }),
    linkshared = True,
    deps = [":runtime"],
)

filegroup(
    name = "library",
    srcs = ["{shim}:library"],
)

# For C programs that run on this machine.
cc_import(
    name = "ireert_import",
    shared_library = "{shim}:library",
)

cc_library(
    name = "ireert_shared",
    deps = [
        ":ireert_import",
        "{shim}:api",
    ],
)

# What a board needs: programs for its CPU, on the calling thread, as small as can be.
_LOCAL_COPTS = [
    "-Os" if c == "-O2" else c
    for c in _COPTS
] + _MUSL_COPTS + ["-fno-asynchronous-unwind-tables"]

_LOCAL_DEFINES = [
    "IREE_ALLOCATOR_SYSTEM_CTL=iree_allocator_libc_ctl",
    "IREE_THREADING_ENABLE=1",
    "IREE_HAVE_HAL_EXECUTABLE_LOADER_EMBEDDED_ELF=1",
    "IREE_HAVE_HAL_LOCAL_SYNC_DRIVER_MODULE=1",
]

cc_library(
    name = "runtime_local",
    srcs = system_sources(LOCAL_SOURCES) + [
        "iree/runtime/src/iree/vm/bytecode/isa/encoding_table.c",
        "iree/third_party/flatcc/src/runtime/verifier.c",
    ],
    copts = _LOCAL_COPTS + ["-w"],
    defines = _LOCAL_DEFINES,
    deps = [":runtime_headers"],
)

# The flat API over it, for //toolchains/iree/runner.
cc_library(
    name = "ireert_local",
    srcs = ["{shim}:sources"],
    copts = _LOCAL_COPTS + [
        "-Wall",
        "-Werror",
    ],
    deps = [
        ":runtime_local",
        "{shim}:api",
    ],
)
