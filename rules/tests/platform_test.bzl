"""Which row a program gets: by platform, from user-defined rows, and what is rejected."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("//rules:defs.bzl", "VmfbInfo", "iree_target", "iree_vmfb")
load("//toolchains/iree:optimizations.bzl", "OPTIMIZATIONS")
load("//toolchains/iree:targets.bzl", "TARGETS")
load(":messages.bzl", "expect_messages")

_EXPORT = "//rules/tests/fixture:rows_mlir"

def _row_impl(ctx):
    env = analysistest.begin(ctx)
    compiles = [a for a in analysistest.target_actions(env) if a.mnemonic == "IreeCompile"]
    asserts.equals(env, 1, len(compiles))
    info = analysistest.target_under_test(env)[VmfbInfo]
    asserts.equals(env, ctx.attr.row, info.target)
    for flag in ctx.attr.flags:
        asserts.true(env, flag in compiles[0].argv, flag)
    if ctx.attr.f16:
        asserts.equals(env, ctx.attr.f16, info.f16)
        asserts.equals(env, ctx.attr.f16 == "integers", info.text.basename.endswith(".f16.mlir"), info.text.basename)
    for flag in ctx.attr.absent:
        asserts.false(env, flag in compiles[0].argv, flag)

    # All targets share one text, exported once.
    for f in compiles[0].inputs.to_list():
        asserts.false(env, ctx.attr.shared and "-ST-" in f.path and "-exec-" not in f.path, f.path)
    return analysistest.end(env)

_ROW_ATTRS = {
    "absent": attr.string_list(),
    "f16": attr.string(),
    "flags": attr.string_list(),
    "row": attr.string(),
    "shared": attr.bool(default = True),
}
_row_test = analysistest.make(_row_impl, attrs = _ROW_ATTRS)

# The same for a build for another platform.
_board_row_test = analysistest.make(
    _row_impl,
    attrs = _ROW_ATTRS,
    config_settings = {"//command_line_option:platforms": str(Label("//rules/tests:board"))},
)

def _refused_impl(ctx):
    env = analysistest.begin(ctx)
    expect_messages(env, ctx.attr.words)
    return analysistest.end(env)

_refused_test = analysistest.make(_refused_impl, expect_failure = True, attrs = {"words": attr.string_list()})

# From a target of //rules/tests/bad to parts of its message.
_REFUSED = {
    "base_refused": ["TARGET_BASE: webgpu: the pinned compiler"],
    "base_unknown": ["TARGET_BASE: unknown row \"cpu_z80\"; use one of cpu_x86_64_v1, ", "cuda_sm_89, metal, "],
    "host_row": ["TARGET_FLAGS: host_row: --iree-llvmcpu-target-cpu must name a CPU"],
    "no_device": ["TARGET_DEVICE: give base or device"],
    "no_row_for_platform": ["VMFB_PLATFORM: no row of the table matches the platform ", ":ppc_board", "or set target to one of aarch64, "],
    "refused_cuda_sm_90": ["VMFB_REFUSED: no program for cuda_sm_90: IREE 3.13.0 has no target for Hopper; use cuda_sm_89"],
    "refused_webgpu": ["VMFB_REFUSED: no program for webgpu: ", "vulkan_generic"],
    "target_and_platform": ["VMFB_TARGET: target and platform are both set; set only one"],
    "two_rows_of_one_name": ["two_rows_of_one_name: VMFB_ROWS: //rules/tests/bad:ppc_left and //rules/tests/bad/namesake:ppc_left both have the name \"ppc_left\"; remove one of them from rows, or rename it"],
    "two_rows_for_platform": ["VMFB_PLATFORM: the platform ", "ppc_left and ppc_right equally well; set target to one of them"],
    "vmvx": ["TARGET_NAME: the table has a row of this name"],
}

def platform_test_suite(name):
    """Tests of platforms, rows and levels.

    Args:
      name: of the suite.
    """
    tests = []

    # The platform of each row gets that row; `pixel` and `board` are user-defined.
    wanted = {"//toolchains/iree/platforms:" + row: row for row in TARGETS if not TARGETS[row].refused} | {
        ":board": "own_board",
        ":pixel": "vulkan",
        ":windows_pc": "cpu_x86_64_v3",
    }
    iree_target(
        name = "own_board",
        base = "aarch64_generic",
        constraint_values = [
            ":board_value",
            "@platforms//cpu:aarch64",
            "//toolchains/iree/constraints:local",
        ],
        doc = "a board of the tests",
        f16 = "integers",
        flags = ["--iree-llvmcpu-target-cpu=cortex-a35"],
    )
    for platform, row in wanted.items():
        test = "%s_%s" % (name, platform.rpartition(":")[2])
        iree_vmfb(
            name = test + "_vmfb",
            export = _EXPORT,
            platform = platform,
            rows = [":own_board"],
            tags = ["manual"],
        )
        _row_test(
            name = test,
            size = "small",
            target_under_test = test + "_vmfb",
            row = row,
            flags = ["--iree-llvmcpu-target-cpu=cortex-a35", "--iree-llvmcpu-target-cpu-features=+neon"] if row == "own_board" else TARGETS[row].flags,
            absent = ["--iree-llvmcpu-target-cpu=generic"] if row == "own_board" else [],
            f16 = "integers" if row == "own_board" else TARGETS[row].f16,
        )
        tests.append(test)

    # A processor that has what its base lacks, and one that does not say.
    for row, f16 in {"own_riscv": "integers", "own_zfhmin": "instructions"}.items():
        iree_target(
            name = row,
            base = "riscv64",
            f16 = "" if f16 == TARGETS["riscv64"].f16 else f16,
        )
        iree_vmfb(name = "%s_%s_vmfb" % (name, row), export = _EXPORT, rows = [":" + row], tags = ["manual"], target = row)
        _row_test(name = "%s_%s" % (name, row), size = "small", f16 = f16, row = row, target_under_test = "%s_%s_vmfb" % (name, row))
        tests.append("%s_%s" % (name, row))

    # Neither target nor platform: the target platform of the build decides.
    # A row listed again through an alias counts once.
    native.alias(name = name + "_again", actual = ":own_board", tags = ["manual"])
    iree_vmfb(name = name + "_built_for_vmfb", export = _EXPORT, rows = [":own_board", name + "_again"], tags = ["manual"])
    _board_row_test(name = name + "_built_for", size = "small", row = "own_board", shared = False, target_under_test = name + "_built_for_vmfb")
    tests.append(name + "_built_for")

    # A level's flags replace those of the row.
    for level, o in OPTIMIZATIONS.items():
        test = "%s_level_%s" % (name, level)
        iree_vmfb(name = test + "_vmfb", export = _EXPORT, optimization = level, tags = ["manual"], target = "cpu_x86_64_v3")
        _row_test(
            name = test,
            size = "small",
            target_under_test = test + "_vmfb",
            row = "cpu_x86_64_v3",
            flags = o.flags + o.cpu,
            absent = ["--iree-llvmcpu-debug-symbols=false"] if level == "debug" else [],
        )
        tests.append(test)
    for target, words in _REFUSED.items():
        test = "%s_refused_%s" % (name, target)
        _refused_test(
            name = test,
            size = "small",
            target_under_test = "//rules/tests/bad:" + target,
            words = words,
        )
        tests.append(test)
    native.test_suite(name = name, tests = tests)
