"""Writes runtime.json: nodes with the outputs that ONNX Runtime gives.

    pip install numpy onnx==1.23.2 onnxruntime==1.32.0
    python3 gen_runtime.py > runtime.json

Where "exact" is true the outputs must be equal bit by bit: each formula has one
right operation, order and rounding. Cases of subnormal numbers are marked.
"""
import json
import numpy as np
import onnx
import onnxruntime
from onnx import helper

rng = np.random.default_rng(20)
cases = []


def tensor(x):
    x = np.asarray(x)
    x = x.astype(x.dtype.newbyteorder("<"))
    return {"type": helper.np_dtype_to_tensor_dtype(np.asarray(x).dtype), "dims": list(x.shape), "data": x.tobytes().hex()}


def case(name, op, inputs, outputs=1, exact=True, subnormal=False, **attributes):
    inputs = [np.asarray(x) for x in inputs]
    names = [f"x{i}" for i in range(len(inputs))]
    results = [f"y{i}" for i in range(outputs)]
    graph = helper.make_graph(
        [helper.make_node(op, names, results, **attributes)], "g",
        [helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape) for n, x in zip(names, inputs)],
        [onnx.ValueInfoProto(name=y) for y in results])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    got = session.run(None, dict(zip(names, inputs)))
    cases.append({"name": name, "op": op, "attributes": attributes, "exact": exact, **({"subnormal": True} if subnormal else {}),
                  "inputs": [tensor(x) for x in inputs], "outputs": [tensor(y) for y in got]})


F, INF, NAN = np.float32, np.inf, np.nan

# Scales, zero points and bytes of random vectors, and of those at the limits.
for i in range(24):
    x = (rng.standard_normal(12) * 10 ** rng.uniform(-3, 3)).astype(F)
    case(f"dynamic/{i}", "DynamicQuantizeLinear", [x], 3)
for name, x in {"zeros": [0, 0], "positive": [1, 2, 3], "negative": [-1, -2], "ties": [0.5, 1.5, 2.5, 253.5, 255],
                "one": [7], "infinite": [INF, 1], "overflow": [1e38, 3e38, -3e38]}.items():
    case(f"dynamic/{name}", "DynamicQuantizeLinear", [np.array(x, F)], 3)

ties = np.array([-130, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 126.5, 127.5, 300, INF, -INF], F)
for d in (np.int8, np.uint8, np.int16, np.uint16):
    case(f"quantize/ties/{d.__name__}", "QuantizeLinear", [ties, F(1), d(3)])
    x = (rng.standard_normal((3, 8)) * 20).astype(F)
    scale = rng.uniform(0.05, 0.7, 3).astype(F)
    zero = rng.integers(0, 100, 3).astype(d)
    case(f"quantize/axis/{d.__name__}", "QuantizeLinear", [x, scale, zero], axis=0)
    q = rng.integers(0, 120, (3, 8)).astype(d)
    case(f"dequantize/axis/{d.__name__}", "DequantizeLinear", [q, scale, zero], axis=0)
scale, zero = rng.uniform(0.05, 0.7, (3, 2)).astype(F), rng.integers(0, 100, (3, 2)).astype(np.uint8)
case("quantize/blocks", "QuantizeLinear", [x, scale, zero], axis=1, block_size=4)
case("dequantize/blocks", "DequantizeLinear", [q.astype(np.uint8), scale, zero], axis=1, block_size=4)
for i in range(4):
    a, b = rng.integers(0, 127, (3, 16)).astype(np.uint8), rng.integers(-60, 60, (16, 5)).astype(np.int8)
    case(f"product/{i}", "MatMulInteger", [a, b, np.uint8(7), np.int8(-2)])
    case(f"requantized/{i}", "QLinearMatMul", [a, F(0.0123), np.uint8(7), b, F(0.077), np.int8(-2), F(0.31), np.uint8(120)])

# Sums without their own element, some of which are infinite, NaN or cancel.
for name, x in {"infinity": [INF], "infinities": [1, INF, 2, -INF, 3], "nan": [1, NAN, 3], "overflow": [1, 3e38, 3e38],
                "cancels": [1, 2**30, -2**30, 3], "empty": [], "two rows": [[1, INF, 2], [NAN, 4, 5]]}.items():
    for d in (np.float32, np.float64):
        for reverse in (0, 1):
            if name == "cancels" and d == np.float32:
                continue  # the order of the additions decides
            x = np.array(x, d)
            case(f"sums/{name}/{d.__name__}/{reverse}", "CumSum", [x, np.int64(x.ndim - 1)], exclusive=1, reverse=reverse)
case("sums/integers", "CumSum", [np.array([2**31 - 1, 2**31 - 1, 5], np.int32), np.int32(-1)], exclusive=1)

# Counts of elements. Those of floats are summed step by step there.
I = np.int64
for name, (start, limit, step) in {
        "tenths/f64": (np.float64(0), np.float64(1), np.float64(0.1)), "tenths/f32": (F(0), F(1), F(0.1)),
        "down": (F(1), F(0.3), F(-0.1)), "none": (F(1), F(2), F(-1)), "thirds": (F(0), F(2), F(1 / 3)),
        "beyond 2^53": (I(2**53 + 1), I(2**53 + 5), I(1)), "all of i64": (I(-2**63), I(2**63 - 1), I(2**62)),
        "down by 3": (I(0), I(-10), I(-3)), "i32": (np.int32(-2**31), np.int32(2**31 - 1), np.int32(2**30)),
        "i16": (np.int16(-5), np.int16(6), np.int16(2)), "small steps": (np.float64(1e16), np.float64(1e16 + 8), np.float64(1)),
}.items():
    case(f"range/{name}", "Range", [start, limit, step], exact=not isinstance(start, np.floating))

# Ranges near 0, where the scale underflows or is one of few numbers.
for x in ([1e-44, 0], [-1e-44, 0], [1e-44, -1e-44], [1e-44, -1e-44, 0], [1e-40, 0], [1e-38, -3e-39, 0], [5e-43, 0], [1.8e-43, 0],
          [3e-43, 1e-43, 0], [-5e-43, 2e-43]):
    case(f"dynamic/{x}", "DynamicQuantizeLinear", [np.array(x, F)], 3, subnormal=True)

# Scales and zero points of columns.
for name, shape in {"list": (4,), "row": (1, 4)}.items():
    for point in ((1,), shape):
        a, b = rng.integers(0, 256, (3, 5)).astype(np.uint8), rng.integers(0, 256, (5, 4)).astype(np.uint8)
        scale = rng.uniform(0.01, 0.02, shape).astype(F)
        point = rng.integers(0, 256, point).astype(np.uint8)
        if scale.ndim == point.ndim:
            case(f"product/columns/{name}/{point.size}", "QLinearMatMul", [a, F(0.02), np.uint8(128), b, scale, point, F(0.5), np.uint8(100)])

# Slices backwards, by steps and to ends at the limits.
for start, end, step in ((0, 2**62, -2**63), (5, -2**63, -2**63), (2**63 - 1, -2**63, -1), (1, 4, -1), (4, 1, 2), (0, 2**63 - 1, 2**63 - 1)):
    case(f"slice/{start}:{end}:{step}", "Slice", [np.arange(6, dtype=F), *(np.array([v], I) for v in (start, end)), np.array([0], I), np.array([step], I)])

print("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]")
