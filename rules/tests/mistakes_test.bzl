"""Mistakes in BUILD files, each with its message: at analysis, or from a macro's check."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts", "unittest")
load("//rules:defs.bzl", "iree_go_embed")
load("//rules/private:constructor.bzl", "constructor_fault")
load("//rules/private:iree_c_embed.bzl", "name_fault")
load("//rules/private:iree_run.bzl", "run_faults")
load("//rules/private:iree_run_test.bzl", "expected_faults")
load("//rules/private:iree_size_test.bzl", "limit_faults")
load("//rules/private:model_faults.bzl", "SIBLINGS", "argument_faults", "default_backend", "model_faults")
load("//rules/private:model_parity.bzl", "compared", "parity_faults", "reasons")
load("//rules/private:runnable.bzl", "cpu_of", "platform_fault")
load("//toolchains/go:sdk.bzl", "proxy_fault", "version_fault")
load("//toolchains/iree:labels.bzl", "label_text")
load(":messages.bzl", "expect_messages")

_BAD = "//rules/tests/bad:"
_FIXTURE = "//rules/tests/fixture:"

def _fails_impl(ctx):
    env = analysistest.begin(ctx)
    expect_messages(env, ctx.attr.messages)
    return analysistest.end(env)

_ATTRS = {"messages": attr.string_list(mandatory = True)}

_fails_test = analysistest.make(_fails_impl, expect_failure = True, attrs = _ATTRS)

# The same with a runtime of a different version than the compiler.
_old_runtime_test = analysistest.make(
    _fails_impl,
    expect_failure = True,
    attrs = _ATTRS,
    config_settings = {"//command_line_option:extra_toolchains": [str(Label(_FIXTURE + "old_runtime_toolchain"))]},
)

# The same with a runtime that cannot run programs in process.
_no_library_test = analysistest.make(
    _fails_impl,
    expect_failure = True,
    attrs = _ATTRS,
    config_settings = {"//command_line_option:extra_toolchains": [str(Label(_FIXTURE + "no_library_runtime_toolchain"))]},
)

_NO_ARCHIVE = ": PROGRAM_ARCHIVES: the program takes parameters of scope \"model\"; give the irpa_archive of its export as an archive"

# The same for a platform without a runtime.
_RISCV = {"//command_line_option:platforms": str(Label("//toolchains/iree/platforms:riscv64"))}
_no_runtime_test = analysistest.make(_fails_impl, expect_failure = True, attrs = _ATTRS, config_settings = _RISCV)

def _no_run_impl(ctx):
    """A program for another machine builds; `bazel run` says what to do with it."""
    env = analysistest.begin(ctx)
    scripts = [a.content for a in analysistest.target_actions(env) if a.mnemonic == "FileWrite" and [f for f in a.outputs.to_list() if f.extension == "sh"]]
    asserts.equals(env, 1, len(scripts))
    asserts.true(env, "rows_run_riscv64: VMFB_RUN: IREE has no runtime toolchain for this platform; copy the program there, or its .tar" in scripts[0], scripts[0])
    return analysistest.end(env)

_no_run_test = analysistest.make(_no_run_impl, config_settings = _RISCV)

# From a target to its messages.
_MISTAKES = {
    "bench_without_archive": [_BAD + "bench_without_archive" + _NO_ARCHIVE],
    "far_shard": ["WEIGHTS_SHARD: toolchains/iree/targets.bzl is not in the same folder as "],
    "label_for_target": ["VMFB_TARGET: target is the name of a row, and \":ppc_board\" is a label; give a platform() as platform, and an iree_target as one of rows"],
    "limits_none": ["SIZE_LIMITS: no limit is given; write limits = {\"program\": \"20000\"}"],
    "limits_number": ["SIZE_LIMITS: program: \"20 kB\" is not a number of bytes; write one such as \"20000\""],
    "limits_unknown": ["SIZE_LIMITS: unknown size \"weights\"; use one of archives, deployed, executable, module, operations, program, text"],
    "no_parameters": ["PROGRAM_SCOPES: the program takes no parameters; leave out //rules/tests/fixture:rows_irpa"],
    "no_such_target": ["VMFB_TARGET: unknown target \"cpu_z80\"; use one of ", "or your own row: add an iree_target of that name to rows"],
    "other_scope": ["PROGRAM_SCOPES: //rules/tests/bad:pack_other_scope has the scope \"adapter\", the program takes [\"model\"]; pack it with scope = \"model\""],
    "parts_of_two_models": [_BAD + "parts_of_two_models: PARTS_CONTRACT: //rules/tests/fixture:rows_vmfb_vmvx and //rules/tests/fixture:split_vmfb_cpu are programs of two models; give those of one skainet_model"],
    "run_two_files": [_BAD + "run_two_files: RUN_ARGUMENT: ", "//rules/tests/bad:two_arrays: argument \"x\" takes one file, but the label provides 2"],
    "run_without_archive": [_BAD + "run_without_archive" + _NO_ARCHIVE],
    "shards_alone": ["WEIGHTS_SHARD: shards are given without weights; set weights to the file that names them"],
    "split_alone": ["IRPA_SPLIT: max_shard_size without split: the number of files is fixed before the weights are read; set split = 2 too"],
    "split_none": ["IRPA_SPLIT: split = 0; give a number of archives from 1 to 256"],
    "split_words": ["IRPA_SPLIT: max_shard_size = \"large\" is not a size; write one such as \"1GiB\""],
    "tar_two_documents": [_BAD + "tar_two_documents: MODEL_TAR: the document \"LICENSE\" is 2 files; name one"],
    "tar_without_archive": [_BAD + "tar_without_archive" + _NO_ARCHIVE],
    "two_scopes": ["PROGRAM_SCOPES: //rules/tests/fixture:rows_irpa and //rules/tests/bad:rows_again both have the scope \"model\"; give only one of them, or pack one with another scope"],
}

_OLD = "IREE_VERSION: the program was compiled by IREE 3.13.0, but the runtime is 3.12.0; register compiler and runtime of the same version with iree.toolchain(version = \"3.13.0\")"

# Targets that would run a program on an older runtime.
_MEETINGS = ["rows.bench", "rows_layer_diff_cpu_x86_64_v3", "rows_parity_cpu_x86_64_v3_test", "rows_run"]

_CPU = {"cpu": "cpu_x86_64_v3"}

def _model(**kwargs):
    arguments = {
        "backends": _CPU,
        "manual_backends": [],
        "parity": ["cpu"],
        "parity_tools": {},
        "runners": {},
        "shards": [],
        "siblings": SIBLINGS,
        "size_limits": {},
        "weights": None,
    }
    return model_faults(**(arguments | kwargs))

# Arguments of skainet_model, as argument_faults takes them, with their messages.
_ARGUMENTS = [
    ({}, {"backends": "vmvx"}, {}, "backends is \"vmvx\"; write a dict: backends = {\"cpu\": ...}"),
    ({}, {"runners": None}, {}, "runners is None; write a dict: runners = {\"cpu\": ...}"),
    ({"tags": "manual"}, {}, {}, "tags is \"manual\"; write a list: tags = [\"manual\"]"),
    ({"shards": None}, {}, {}, "shards is None; write a list: shards = [\"...\"]"),
    ({}, {}, {"weights": ""}, "weights is empty; give the weight file, or omit it for a model without weights"),
    ({}, {}, {"model": ""}, "model is empty; give the go_library with the constructor"),
    ({}, {}, {"model": None}, "model is empty; give the go_library with the constructor"),
    ({}, {}, {"onnx": ""}, "onnx is empty; give the model file"),
    ({}, {"shapes": "batch,seq"}, {}, "shapes is \"batch,seq\"; write a dict: shapes = {\"input_ids\": \"batch,seq\"}"),
    ({}, {}, {"weights": ["//x", "//y"]}, "weights is [\"//x\", \"//y\"]; give one label"),
]

def _arguments_impl(ctx):
    env = unittest.begin(ctx)
    good = {"labels": {"model": Label("//rules"), "weights": None}, "lists": {"flags": select({"//conditions:default": []}), "tags": []}}
    asserts.equals(env, None, argument_faults(dicts = {"backends": _CPU, "runners": {}}, **good))
    for lists, dicts, labels, message in _ARGUMENTS:
        asserts.equals(env, "MODEL_ARGUMENTS: " + message, argument_faults(dicts = dicts, labels = labels, lists = lists))
    for message, arguments in {
        "parity names the backend \"cpu\" twice; remove one of them": {"parity": ["cpu", "cpu"]},
        "the backend \"cpu\" has no target; give a row of //toolchains/iree:targets.bzl, such as backends = {\"cpu\": \"cpu_x86_64_v3\"}, or the label of a platform()": {"backends": {"cpu": ""}},
        "the backend \"my cpu\" is part of the names of targets and files; use only letters, digits and _-.": {"backends": {"my cpu": "vmvx"}},
        "the backend of \"vmvx\" has no name; write backends = {\"cpu\": \"vmvx\"}": {"backends": {"": "vmvx"}},
        "the target of the backend \"cpu\" is [\"vmvx\"]; write the name of a row, or a label in quotes": {"backends": {"cpu": ["vmvx"]}},
    }.items():
        asserts.equals(env, "MODEL_BACKENDS: " + message, _model(**arguments))
    return unittest.end(env)

def _constructor_impl(ctx):
    env = unittest.begin(ctx)
    for good in ["Model", "Context(4096)", "Heads(Twelve())", "New[float32]", "New[float32](8)", "Presets.Tiny", "M_2"]:
        asserts.equals(env, None, constructor_fault(good))
    write = "; give the name of an exported function of the library, such as \"Model\", or a call that returns one, such as \"Context(4096)\""
    for bad, message in {
        "": "constructor is \"\"" + write,
        "context(8)": "constructor \"context(8)\" is not exported by its package: its name does not begin with a capital letter" + write,
        "gemma3.Context(8)": "constructor \"gemma3.Context(8)\" names a package; write \"Context(8)\", and set model to the go_library that declares it",
        "model": "constructor \"model\" is not exported by its package: its name does not begin with a capital letter" + write,
        "pkg.New": "constructor \"pkg.New\" names a package; write \"New\", and set model to the go_library that declares it",
    }.items():
        asserts.equals(env, "MODEL_CONSTRUCTOR: " + message, constructor_fault(bad))
    for bad in ["2Model", "My Model", "Model(", "Model)", "My-Model", "//x:Model", "Presets.tiny", "Presets.", ".Model", "()", "Model\n"]:
        asserts.equals(env, "MODEL_CONSTRUCTOR: constructor %r is not a valid Go name%s" % (bad, write), constructor_fault(bad))
    for bad in [None, ["Model"]]:
        asserts.equals(env, "MODEL_CONSTRUCTOR: constructor is %r%s" % (bad, write), constructor_fault(bad))
    return unittest.end(env)

_constructor_test = unittest.make(_constructor_impl)

def _labels_impl(ctx):
    env = unittest.begin(ctx)
    for text in ["@@//p:x", Label("//p:x")]:
        asserts.equals(env, "//p:x", label_text(text))
    for text in ["@@r~1.0//p:x", "//p:x", "@r//:x"]:
        asserts.equals(env, text, label_text(text))
    return unittest.end(env)

_labels_test = unittest.make(_labels_impl)

_arguments_test = unittest.make(_arguments_impl)

def _macros_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, None, _model())
    asserts.equals(env, None, _model(backends = {}, parity = []))
    asserts.equals(env, None, _model(size_limits = {"program": 1}))
    for argument, value in {
        "manual_backends": ["gpu"],
        "parity": ["gpu"],
        "parity_tools": {"gpu": "//x"},
        "runners": {"gpu": "//x"},
    }.items():
        asserts.equals(
            env,
            "MODEL_BACKENDS: %s names the backend \"gpu\", which is not in backends; use one of cpu, or add it there" % argument,
            _model(**{argument: value}),
        )
    asserts.equals(
        env,
        "MODEL_SIBLINGS: unknown sibling \"benchmark\"; use some of bench, layer_diff, parity_test, run, size_test, tar",
        _model(siblings = ["benchmark"]),
    )
    asserts.equals(
        env,
        "WEIGHTS_SHARD: shards are given without weights; set weights to the file that names them",
        _model(shards = ["//x"]),
    )
    asserts.equals(
        env,
        "SIZE_LIMITS: unknown size \"weights\"; use one of archives, deployed, executable, module, operations, program, text",
        _model(size_limits = {"weights": 1}),
    )

    asserts.equals(env, None, limit_faults({"program": "1"}))
    asserts.equals(env, "cpu", default_backend({"cpu": "", "gpu": ""}, ["gpu"]))
    asserts.equals(env, "gpu", default_backend({"a": "", "gpu": ""}, ["gpu"]))
    asserts.equals(env, "a", default_backend({"a": "", "gpu": ""}, []))
    asserts.equals(env, None, default_backend({}, []))

    asserts.equals(env, None, run_faults({"a": "1", "b": "1", "c": ":x", "d": "//p:x"}))
    asserts.equals(env, "RUN_ARGUMENT: args is [\"1,2\"]; write a dict from an argument's name to its value: args = {\"x\": \"1,2\"}", run_faults(["1,2"]))
    asserts.equals(env, "RUN_ARGUMENT: the value of x is 3; write it as text, all elements in row-major order: args = {\"x\": \"1,2\"}", run_faults({"x": 3}))
    asserts.equals(env, "RUN_ARGUMENT: :x is given for both a and b; copy it with copy_file for one of them", run_faults({"a": ":x", "b": ":x"}))
    asserts.equals(env, None, name_fault("line_2"))
    for name in ["", "2_line", "my-model"]:
        asserts.equals(env, "EMBED_NAMES: the name of an iree_c_embed is a prefix of C names; use only letters, digits and _", name_fault(name))
    asserts.equals(env, None, expected_faults(["y"], None))
    asserts.equals(env, "RUN_EXPECTED: no expected output is given; set expected to a list of lines, or expected_file to a file", expected_faults(None, None))
    asserts.equals(env, "RUN_EXPECTED: both expected and expected_file are set; set only one", expected_faults([], "x"))
    asserts.equals(env, None, expected_faults([], None, atol = "1e-5", rtol = "0.25"))
    asserts.equals(env, "RUN_EXPECTED: expected is \"y\"; write a list of lines: expected = [\"y: f32[2] = [1 2]\"]", expected_faults("y", None))
    for text in ["", "-1", "1e", "1.2.3", "e5", "x"]:
        asserts.equals(
            env,
            "RUN_EXPECTED: rtol is %r; give it as text, such as \"1e-5\"" % text,
            expected_faults([], None, rtol = text),
        )
    asserts.equals(env, "RUN_EXPECTED: atol is 1; give it as text, such as \"1e-5\"", expected_faults([], None, atol = 1))
    return unittest.end(env)

_macros_test = unittest.make(_macros_impl)

_NOTHING_RUNS = "nothing here runs its programs: the tests have no device for metal, and no emulator of one"

def _parity_impl(ctx):
    env = unittest.begin(ctx)
    backends = {"board": "riscv64", "cpu": "cpu_x86_64_v3", "gpu": "metal", "mali": "vulkan", "mine": "//p:board"}

    # By default everything that runs here, and a reason for the rest.
    asserts.equals(env, None, parity_faults(backends, None, {}))
    asserts.equals(env, ["board", "cpu", "mali"], compared(backends, None, {}))
    asserts.equals(env, {"gpu": _NOTHING_RUNS}, reasons({"gpu": "metal"}, [], {}))
    asserts.true(env, "it is no row of the table" in reasons({"mine": "//p:board"}, [], {})["mine"])
    asserts.equals(env, ["board", "cpu"], compared(backends, None, {"mali": "why"}))
    asserts.equals(env, {"gpu": _NOTHING_RUNS, "mali": "why"}, reasons(backends | {"mine": "vmvx"}, ["board", "cpu", "mine"], {"mali": "why"}))

    # What parity leaves out, and what could be run, has a reason.
    asserts.equals(env, None, parity_faults(backends, ["board", "cpu"], {"mali": "why"}))
    asserts.equals(env, None, parity_faults(backends, ["cpu"], "why"))
    asserts.equals(env, None, parity_faults(_CPU, None, {}, ["cpu"]))
    asserts.equals(env, "MODEL_PARITY: manual_parity names the backend \"gpu\", which is not compared; use one of cpu", parity_faults(_CPU, None, {}, ["gpu"]))
    asserts.equals(env, "why", reasons(backends, ["cpu"], "why")["board"])
    for message, (parity, no_parity) in {
        "no_parity gives no reason for the backend \"mali\"; write one: no_parity = {\"mali\": \"what takes its place\"}": (None, {"mali": " "}),
        "no_parity is None; write a dict from backends to reasons, or one reason for all that parity leaves out": (None, None),
        "no_parity is one reason for all backends that parity leaves out, and parity is not given; name the backends: no_parity = {\"board\": \"why\"}": (None, "why"),
        "parity and no_parity both name the backend \"mali\"; remove it from one of them": (["mali"], {"mali": "why"}),
        "parity leaves out the backend \"board\", whose programs run here, without a reason; add it to parity, or write no_parity = {\"board\": \"what takes its place\"}": (["cpu", "mali"], {}),
    }.items():
        asserts.equals(env, "MODEL_PARITY: " + message, parity_faults(backends, parity, no_parity))
    asserts.equals(
        env,
        "MODEL_BACKENDS: no_parity names the backend \"npu\", which is not in backends; use one of cpu, or add it there",
        parity_faults(_CPU, None, {"npu": "why"}),
    )
    return unittest.end(env)

_parity_test = unittest.make(_parity_impl)

def _go_sdk_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, None, version_fault("1.26.8", "linux_amd64"))
    old = version_fault("1.0.0", "linux_amd64")
    asserts.true(env, old.startswith("GO_SDK_VERSION: no Go 1.0.0 for linux_amd64 is in toolchains/go/versions.bzl; it has 1.26.8 for darwin_amd64, "), old)
    asserts.true(env, old.endswith("; use one of them, or go_sdk.download(version = \"1.0.0\") instead of go_sdk_archive"), old)
    asserts.equals(env, None, proxy_fault("m@v1", {"Sum": "h1:a", "Zip": "z"}, "", "h1:a"))
    asserts.equals(
        env,
        "GO_SDK_SUM: m@v1: its sum is h1:b, but toolchains/go/versions.bzl has h1:a; the proxy returned something that the Go project did not publish",
        proxy_fault("m@v1", {"Sum": "h1:b", "Zip": "z"}, "", "h1:a"),
    )
    for answer, stderr in [({"Error": "no\nhost"}, ""), ({}, "no\n host\n")]:
        asserts.equals(
            env,
            "GO_SDK_DOWNLOAD: m@v1: no host; check GOPROXY and GOSUMDB of this host (go env), or use go_sdk.host() instead of go_sdk_archive",
            proxy_fault("m@v1", answer, stderr, "h1:a"),
        )
    return unittest.end(env)

_go_sdk_test = unittest.make(_go_sdk_impl)

def _platforms_impl(ctx):
    env = unittest.begin(ctx)

    def program(triple):
        flags = ["--a=1"] + (["--iree-llvmcpu-target-triple=" + triple] if triple else [])
        return struct(flags = flags, target = "row")

    asserts.equals(env, "x86_64", cpu_of(program("x86_64-unknown-linux-gnu").flags))
    asserts.equals(env, "aarch64", cpu_of(program("arm64-apple-macosx14.0.0").flags))
    asserts.equals(env, None, cpu_of(program(None).flags), "a program for a GPU")
    asserts.equals(env, None, platform_fault(program("x86_64-pc"), "x86_64"))
    asserts.equals(env, None, platform_fault(program("x86_64-pc"), None))
    asserts.equals(env, None, platform_fault(program(None), "x86_64"))
    asserts.equals(
        env,
        "PROGRAM_PLATFORM: the program is for riscv64 (target \"row\"), but this build's platform is x86_64; use a program for it, or copy the .tar of this one to such a machine",
        platform_fault(program("riscv64-unknown-linux-gnu"), "x86_64"),
    )
    return unittest.end(env)

_platforms_test = unittest.make(_platforms_impl)

def mistakes_test_suite(name):
    """The tests of messages.

    Args:
      name: of the suite.
    """
    tests = [name + "_" + test for test in ["macros", "arguments", "constructor", "labels", "platforms", "cpu", "embedded_scope", "go_sdk", "no_library", "no_run", "no_runtime"]]
    _arguments_test(name = name + "_arguments", size = "small")
    _no_library_test(
        name = name + "_no_library",
        size = "small",
        messages = ["//rules/tests/fixture:rows.bench: BENCH_RUNTIME: the runtime of this platform has no libireert, so each call would measure the start of a tool; use a platform that has it"],
        target_under_test = _FIXTURE + "rows.bench",
    )
    _no_run_test(name = name + "_no_run", size = "small", target_under_test = _FIXTURE + "rows_run_riscv64")
    _no_runtime_test(
        name = name + "_no_runtime",
        size = "small",
        messages = ["rows_run: IREE_NO_RUNTIME: no IREE runtime is registered for the target platform, so programs cannot be run there; build the iree_vmfb alone"],
        target_under_test = _FIXTURE + "rows_run",
    )
    _go_sdk_test(name = name + "_go_sdk", size = "small")
    _platforms_test(name = name + "_platforms", size = "small")
    _fails_test(
        name = name + "_cpu",
        size = "small",
        messages = ["run_on_another_cpu: PROGRAM_PLATFORM: the program is for aarch64 (target \"aarch64\"), but this build's platform is x86_64; "],
        target_compatible_with = ["@platforms//cpu:x86_64"],
        target_under_test = _BAD + "run_on_another_cpu",
    )
    iree_go_embed(
        name = name + "_scope_go",
        archive = _BAD + "pack_other_scope",
        importpath = "github.com/skainet-dev/skainet-go/rules/tests/scope",
        program = _BAD + "other_weights",
        tags = ["manual"],
    )
    _fails_test(
        name = name + "_embedded_scope",
        size = "small",
        messages = ["PROGRAM_SCOPES: ", "//rules/tests/bad:pack_other_scope has the scope \"adapter\", the program takes [\"model\"]; pack it with scope = \"model\""],
        target_under_test = name + "_scope_go_files",
    )
    _macros_test(name = name + "_macros", size = "small")
    _parity_test(name = name + "_parity", size = "small")
    _constructor_test(name = name + "_constructor", size = "small")
    _labels_test(name = name + "_labels", size = "small")
    for target, messages in _MISTAKES.items():
        tests.append(name + "_" + target)
        _fails_test(name = tests[-1], size = "small", messages = messages, target_under_test = _BAD + target)
    for target in _MEETINGS:
        tests.append("%s_old_runtime_%s" % (name, target))
        _old_runtime_test(name = tests[-1], size = "small", messages = [_OLD], target_under_test = _FIXTURE + target)
    native.test_suite(name = name, tests = tests)
