"""Tests what a program and its siblings declare: output groups, scripts, runfiles."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("//rules:cc.bzl", "iree_c_embed")
load("//rules:defs.bzl", "VmfbInfo", "iree_go_embed")

_FIXTURE = "//rules/tests/fixture:"
_PROGRAM = "rows_vmfb_cpu_x86_64_v3"

def _action(env, mnemonic):
    found = [a for a in analysistest.target_actions(env) if a.mnemonic == mnemonic]
    asserts.equals(env, 1, len(found), "actions %s" % mnemonic)
    return found[0]

def _names(files):
    return sorted([f.basename for f in files.to_list()])

def _value(argv, flag):
    return [argv[i + 1] for i in range(len(argv) - 1) if argv[i] == flag]

def _no_absolute_path(env, action):
    for word in action.argv or []:
        for part in word.split("="):
            asserts.false(env, part.startswith("/") and not part.startswith("//"), "%s has the argument %s" % (action.mnemonic, word))

def _groups_impl(ctx):
    """Each output group has its files, and expensive ones come from separate actions."""
    env = analysistest.begin(ctx)
    target = analysistest.target_under_test(env)
    groups = target[OutputGroupInfo]
    asserts.equals(env, [_PROGRAM + ".vmfb"], _names(target[DefaultInfo].files), "no group is built that is not asked for")
    for group, want in {
        "asm": [_PROGRAM + ".asm.tar"],
        "contract": ["rows_mlir.contract.json"],
        "dispatches": [_PROGRAM + ".dispatches.dot", _PROGRAM + ".dispatches.mlir"],
        "irpa": ["rows_irpa.irpa"],
        "mlir": ["rows_mlir.kernels.mlir"],
        "sizes": [_PROGRAM + ".sizes.json"],
        "vmfb": [_PROGRAM + ".vmfb"],
    }.items():
        asserts.equals(env, want, _names(getattr(groups, group)), group)
    flags = target[VmfbInfo].flags
    for mnemonic in ["IreeDispatches", "IreeAsm"]:
        action = _action(env, mnemonic)
        asserts.equals(env, flags, _value(action.argv, "--flag"), mnemonic)
        asserts.false(env, "rows_irpa.irpa" in _names(action.inputs), mnemonic + " reads no weights")
        _no_absolute_path(env, action)
    sizes = _action(env, "IreeSizes")
    for f in [_PROGRAM + ".vmfb", "rows_mlir.kernels.mlir", "rows_irpa.irpa"]:
        asserts.true(env, f in _names(sizes.inputs), "IreeSizes reads " + f)
    _no_absolute_path(env, sizes)

    # The archive was packed for this contract, and checked then: no second check.
    asserts.equals(env, [], [a for a in analysistest.target_actions(env) if a.mnemonic == "IreeContract"])
    return analysistest.end(env)

_groups_test = analysistest.make(_groups_impl)

def _meeting_impl(ctx):
    """If archive and program are from different exports, they are compared."""
    env = analysistest.begin(ctx)
    action = _action(env, "IreeContract")
    for f in ["rows_irpa.irpa", "rows_mlir.contract.json", "longer_mlir.contract.json"]:
        asserts.true(env, f in _names(action.inputs), "IreeContract reads " + f)
    asserts.equals(env, ["model"], _value(action.argv, "--archive-scope"))
    asserts.equals(env, ["rows_irpa.irpa"], [f.rpartition("/")[2] for f in _value(action.argv, "--archive-file")])
    packed = _value(action.argv, "--archive-contract")
    asserts.equals(env, ["rows_mlir.contract.json"], [f.rpartition("/")[2] for f in packed], "with the contract that it was packed for")
    validation = analysistest.target_under_test(env)[OutputGroupInfo]._validation
    asserts.true(env, "other_weights.archives.checked" in _names(validation), "a build fails where they do not fit")
    _no_absolute_path(env, action)
    return analysistest.end(env)

_meeting_test = analysistest.make(_meeting_impl)

def _embedded_impl(ctx):
    """With other weights than the program's, embedding requires the check that they fit."""
    env = analysistest.begin(ctx)
    check = _action(env, "IreeContract")
    for f in ["rows_irpa.irpa", "rows_mlir.contract.json", "longer_mlir.contract.json"]:
        asserts.true(env, f in _names(check.inputs), "IreeContract reads " + f)
    checked = _names(check.outputs)[0]
    asserts.true(env, checked in _names(_action(env, "IreeEmbed").inputs), "IreeEmbed needs " + checked)
    return analysistest.end(env)

_embedded_test = analysistest.make(_embedded_impl)

def _script(env):
    found = [a for a in analysistest.target_actions(env) if a.mnemonic == "FileWrite" and [f for f in a.outputs.to_list() if f.extension == "sh"]]
    asserts.equals(env, 1, len(found), "scripts")
    return found[0].content

def _runs_impl(ctx):
    """A runnable target has a script with the expected words, and its files."""
    env = analysistest.begin(ctx)
    target = analysistest.target_under_test(env)
    script = _script(env)
    for word in ctx.attr.words:
        asserts.true(env, word in script, "%r is in %s" % (word, script))
    asserts.false(env, "bazel-out" in script, "no path of an execution root")
    asserts.true(env, target[DefaultInfo].files_to_run.executable != None)
    have = _names(target[DefaultInfo].default_runfiles.files)
    for f in ctx.attr.needs:
        asserts.true(env, f in have, "%s is among the runfiles" % f)
    for f in ctx.attr.lacks:
        asserts.false(env, f in have, "%s is not among the runfiles" % f)
    asserts.equals(env, ctx.attr.environment, target[RunEnvironmentInfo].environment if ctx.attr.environment else {})
    return analysistest.end(env)

_runs_test = analysistest.make(_runs_impl, attrs = {
    "environment": attr.string_dict(),
    "lacks": attr.string_list(),
    "needs": attr.string_list(),
    "words": attr.string_list(),
})

def _data_impl(ctx):
    """As data of another program a program is only its file."""
    env = analysistest.begin(ctx)
    target = analysistest.target_under_test(env)
    asserts.equals(env, [_PROGRAM + ".vmfb"], _names(target[DefaultInfo].data_runfiles.files))
    return analysistest.end(env)

_data_test = analysistest.make(_data_impl)

def _tar_impl(ctx):
    env = analysistest.begin(ctx)
    action = _action(env, "ModelTar")
    asserts.equals(env, ["bundle.tar"], _names(action.outputs))
    for f in [_PROGRAM + ".vmfb", "rows_mlir.contract.json", "rows_irpa.irpa", "runner.txt"]:
        asserts.true(env, f in _names(action.inputs), "ModelTar reads " + f)
    asserts.equals(env, ["rows"], _value(action.argv, "--name"))
    asserts.equals(env, ["cpu_x86_64_v3"], _value(action.argv, "--target"))
    asserts.equals(env, ["local-task"], _value(action.argv, "--device"))
    asserts.true(env, _value(action.argv, "--runner")[0].endswith("runner.txt"))
    _no_absolute_path(env, action)
    return analysistest.end(env)

_tar_test = analysistest.make(_tar_impl)

def _alone_impl(ctx):
    """A program is built without the runtime and the tool that call it."""
    env = analysistest.begin(ctx)
    target = analysistest.target_under_test(env)
    script = target[DefaultInfo].files_to_run.executable
    asserts.equals(env, [script], target[DefaultInfo].default_runfiles.files.to_list())
    asserts.true(env, ctx.attr.says in _script(env), _script(env))
    for action in analysistest.target_actions(env):
        for f in action.inputs.to_list():
            for runtime in ["iree-run-module", "libireert", "rules/tools/run/"]:
                asserts.false(env, runtime in f.path, "%s reads %s" % (action.mnemonic, f.path))
    return analysistest.end(env)

_alone_test = analysistest.make(_alone_impl, attrs = {"says": attr.string(mandatory = True)})

def siblings_test_suite(name):
    """Declares the analysis tests of programs and their siblings.

    Args:
      name: of the suite.
    """
    _groups_test(name = name + "_groups", target_under_test = _FIXTURE + _PROGRAM, size = "small")
    _data_test(name = name + "_data", target_under_test = _FIXTURE + _PROGRAM, size = "small")
    _meeting_test(name = name + "_meeting", target_under_test = "//rules/tests/bad:other_weights", size = "small")
    other = {"archive": _FIXTURE + "rows_irpa", "program": "//rules/tests/bad:other_weights", "tags": ["manual"]}
    iree_c_embed(name = name + "_other_c", **other)
    iree_go_embed(name = name + "_other_go", importpath = "github.com/skainet-dev/skainet-go/rules/tests/other", **other)
    for kind in ["c", "go"]:
        _embedded_test(name = name + "_embedded_" + kind, target_under_test = "%s_other_%s_files" % (name, kind), size = "small")
    _alone_test(
        name = name + "_alone",
        says = _PROGRAM + ": PROGRAM_RUN: this target is the program alone, built without what calls it; run //rules/tests/fixture:rows_run_cpu_x86_64_v3 instead",
        size = "small",
        target_under_test = _FIXTURE + _PROGRAM,
    )
    _alone_test(
        name = name + "_alone_unnamed",
        says = "PROGRAM_RUN: this target is the program alone, built without what calls it; run a model_run with programs = [\"//rules/tests/fixture:long_flag\"] instead",
        size = "small",
        target_under_test = _FIXTURE + "long_flag",
    )
    _tar_test(name = name + "_tar", target_under_test = _FIXTURE + "bundle", size = "small")
    _runs_test(
        name = name + "_run",
        size = "small",
        environment = {"SKAINET_TEST": "1"},
        needs = ["with_env.sh", _PROGRAM + ".vmfb", "rows_mlir.contract.json", "rows_irpa.irpa", "run", "iree-run-module"],
        target_under_test = _FIXTURE + "with_env",
        words = [
            "'run'",
            "'--device=local-task'",
            "'--archive=model='\"$root\"'/rules/tests/fixture/rows_irpa.irpa'",
            "'--contract='\"$root\"'/rules/tests/fixture/rows_mlir.contract.json'",
        ],
    )

    # Of the programs for this processor's architecture, the best is called.
    _runs_test(
        name = name + "_best",
        size = "small",
        lacks = ["rows_vmfb_aarch64.vmfb"],
        needs = [_PROGRAM + ".vmfb", "rows_vmfb_cpu_x86_64_v4.vmfb", "rows_irpa.irpa", "run"],
        target_under_test = _FIXTURE + "rows.run",
        words = ["fixture/rows_vmfb_cpu_x86_64_v3.vmfb' '--alternative='", "fixture/rows_vmfb_cpu_x86_64_v4.vmfb' '--alternative='", "fixture/rows_vmfb_cpu_x86_64_v4_vnni.vmfb' '--contract='"],
    )
    _runs_test(
        name = name + "_bench",
        size = "small",
        needs = [_PROGRAM + ".vmfb", "rows_irpa.irpa", "run", "iree-benchmark-module", "iree-profile"],
        target_under_test = _FIXTURE + "rows.bench",
        words = ["'bench'", "'--library='", "'--archive=model='", "'--iree-benchmark-module='", "'--iree-profile='"],
    )
    _runs_test(
        name = name + "_size",
        size = "small",
        lacks = [_PROGRAM + ".vmfb"],
        needs = [_PROGRAM + ".sizes.json", "artifact"],
        target_under_test = _FIXTURE + "rows.size_test",
        words = ["'limits'", "'--label=//rules/tests/fixture:rows.size_test'", "'program=40000'", "'text=4000'"],
    )
    _runs_test(
        name = name + "_parity",
        size = "small",
        lacks = ["iree-compile"],
        needs = [_PROGRAM + ".vmfb", "rows_irpa.irpa", "rows_index.json", "iree-run-module"],
        target_under_test = _FIXTURE + "rows_parity_cpu_x86_64_v3_test",
        words = ["'--index='", "'--layer-diff=//rules/tests/fixture:rows_layer_diff_cpu_x86_64_v3'"],
    )
    _runs_test(
        name = name + "_layer_diff",
        size = "small",
        needs = [_PROGRAM + ".vmfb", "rows_irpa.irpa", "rows_index.json", "iree-compile", "iree-lld"],
        target_under_test = _FIXTURE + "rows_layer_diff_cpu_x86_64_v3",
        words = ["'--bisect'", "'--kernels'", "'--compiler='", "'--flag=--iree-llvmcpu-target-cpu=x86-64-v3'"],
    )
    native.test_suite(
        name = name,
        tests = [name + "_" + test for test in ["alone", "alone_unnamed", "bench", "best", "data", "embedded_c", "embedded_go", "groups", "layer_diff", "meeting", "parity", "run", "size", "tar"]],
    )
