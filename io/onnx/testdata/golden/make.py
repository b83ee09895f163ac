"""Writes the golden files with ONNX's own package: python make.py FOLDER (onnx==1.23.2).

golden.json has for each file what ONNX's package reads from it: the elements of each
tensor as little-endian bytes, in the order of the file, and the types of inputs and
outputs.
"""

import json
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto as T, helper as h, numpy_helper

out = Path(sys.argv[1])

FLOATS = [1.5, -2.0, 0.0, 0.25, 4.0]
NATURALS = [1, 2, 0, 3, 1]


def values(kind):
    name = T.DataType.Name(kind)
    if name == "BOOL":
        return [True, False, True, True, False]
    if name.startswith("UINT"):
        return NATURALS
    if name.startswith("INT"):
        return [1, -2, 0, 1, -1]
    if name.startswith("COMPLEX"):
        return [1 + 2j, -3j, 0, 0.5, -1]
    if name == "FLOAT8E8M0":
        return [1.0, 2.0, 0.5, 4.0, 8.0]
    return FLOATS


def types():
    """Every element type, in raw data and in its typed field, and empty."""
    tensors = []
    for name, kind in T.DataType.items():
        if name in ("UNDEFINED", "STRING"):
            continue
        for raw in (False, True):
            dtype = h.tensor_dtype_to_np_dtype(kind)
            array = np.array(values(kind)).astype(dtype)
            whole = numpy_helper.from_array(array, name.lower() + "_raw")
            assert whole.data_type == kind, name
            if raw:
                tensors.append(whole)
            else:
                tensors.append(h.make_tensor(name.lower() + "_typed", kind, [5], values(kind)))
    tensors.append(h.make_tensor("scalar", T.FLOAT, [], [7.0]))
    tensors.append(h.make_tensor("none", T.INT64, [0], []))
    tensors.append(h.make_tensor("strings", T.STRING, [2], ["a", "käse"]))
    return h.make_model(h.make_graph([], "types", [], [], tensors), producer_name="golden", opset_imports=[h.make_opsetid("", 23)])


GRAPH = """
<ir_version: 10, opset_import: ["": 18, "local": 1], producer_name: "golden", producer_version: "2", metadata_props: ["author": "made up"]>
graphs (float[batch, 2] x, bool flag, int64 trips) => (float[batch, 2] y, float[N, 2] z, float w) <float[2] bias = {1.0, 2.0}> {
  scale = Constant <value = float[2] {3.0, 4.0}> ()
  a = local.twice (x)
  y = If (flag) <
    then_branch = then () => (float[batch, 2] t) <float[2] bias2 = {5.0, 6.0}> {
      scale2 = Constant <value = float[2] {7.0, 8.0}> ()
      s = Add (a, bias2)
      t = Mul (s, scale2)
    },
    else_branch = otherwise () => (float[batch, 2] e) {
      s = Add (a, bias)
      e = Mul (s, scale)
    }
  >
  z = Loop (trips, flag, scale) <
    body = step (int64 i, bool go, float[2] state) => (bool next, float[2] more, float[2] row) {
      next = Identity (go)
      one = Constant <value = float[1] {1.0}> ()
      more = Add (state, one)
      row = Identity (state)
    }
  >
  w = ReduceMax <keepdims = 0> (bias)
}
<domain: "local", opset_import: ["": 18]>
twice (v) => (r) {
  two = Constant <value = float {2.0}> ()
  r = Mul (v, two)
}
"""


def graphs():
    text = GRAPH.replace("z = Loop", "last, z = Loop")
    model = onnx.parser.parse_model(text)
    onnx.checker.check_model(model)
    return model


def external():
    weights = [numpy_helper.from_array(np.arange(n, dtype=d), f"w{n}") for n, d in ((3, np.float32), (4, np.int8), (90, np.int16))]
    return h.make_model(h.make_graph([], "external", [], [], weights), opset_imports=[h.make_opsetid("", 18)])


def stored(model):
    found = []

    def tensor(t):
        if t.data_type == T.STRING:
            return
        array = numpy_helper.to_array(t, str(out))
        found.append([T.DataType.Name(t.data_type).lower(), list(t.dims), numpy_helper.from_array(array).raw_data.hex()])

    def nodes(list):
        for n in list:
            for a in sorted(n.attribute, key=lambda a: a.name):
                if a.type == onnx.AttributeProto.TENSOR:
                    tensor(a.t)
                if a.type == onnx.AttributeProto.GRAPH:
                    graph(a.g)

    def graph(g):
        for t in g.initializer:
            tensor(t)
        nodes(g.node)

    graph(model.graph)
    for f in model.functions:
        nodes(f.node)
    return found


def described(list):
    all = []
    for v in list:
        dims = [d.dim_param or (d.dim_value if d.HasField("dim_value") else "?") for d in v.type.tensor_type.shape.dim]
        all.append([v.name, T.DataType.Name(v.type.tensor_type.elem_type).lower(), dims])
    return all


golden = {}
onnx.save(types(), out / "types.onnx")
onnx.save(graphs(), out / "graphs.onnx")
(out / "external.bin").unlink(missing_ok=True)
onnx.save(external(), out / "external.onnx", save_as_external_data=True, location="external.bin", size_threshold=0)
(out / "external.bin").chmod(0o644)
for name in ("types", "graphs", "external"):
    model = onnx.load(out / (name + ".onnx"), load_external_data=False)
    golden[name] = {
        "tensors": stored(model),
        "inputs": described(model.graph.input),
        "outputs": described(model.graph.output),
        "opsets": {o.domain: o.version for o in model.opset_import},
        "metadata": {p.key: p.value for p in model.metadata_props} or None,
        "producer": model.producer_name,
    }
(out / "golden.json").write_text(json.dumps(golden, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
