"""Tests what the rules declare: actions, their files and arguments, and providers."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts", "unittest")
load("//rules:defs.bzl", "IrpaInfo", "ModelInfo", "StableHloInfo", "VmfbInfo", "WeightsIndexInfo")
load("//rules/private:iree_vmfb.bzl", "RESOURCES")
load("//toolchains/iree:targets.bzl", "TARGETS")

_FIXTURE = "//rules/tests/fixture:"

def _only_action(env, mnemonic):
    """Returns the only action with a mnemonic; fails the test if there is none or more than one."""
    found = [a for a in analysistest.target_actions(env) if a.mnemonic == mnemonic]
    asserts.equals(env, 1, len(found), "actions %s" % mnemonic)
    return found[0]

def _inputs(action):
    return [f.basename for f in action.inputs.to_list()]

def _outputs(action):
    return sorted([f.basename for f in action.outputs.to_list()])

def _extensions(files):
    return [f.rpartition(".")[2] for f in files if "." in f]

def _reads_no_weights(env, action):
    for f in _inputs(action):
        asserts.false(env, f.endswith(".bin") or f.endswith("rows_irpa.irpa"), "%s reads %s" % (action.mnemonic, f))

def _no_absolute_path(env, action):
    """With absolute paths, other folders would give other actions, and a shared cache would have none of them."""
    for word in action.argv:
        for part in word.split("="):
            # Labels begin with two slashes.
            absolute = part.startswith("/") and not part.startswith("//")
            asserts.false(env, absolute, "%s has the argument %s" % (action.mnemonic, word))

def _index_impl(ctx):
    env = analysistest.begin(ctx)
    action = _only_action(env, "WeightsIndex")
    asserts.true(env, "good.bin" in _inputs(action), "the weights are read")
    asserts.equals(env, ["rows_index.json"], _outputs(action))
    _no_absolute_path(env, action)
    info = analysistest.target_under_test(env)[WeightsIndexInfo]
    asserts.equals(env, "rows_index.json", info.index.basename)
    asserts.equals(env, "good.bin", info.weights.basename)
    return analysistest.end(env)

_index_test = analysistest.make(_index_impl)

def _export_impl(ctx):
    env = analysistest.begin(ctx)
    action = _only_action(env, "StableHloExport")
    asserts.true(env, "rows_index.json" in _inputs(action), "the index is read")
    _reads_no_weights(env, action)
    _no_absolute_path(env, action)
    asserts.equals(env, ["rows_mlir.constants.irpa", "rows_mlir.contract.json"] + ["rows_mlir%s.mlir" % form for form in [".f16", ".kernels.bytes", ".kernels.f16", ".kernels", ".kernels.wide", ""]], _outputs(action))
    target = analysistest.target_under_test(env)
    asserts.equals(env, "rows", target[StableHloInfo].name)
    asserts.equals(env, "rows_mlir.mlir", target[StableHloInfo].text.basename)
    asserts.equals(env, "rows_mlir.kernels.mlir", target[StableHloInfo].kernels.basename)
    asserts.equals(env, "rows_mlir.f16.mlir", target[StableHloInfo].text_f16.basename)
    asserts.equals(env, "rows_mlir.kernels.f16.mlir", target[StableHloInfo].kernels_f16.basename)
    asserts.equals(env, "rows_mlir.kernels.wide.mlir", target[StableHloInfo].kernels_wide.basename)
    asserts.equals(env, "rows_mlir.kernels.bytes.mlir", target[StableHloInfo].kernels_bytes.basename)
    asserts.equals(env, "rows_mlir.contract.json", target[StableHloInfo].contract.basename)
    asserts.equals(env, "rows_mlir.constants.irpa", target[StableHloInfo].constants.basename)
    asserts.equals(env, ["model"], target[StableHloInfo].scopes)
    for group, file in {
        "constants": "rows_mlir.constants.irpa",
        "contract": "rows_mlir.contract.json",
        "kernels": "rows_mlir.kernels.mlir",
        "mlir": "rows_mlir.mlir",
    }.items():
        asserts.equals(env, [file], [f.basename for f in getattr(target[OutputGroupInfo], group).to_list()], group)
    asserts.equals(env, "rows", target[ModelInfo].name)
    asserts.equals(env, "rows_index.json", target[ModelInfo].index.basename)
    asserts.equals(env, "Model", target[ModelInfo].constructor)
    asserts.true(env, target[ModelInfo].exporter.executable.basename == "rows_exporter", "the exporter")
    asserts.equals(env, "fixture", target[ModelInfo].library.label.name)
    asserts.equals(env, None, target[ModelInfo].graph)
    return analysistest.end(env)

_export_test = analysistest.make(_export_impl)

def _text_impl(ctx):
    """Each text is checked, and a build with an error in one fails."""
    env = analysistest.begin(ctx)
    target = analysistest.target_under_test(env)
    checks = [a for a in analysistest.target_actions(env) if a.mnemonic == "StableHloVerify"]
    asserts.equals(env, 2, len(checks), "texts")
    for action, text in zip(checks, ["rows_mlir.mlir", "rows_mlir.kernels.mlir"]):
        for t in [text, text.replace(".mlir", ".f16.mlir")]:
            asserts.true(env, t in _inputs(action), "StableHloVerify reads " + t)
        for form in ["wide", "bytes"]:
            asserts.equals(env, text == "rows_mlir.kernels.mlir", "rows_mlir.kernels.%s.mlir" % form in _inputs(action))
        asserts.equals(env, [text + ".checked"], _outputs(action))
        _reads_no_weights(env, action)
        _no_absolute_path(env, action)
    outputs = [f for a in checks for f in a.outputs.to_list()]
    asserts.equals(env, outputs, target[OutputGroupInfo]._validation.to_list())
    return analysistest.end(env)

_text_test = analysistest.make(_text_impl)

def _shards_impl(ctx):
    """All files of split weights are read, and exposed in the provider."""
    env = analysistest.begin(ctx)
    files = ["halves-00001-of-00002.safetensors", "halves-00002-of-00002.safetensors"]
    index = [a for a in analysistest.target_actions(env) if a.mnemonic in ["WeightsIndex", "IrpaPack"]]
    asserts.equals(env, 1, len(index))
    for f in files + ["halves.safetensors.index.json"]:
        asserts.true(env, f in _inputs(index[0]), "%s reads %s" % (index[0].mnemonic, f))
    target = analysistest.target_under_test(env)
    if WeightsIndexInfo in target:
        asserts.equals(env, files, [f.basename for f in target[WeightsIndexInfo].shards])
    return analysistest.end(env)

_shards_test = analysistest.make(_shards_impl)

def _far_shard_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.expect_failure(env, "//rules/tests/bad:far_shard: WEIGHTS_SHARD: toolchains/iree/targets.bzl is not in the same folder as ")
    return analysistest.end(env)

_far_shard_test = analysistest.make(_far_shard_impl, expect_failure = True)

def _archive_impl(ctx):
    env = analysistest.begin(ctx)
    pack = _only_action(env, "IrpaPack")
    for f in ["good.bin", "rows_mlir.contract.json", "rows_mlir.constants.irpa"]:
        asserts.true(env, f in _inputs(pack), "IrpaPack reads " + f)
    asserts.false(env, "mlir" in _extensions(_inputs(pack)), "IrpaPack does not read the text")
    asserts.equals(env, ["rows_irpa.irpa"], _outputs(pack))
    verify = _only_action(env, "IrpaVerify")
    for f in ["rows_irpa.irpa", "rows_mlir.contract.json"]:
        asserts.true(env, f in _inputs(verify), "IrpaVerify reads " + f)
    _no_absolute_path(env, pack)
    _no_absolute_path(env, verify)

    # Bazel runs validations of a target and of all that it depends on.
    target = analysistest.target_under_test(env)
    asserts.equals(
        env,
        _outputs(verify) + ["rows_mlir.mlir.checked", "rows_mlir.kernels.mlir.checked"],
        [f.basename for f in target[OutputGroupInfo]._validation.to_list()],
    )
    asserts.equals(env, ["rows_irpa.irpa"], [f.basename for f in target[IrpaInfo].archives.to_list()])
    asserts.equals(env, "model", target[IrpaInfo].scope)
    asserts.equals(env, ["rows_irpa.irpa"], [f.basename for f in target[OutputGroupInfo].irpa.to_list()])
    asserts.equals(env, ["rows_mlir.contract.json"], [f.basename for f in target[OutputGroupInfo].contract.to_list()])
    asserts.equals(env, "rows_mlir.contract.json", target[IrpaInfo].contract.basename)
    return analysistest.end(env)

_archive_test = analysistest.make(_archive_impl)

def _split_impl(ctx):
    """Split archives are declared, written by one action, checked and passed on together."""
    env = analysistest.begin(ctx)
    shards = ["split_irpa-00001-of-00002.irpa", "split_irpa-00002-of-00002.irpa"]
    pack = _only_action(env, "IrpaPack")
    asserts.equals(env, shards, _outputs(pack))
    words = pack.argv
    for flag, want in {"--max-shard-size": "4KiB", "--shards": "2"}.items():
        asserts.equals(env, [want], [words[i + 1] for i in range(len(words)) if words[i] == flag], flag)
    verify = _only_action(env, "IrpaVerify")
    for f in shards:
        asserts.true(env, f in _inputs(verify), "IrpaVerify reads " + f)
    asserts.equals(env, 2, len([w for w in verify.argv if w == "--archive"]))
    _no_absolute_path(env, pack)
    _no_absolute_path(env, verify)
    target = analysistest.target_under_test(env)
    for files in [target[IrpaInfo].archives, target[OutputGroupInfo].irpa, target[DefaultInfo].files]:
        asserts.equals(env, shards, [f.basename for f in files.to_list()])
    return analysistest.end(env)

_split_test = analysistest.make(_split_impl)

# The processors of the table that cannot convert f16, and the interpreter.
_NO_F16 = ["cpu_x86_64_v1", "riscv64", "riscv64_v", "vmvx", "wasm32"]

def _program_impl(ctx):
    env = analysistest.begin(ctx)
    row = ctx.attr.row
    action = _only_action(env, "IreeCompile")
    library = ["h", "o"] if TARGETS[row].static_library else []
    asserts.equals(env, ["rows_vmfb_%s.%s" % (row, end) for end in library + ["vmfb"]], _outputs(action))
    _reads_no_weights(env, action)

    # All inputs: the text, and the files of the compiler and the tool.
    made = [f for f in action.inputs.to_list() if f.owner and f.owner.package == "rules/tests/fixture"]
    text = "rows_mlir%s%s%s.mlir" % (".kernels" if TARGETS[row].kernels else "", ".f16" if row in _NO_F16 else "", ".bytes" if TARGETS[row].bytes else ".wide" if TARGETS[row].wide else "")
    asserts.equals(env, [text], [f.basename for f in made])
    asserts.false(env, "json" in _extensions(_inputs(action)), "neither contract nor index is read")

    # A flag is a separate argument after --flag.
    words = action.argv
    flags = [words[i + 1] for i in range(len(words) - 1) if words[i] == "--flag"]
    asserts.equals(env, TARGETS[row].flags, flags)
    _no_absolute_path(env, action)

    info = analysistest.target_under_test(env)[VmfbInfo]
    asserts.equals(env, "rows_vmfb_%s.vmfb" % row, info.program.basename)
    asserts.equals(env, "rows_mlir.contract.json", info.contract.basename)
    asserts.equals(env, row, info.target)
    asserts.equals(env, TARGETS[row].device, info.device)
    asserts.equals(env, "3.13.0", info.iree_version)
    asserts.equals(env, text, info.text.basename)
    asserts.equals(env, TARGETS[row].kernels, info.kernels)
    asserts.equals(env, "integers" if row in _NO_F16 else "instructions", info.f16)
    asserts.equals(env, TARGETS[row].flags, info.flags)
    asserts.equals(env, ["model"], info.scopes)
    asserts.equals(env, [("model", ["rows_irpa.irpa"])], [(a.scope, [f.basename for f in a.files.to_list()]) for a in info.archives])
    return analysistest.end(env)

_program_test = analysistest.make(_program_impl, attrs = {"row": attr.string(mandatory = True)})

def _run_impl(ctx):
    """A call is an action that reads program, contract, archive and runtime, but no text."""
    env = analysistest.begin(ctx)
    action = _only_action(env, "IreeRun")
    for f in ["rows_vmfb_cpu_x86_64_v3.vmfb", "rows_mlir.contract.json", "rows_irpa.irpa", "iree-run-module"]:
        asserts.true(env, f in _inputs(action), "IreeRun reads " + f)
    asserts.false(env, "mlir" in _extensions(_inputs(action)), "IreeRun does not read the text")
    asserts.equals(env, ["rows_run.txt"], _outputs(action))
    words = action.argv
    asserts.equals(env, "local-task", words[words.index("--device") + 1])
    asserts.true(env, words[words.index("--archive") + 1].startswith("model="))
    asserts.equals(env, "x=1,2", words[-1])
    _no_absolute_path(env, action)
    groups = analysistest.target_under_test(env)[OutputGroupInfo]
    asserts.equals(env, ["rows_run.txt"], [f.basename for f in groups.text.to_list()])
    asserts.equals(env, [], groups.results.to_list())
    return analysistest.end(env)

_run_test = analysistest.make(_run_impl)

def _unknown_target_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.expect_failure(env, "//rules/tests/bad:no_such_target: VMFB_TARGET: unknown target \"cpu_z80\"")
    asserts.expect_failure(env, "use one of " + ", ".join(sorted([row for row in TARGETS if not TARGETS[row].refused])) + ", or your own row")
    return analysistest.end(env)

_unknown_target_test = analysistest.make(_unknown_target_impl, expect_failure = True)

def _resources_impl(ctx):
    """The resources that the documentation gives for model_size; Bazel does not expose those of an action."""
    env = unittest.begin(ctx)
    asserts.equals(env, {
        "large": {"cpu": 2, "memory": 4000},
        "medium": {"cpu": 1, "memory": 500},
        "small": {"cpu": 1, "memory": 250},
    }, {size: RESOURCES[size]("linux", 3) for size in RESOURCES})
    return unittest.end(env)

_resources_test = unittest.make(_resources_impl)

def rules_test_suite(name):
    """Declares the analysis tests of all rules.

    Args:
      name: of the suite.
    """
    _index_test(name = name + "_index", target_under_test = _FIXTURE + "rows_index", size = "small")
    _export_test(name = name + "_export", target_under_test = _FIXTURE + "rows_mlir", size = "small")
    _archive_test(name = name + "_archive", target_under_test = _FIXTURE + "rows_irpa", size = "small")
    _split_test(name = name + "_split", target_under_test = _FIXTURE + "split_irpa", size = "small")
    _text_test(name = name + "_text", target_under_test = _FIXTURE + "rows_mlir", size = "small")
    for kind in ["index", "irpa"]:
        _shards_test(
            name = "%s_shards_%s" % (name, kind),
            target_under_test = "//rules/tests/corpus:safetensors_index_" + kind,
            size = "small",
        )
    _far_shard_test(name = name + "_far_shard", target_under_test = "//rules/tests/bad:far_shard", size = "small")
    programs = []
    for row in [name for name, row in TARGETS.items() if not row.refused]:
        programs.append("%s_program_%s" % (name, row))
        _program_test(
            name = programs[-1],
            row = row,
            size = "small",
            target_under_test = _FIXTURE + "rows_vmfb_" + row,
        )
    _run_test(name = name + "_run", target_under_test = _FIXTURE + "rows_run", size = "small")
    _resources_test(name = name + "_resources", size = "small")
    _unknown_target_test(
        name = name + "_unknown_target",
        size = "small",
        target_under_test = "//rules/tests/bad:no_such_target",
    )
    native.test_suite(
        name = name,
        tests = [
            name + "_" + test
            for test in ["archive", "export", "far_shard", "index", "resources", "run", "shards_index", "shards_irpa", "split", "text", "unknown_target"]
        ] + programs,
    )
