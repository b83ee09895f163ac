"""Writes newest.json: models of one node of the newest operators, as operators.json has them. The outputs are ONNX
Runtime's where it has the operator, and otherwise those of ONNX's reference evaluator.

    pip install numpy onnx==1.23.2 onnxruntime==1.32.0
    python3 gen_newest.py > newest.json
"""
import base64
import json

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator

rng = np.random.default_rng(28)
F, H, N = np.float32, np.float16, np.int32
MS = "com.microsoft"
cases = []


def tensor(x):
    x = np.asarray(x)
    return {"type": helper.np_dtype_to_tensor_dtype(x.dtype), "dims": list(x.shape), "data": np.ascontiguousarray(x).tobytes().hex()}


def case(name, op, sizes, *calls, inputs=None, outputs=1, domain="", weights=None, version=28, **attributes):
    """sizes gives those of the model's inputs, in the node's order unless inputs does, and a call their values."""
    results = [f"y{i}" for i in range(outputs)]
    graph = helper.make_graph(
        [helper.make_node(op, inputs or list(sizes), results, domain=domain, **attributes)], "g",
        [helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(np.asarray(calls[0][n]).dtype), s) for n, s in sizes.items()],
        [onnx.ValueInfoProto(name=y) for y in results], [numpy_helper.from_array(v, k) for k, v in (weights or {}).items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", version)] + [helper.make_opsetid(domain, 1)] * bool(domain), ir_version=10, producer_name="")
    data = model.SerializeToString()
    try:
        oracle = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])
        oracle.run(None, calls[0])
    except Exception:
        oracle = ReferenceEvaluator(model)
    recorded = []
    for feed in calls:
        got = dict(zip(results, oracle.run(None, feed)))
        recorded.append({"inputs": {k: tensor(v) for k, v in feed.items()}, "outputs": {k: tensor(v) for k, v in got.items()}})
    cases.append({"name": f"newest/{name}", "oracle": type(oracle).__name__, "model": base64.b64encode(data).decode(), "calls": recorded})


def x(*dims, d=F):
    return rng.standard_normal(dims).astype(d)


# Two heads of keys of 4 elements, with values of 3; queries in groups.
for domain in "", MS:
    for rule, queries, rates, d in ("linear", 2, 2, F), ("gated", 4, 2, F), ("delta", 2, 1, F), ("gated_delta", 4, 2, F), ("gated_delta", 2, 2, H):
        sizes = {"q": ["batch", "seq", queries * 4], "k": ["batch", "seq", 8], "v": ["batch", "seq", 6], "past": ["batch", 2, 4, 3]}
        if "gated" in rule:
            sizes["decay"] = ["batch", "seq", 8 if queries == 2 else 2]
        if "delta" in rule:
            sizes["beta"] = ["batch", "seq", rates]
        calls = []
        for b, t in (1, 3), (2, 1):
            feed = {n: x(*[{"batch": b, "seq": t}.get(i, i) for i in s], d=d) for n, s in sizes.items()}
            for n in {"decay", "beta"} & set(sizes):
                feed[n] = (-abs(feed[n]) if n == "decay" else 1 / (1 + np.exp(-feed[n]))).astype(d)
            calls.append(feed)
        inputs = ["q", "k", "v", "past", "decay" if "gated" in rule else "", "beta" if "delta" in rule else ""]
        while not inputs[-1]:
            inputs.pop()
        scale = {"scale": 0.3} if rule == "delta" else {}
        case(f"linearattention/{domain}{rule}{d.__name__}", "LinearAttention", sizes, *calls, inputs=inputs, outputs=2, domain=domain, update_rule=rule, q_num_heads=queries, kv_num_heads=2, **scale)
    for name, size, activation in ("plain", 1, "none"), ("silu", 4, "silu"):
        sizes = {"x": ["batch", 3, "n"], "w": [3, 1, size]} | ({"b": [3], "past": ["batch", 3, size - 1]} if size > 1 else {})
        calls = [{n: x(*[{"batch": b, "n": l}.get(i, i) for i in s]) for n, s in sizes.items()} for b, l in ((1, 5), (2, 1))]
        case(f"causalconv/{domain}{name}", "CausalConvWithState", sizes, *calls, outputs=2, domain=domain, activation=activation)
case("linearattention/fresh", "LinearAttention", {"q": ["batch", 60, 4], "k": ["batch", 60, 4], "v": ["batch", 60, 2]}, {"q": x(2, 60, 4), "k": x(2, 60, 4), "v": x(2, 60, 2)}, outputs=2,
     update_rule="linear", q_num_heads=1, kv_num_heads=1)
case("swiglu", "SwiGLU", {"a": ["n", 5], "b": ["n", 5]}, {"a": x(1, 5), "b": x(1, 5)}, {"a": x(3, 5), "b": x(3, 5)}, alpha=1.7)
case("range/half", "Range", {}, {}, inputs=["start", "limit", "step"], weights={"start": np.array(2040, H), "limit": np.array(2060, H), "step": np.array(1, H)}, version=27)
blocks = {"x": ["n", 3, 4, 6]}
for mode in "DCR", "CRD":
    case(f"spacetodepth/{mode}", "SpaceToDepth", blocks, {"x": x(1, 3, 4, 6)}, {"x": x(2, 3, 4, 6)}, mode=mode, blocksize=2)
inf = np.inf
pairs = np.array([[5.5, 3], [-5.5, 3], [5.5, -3], [-5.5, -3], [6, 3], [-6, 3], [6, -3], [1, inf], [-1, inf], [1, -inf], [-1, -inf], [0, -2], [inf, 2], [3, 0], [np.nan, 1], [1, np.nan]], F).T
case("mod/float", "Mod", {"a": ["n"], "b": ["n"]}, {"a": pairs[0], "b": pairs[1]}, {"a": x(40), "b": x(40)})
case("bitshift/signed", "BitShift", {"a": ["n"], "b": ["n"]}, {"a": np.array([-9, 9, -1, 1 << 30], N), "b": np.array([1, 2, 5, 3], N)}, direction="RIGHT")
case("celu/double", "Celu", {"x": ["n"]}, {"x": x(6, d=np.float64)}, alpha=1.5)

print("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]")
