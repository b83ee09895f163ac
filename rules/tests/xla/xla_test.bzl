"""Tests what xla_executable and what runs its programs declare, and the messages of mistakes."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts", "unittest")
load("//rules:defs.bzl", "XlaInfo")
load("//rules/private:model_faults.bzl", "SIBLINGS", "model_faults")
load("//rules/private:model_parity.bzl", "compared", "parity_faults", "reasons")
load("//rules/private:model_programs.bzl", "program_name", "xla_faults")
load("//rules/tests:messages.bzl", "expect_messages")

_FIXTURE = "//rules/tests/fixture:"
_BAD = "//rules/tests/bad:"

def _names(files):
    return sorted([f.basename for f in files.to_list()])

def _only(env, mnemonic):
    found = [a for a in analysistest.target_actions(env) if a.mnemonic == mnemonic]
    asserts.equals(env, 1, len(found), "actions %s" % mnemonic)
    return found[0]

def _portable_impl(ctx):
    """The file is made of the graph alone: no weights, no plugin."""
    env = analysistest.begin(ctx)
    target = analysistest.target_under_test(env)
    action = _only(env, "XlaFile")
    asserts.equals(env, ["both_executable_xla.contract.json", "both_executable_xla.xla"], _names(action.outputs))
    inputs = _names(action.inputs)
    asserts.true(env, "both_mlir.graph.json" in inputs, "the graph is read")
    for f in inputs:
        asserts.false(env, f.endswith(".so") or f.endswith(".irpa") or f.endswith(".bin"), "XlaFile reads " + f)
    info = target[XlaInfo]
    asserts.equals(env, ["xla_cpu", "cpu", "", False], [info.target, info.device, info.level, info.serialized])
    asserts.equals(env, ["model"], info.scopes)
    asserts.equals(env, ["both_executable_xla.xla"], _names(target[DefaultInfo].files))
    asserts.equals(env, ["both_executable_xla.xla"], _names(target[DefaultInfo].data_runfiles.files), "as data it is only the file")
    asserts.equals(env, ["both_irpa.irpa"], _names(target[OutputGroupInfo].irpa))

    # The archive was packed for the contract of the export, and is compared with this one.
    check = _only(env, "IreeContract")
    asserts.true(env, "both_executable_xla.contract.json" in _names(check.inputs))
    asserts.equals(env, _names(check.outputs), _names(depset([f for f in target[OutputGroupInfo]._validation.to_list() if f.basename.startswith("both_executable")])))
    return analysistest.end(env)

_portable_test = analysistest.make(_portable_impl)

def _serialized_impl(ctx):
    """The plugin compiles it, which is another action: it has no place in a shared cache."""
    env = analysistest.begin(ctx)
    action = _only(env, "XlaCompile")
    asserts.true(env, [f for f in _names(action.inputs) if f.endswith(".so")] != [], "the plugin is read")
    asserts.equals(env, [], [a for a in analysistest.target_actions(env) if a.mnemonic == "XlaFile"])
    asserts.true(env, analysistest.target_under_test(env)[XlaInfo].serialized)
    return analysistest.end(env)

_serialized_test = analysistest.make(_serialized_impl)

def _level_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.equals(env, "debug", analysistest.target_under_test(env)[XlaInfo].level)
    return analysistest.end(env)

def _sizes_impl(ctx):
    """The sizes of skainet_model are in the file."""
    env = analysistest.begin(ctx)
    argv = _only(env, "XlaFile").argv
    asserts.equals(env, ["n=2", "n=3"], [argv[i + 1] for i in range(len(argv)) if argv[i] == "--sizes"])
    return analysistest.end(env)

_sizes_test = analysistest.make(_sizes_impl)

_level_test = analysistest.make(_level_impl, config_settings = {str(Label("//rules:optimization")): "debug"})

def _fails_impl(ctx):
    env = analysistest.begin(ctx)
    expect_messages(env, ctx.attr.messages)
    return analysistest.end(env)

_fails_test = analysistest.make(_fails_impl, expect_failure = True, attrs = {"messages": attr.string_list(mandatory = True)})

# From a target to its messages.
_MISTAKES = {
    "run_xla_and_other": [_BAD + "run_xla_and_other: RUN_PROGRAMS: //rules/tests/fixture:both_executable_xla is for XLA, whose plugin compiles for the processor; give it alone"],
    "xla_bench_without_plugin": [_BAD + "xla_bench_without_plugin: XLA_PLUGIN: no plugin for xla_tpu is chosen, or none is registered for this platform; build with --@skainet//toolchains/xla:plugin_kind=tpu, or bring one: xla.local(kind = \"tpu\", path = ..., platform = ...) in MODULE.bazel"],
    "xla_no_such_target": [_BAD + "xla_no_such_target: XLA_TARGET: unknown target \"xla_toaster\"; use one of xla_cpu, xla_cuda, xla_rocm, xla_tpu, or iree_vmfb for a row of //toolchains/iree:targets.bzl"],
    "xla_serialized_without_plugin": [_BAD + "xla_serialized_without_plugin: XLA_PLUGIN: no plugin for xla_rocm is chosen"],
    "xla_without_archive": [_BAD + "xla_without_archive: PROGRAM_ARCHIVES: the program takes parameters of scope \"model\"; give the irpa_archive of its export as an archive"],
}

def _macro_impl(ctx):
    env = unittest.begin(ctx)
    backends = {"cpu": "cpu_x86_64_v3", "tpu": "xla_tpu", "xla": "xla_cpu"}
    asserts.equals(env, None, xla_faults(backends))
    asserts.equals(env, "m_executable_xla", program_name("m", "xla", backends))
    asserts.equals(env, "m_vmfb_cpu", program_name("m", "cpu", backends))
    asserts.equals(
        env,
        "XLA_TARGET: unknown target \"xla_npu\"; use one of xla_cpu, xla_cuda, xla_rocm, xla_tpu, or iree_vmfb for a row of //toolchains/iree:targets.bzl (backend \"n\")",
        xla_faults({"n": "xla_npu"}),
    )
    asserts.equals(env, None, xla_faults(backends, ["n=2"]))
    asserts.equals(
        env,
        "MODEL_ARGUMENTS: sizes are those that XLA compiles for, and no backend is one of XLA; add one, such as backends = {\"xla\": \"xla_cpu\"}, or leave them out: programs of IREE are for any",
        xla_faults({"cpu": "cpu_x86_64_v3"}, ["n=2"]),
    )
    asserts.equals(env, ["cpu", "xla"], compared(backends, None, {}))
    asserts.equals(env, {"tpu": "nothing here runs its programs: the tests have no device for xla_tpu"}, reasons(backends, ["cpu", "xla"], {}))
    asserts.equals(
        env,
        "MODEL_PARITY: parity leaves out the backend \"xla\", whose programs run here, without a reason; add it to parity, or write no_parity = {\"xla\": \"what takes its place\"}",
        parity_faults(backends, ["cpu"], {}),
    )
    asserts.equals(
        env,
        "SIZE_LIMITS: the sizes are those of a program of IREE, and \"xla\" is for XLA; remove size_limits, or add a backend cpu",
        model_faults(
            backends = {"xla": "xla_cpu"},
            manual_backends = [],
            parity = [],
            parity_tools = {},
            runners = {},
            shards = [],
            siblings = SIBLINGS,
            size_limits = {"program": 1},
            weights = None,
        ),
    )
    return unittest.end(env)

_macro_test = unittest.make(_macro_impl)

def xla_test_suite(name):
    """Declares the tests.

    Args:
      name: of the suite.
    """
    here = ["@platforms//os:linux", "@platforms//cpu:x86_64"]
    _macro_test(name = name + "_macro", size = "small")
    _portable_test(name = name + "_portable", size = "small", target_under_test = _FIXTURE + "both_executable_xla")
    _level_test(name = name + "_level", size = "small", target_under_test = _FIXTURE + "both_executable_xla")
    _sizes_test(name = name + "_sizes", size = "small", target_under_test = _FIXTURE + "sized_executable_xla")
    _serialized_test(name = name + "_serialized", size = "small", target_compatible_with = here, target_under_test = _FIXTURE + "serialized")
    for target, messages in _MISTAKES.items():
        _fails_test(name = name + "_" + target, size = "small", messages = messages, target_under_test = _BAD + target)
    native.test_suite(
        name = name,
        tests = [name + "_" + test for test in ["macro", "portable", "level", "sizes", "serialized"] + _MISTAKES.keys()],
    )
