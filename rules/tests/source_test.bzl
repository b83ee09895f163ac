"""Tests of what a model is made of: mistakes, and the actions of a file."""

load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
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

def source_test_suite(name):
    """The tests of sources.

    Args:
      name: of the suite.
    """
    _source_test(name = name + "_faults", size = "small")
    native.test_suite(name = name, tests = [name + "_faults"])
