"""Tests of what a model is made of: mistakes, and the actions of a file."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts", "unittest")
load("//rules:defs.bzl", "ModelInfo", "WeightsIndexInfo")
load("//rules/private:iree_parity_test.bzl", "cases_of_files")
load("//rules/private:model_source.bzl", "given_source", "source_faults")

_SOURCES = {"gguf": None, "graph": None, "model": None, "onnx": None, "stablehlo": None}

def _faults(source, **kwargs):
    return source_faults(**({"cases": None, "constructor": None, "imports": {"cut": [], "shapes": {}}, "recorded": {}, "source": source, "weights": None} | kwargs))

def _source_impl(ctx):
    env = unittest.begin(ctx)
    for name in _SOURCES:
        asserts.equals(env, struct(name = name, fault = None), given_source(_SOURCES | {name: "//x"}))
        asserts.equals(env, None, _faults(name))
        asserts.equals(env, None, _faults(name, recorded = {"jfk": ["jfk.npz"]}))
    asserts.equals(
        env,
        "MODEL_ARGUMENTS: no model is given; set model to the go_library with the constructor, or one of onnx, stablehlo, gguf or graph to a file",
        given_source(_SOURCES).fault,
    )
    asserts.equals(
        env,
        "MODEL_ARGUMENTS: model and onnx are both given; a model comes from one of them: leave the other out",
        given_source({"model": ":lib", "onnx": "x.onnx"}).fault,
    )
    for source in ["graph", "model"]:
        asserts.equals(env, None, _faults(source, weights = "//w"))
        asserts.equals(
            env,
            "MODEL_ARGUMENTS: shapes is for a file that is imported, and the model is %s; leave it out, or give one of onnx, stablehlo, gguf" % source,
            _faults(source, imports = {"shapes": {"x": "1,2"}}),
        )
    for source in ["gguf", "onnx", "stablehlo"]:
        asserts.equals(env, None, _faults(source, imports = {"shapes": {"x": "1,2"}}))
        asserts.equals(env, "MODEL_ARGUMENTS: weights is given beside %s, whose file holds its own; leave it out" % source, _faults(source, weights = "//w"))
    asserts.equals(env, "MODEL_ARGUMENTS: constructor is of a go_library, and the model is onnx; leave it out", _faults("onnx", constructor = "Model"))
    asserts.equals(
        env,
        "MODEL_ARGUMENTS: parity_cases is a function of a go_library, and the model is graph; use parity_recorded, or parity_inputs and parity_sizes",
        _faults("graph", cases = "Cases"),
    )
    asserts.true(env, _faults("model", constructor = "model").startswith("MODEL_CONSTRUCTOR: "))
    asserts.equals(
        env,
        "MODEL_PARITY: parity_recorded gives \"jfk.npz\" for the case \"jfk\"; write a list of files: parity_recorded = {\"jfk\": [\"jfk.npz\"]}",
        _faults("onnx", recorded = {"jfk": "jfk.npz"}),
    )
    for case in ["", "a,b", "a=b"]:
        asserts.equals(
            env,
            "MODEL_PARITY: the recorded case %r has no name that --only takes; use no comma and no equals sign" % case,
            _faults("onnx", recorded = {case: ["x.npz"]}),
        )
    asserts.equals(env, {"a.npz": "one,two", "b.npz": "two"}, cases_of_files({"one": ["a.npz"], "two": ["a.npz", "b.npz"]}))
    return unittest.end(env)

_source_test = unittest.make(_source_impl)

_ONNX = "//rules/tests/onnx:"

def _names(files):
    return sorted([f.basename for f in files.to_list()])

def _action(env, mnemonic):
    found = [a for a in analysistest.target_actions(env) if a.mnemonic == mnemonic]
    asserts.equals(env, 1, len(found), "actions %s" % mnemonic)
    return found[0]

def _values(argv, flag):
    return [argv[i + 1] for i in range(len(argv) - 1) if argv[i] == flag]

def _import_impl(ctx):
    """One action reads the file and those of its external data."""
    env = analysistest.begin(ctx)
    action = _action(env, "ImportGraph")
    for f in ctx.attr.reads:
        asserts.true(env, f in _names(action.inputs), "ImportGraph reads " + f)
    asserts.equals(env, [ctx.attr.prefix + ".graph.json", ctx.attr.prefix + "_index.json"], _names(action.outputs))
    for flag, values in ctx.attr.flags.items():
        asserts.equals(env, values, _values(action.argv, flag), flag)
    info = analysistest.target_under_test(env)[WeightsIndexInfo]
    asserts.equals(env, ctx.attr.prefix + "_index.json", info.index.basename)
    asserts.equals(env, ctx.attr.reads[0], info.weights.basename)
    asserts.equals(env, ctx.attr.reads[1:], [f.basename for f in info.shards])
    return analysistest.end(env)

_import_test = analysistest.make(_import_impl, attrs = {
    "flags": attr.string_list_dict(),
    "prefix": attr.string(),
    "reads": attr.string_list(),
})

def _export_impl(ctx):
    """What follows reads graph and index, and never the file; no program is made for the model."""
    env = analysistest.begin(ctx)
    export = _action(env, "StableHloExport")
    read = _names(export.inputs)
    for f in ["conv.graph.json", "conv_index.json"]:
        asserts.true(env, f in read, "StableHloExport reads " + f)
    asserts.false(env, "conv.onnx" in read, "StableHloExport reads the weights")
    target = analysistest.target_under_test(env)
    asserts.equals(env, "exportgraph", target[ModelInfo].exporter.executable.basename)
    asserts.equals(env, "conv.graph.json", target[ModelInfo].graph.basename)
    asserts.equals(env, None, target[ModelInfo].library)
    return analysistest.end(env)

_export_test = analysistest.make(_export_impl)

def _parity_impl(ctx):
    env = analysistest.begin(ctx)
    scripts = [a.content for a in analysistest.target_actions(env) if a.mnemonic == "FileWrite" and [f for f in a.outputs.to_list() if f.extension == "sh"]]
    for word in ctx.attr.words:
        asserts.true(env, word in scripts[0], "%r is in %s" % (word, scripts[0]))
    have = _names(analysistest.target_under_test(env)[DefaultInfo].default_runfiles.files)
    for f in ctx.attr.needs:
        asserts.true(env, f in have, "%s is among the runfiles" % f)
    asserts.false(env, "encoder.onnx" in have, "the weights come from the archive")
    return analysistest.end(env)

_parity_test = analysistest.make(_parity_impl, attrs = {"needs": attr.string_list(), "words": attr.string_list()})

def source_test_suite(name):
    """The tests of sources.

    Args:
      name: of the suite.
    """
    _source_test(name = name + "_faults", size = "small")
    _import_test(
        name = name + "_import",
        size = "small",
        flags = {
            "--fix": ["rate=8000"],
            "--format": ["onnx"],
            "--name": ["detector"],
            "--shape": [],
            "--state": ["next_state=state"],
        },
        prefix = "detector",
        reads = ["detector.onnx"],
        target_under_test = _ONNX + "detector_graph",
    )
    _import_test(
        name = name + "_external",
        size = "small",
        flags = {"--name": ["conv"]},
        prefix = "outside",
        reads = ["conv_outside.onnx", "conv_outside.data"],
        target_under_test = _ONNX + "outside_graph",
    )
    _export_test(name = name + "_export", size = "small", target_under_test = _ONNX + "conv_mlir")
    needs = ["encoder.graph.json", "encoder_case.npz", "encoder_index.json", "encoder_irpa.irpa", "encoder_vmfb_cpu.vmfb", "paritygraph", "vector.npy"]
    words = [
        "'--graph='\"$root\"'/rules/tests/onnx/encoder.graph.json'",
        "'--input=input_ids=0..49'",
        "'--recorded=texts='\"$root\"'/rules/tests/onnx/encoder_case.npz'",
        "'--recorded=texts='\"$root\"'/rules/tests/onnx/vector.npy'",
        "'--sizes=batch=2,seq=9'",
    ]
    for target in ["parity_cpu_test", "layer_diff_cpu"]:
        _parity_test(
            name = "%s_%s" % (name, target),
            size = "small",
            needs = needs,
            target_under_test = _ONNX + "encoder_" + target,
            words = words,
        )
    native.test_suite(
        name = name,
        tests = [name + "_" + test for test in ["faults", "import", "external", "export", "parity_cpu_test", "layer_diff_cpu"]],
    )
