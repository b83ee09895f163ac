"""Writes operators.json: models of one node whose sizes have names, as models.json has
them, with the outputs that ONNX Runtime gives for calls of several sizes.

    pip install numpy onnx==1.23.2 onnxruntime==1.32.0
    python3 gen_operators.py > operators.json
"""
import base64
import json

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper

rng = np.random.default_rng(23)
F, U, S, N, I = np.float32, np.uint8, np.int8, np.int32, np.int64
MS = "com.microsoft"
cases = []


def tensor(x):
    x = np.asarray(x)
    return {"type": helper.np_dtype_to_tensor_dtype(x.dtype), "dims": list(x.shape), "data": np.ascontiguousarray(x).tobytes().hex()}


def case(name, op, inputs, sizes, *calls, outputs=1, domain="", weights=None, version=23, **attributes):
    """Inputs are names in the node's order; sizes gives those of the model's inputs, and a call their values."""
    weights = weights or {}
    results = [f"y{i}" for i in range(outputs)] if isinstance(outputs, int) else outputs
    feeds = calls[0]
    graph = helper.make_graph(
        [helper.make_node(op, inputs, results, domain=domain, **attributes)], "g",
        [helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(np.asarray(feeds[n]).dtype), s) for n, s in sizes.items()],
        [onnx.ValueInfoProto(name=y) for y in results if y], [numpy_helper.from_array(np.asarray(v), k) for k, v in weights.items()])
    imports = [helper.make_opsetid("", version)] + ([helper.make_opsetid(domain, 1 if domain == MS else 3)] if domain else [])
    data = helper.make_model(graph, opset_imports=imports, ir_version=10, producer_name="").SerializeToString()
    session = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])
    recorded = []
    for feed in calls:
        feed = {k: np.asarray(v) for k, v in feed.items()}
        got = dict(zip([o.name for o in session.get_outputs()], session.run(None, feed)))
        recorded.append({"inputs": {k: tensor(v) for k, v in feed.items()}, "outputs": {k: tensor(v) for k, v in got.items()}})
    cases.append({"name": f"operators/{name}", "model": base64.b64encode(data).decode(), "calls": recorded})


def x(*dims):
    return rng.standard_normal(dims).astype(F)


def u8(*dims):
    return rng.integers(0, 256, dims).astype(U)


def s8(*dims):
    return rng.integers(-60, 61, dims).astype(S)


def recurrent(op, gates, D):
    return {"w": x(D, gates * 3, 2), "r": x(D, gates * 3, 3), "b": x(D, gates * 6)}


case("lstm", "LSTM", ["x", "w", "r", "b"], {"x": ["seq", "batch", 2]}, {"x": x(3, 2, 2)}, {"x": x(12, 1, 2)}, outputs=3, weights=recurrent("LSTM", 4, 2), hidden_size=3, direction="bidirectional")
case("gru", "GRU", ["x", "w", "r", "b", "l"], {"x": ["seq", "batch", 2], "l": ["batch"]}, {"x": x(4, 2, 2), "l": np.array([4, 2], N)}, {"x": x(10, 1, 2), "l": np.array([7], N)}, outputs=2,
     weights=recurrent("GRU", 3, 1), hidden_size=3, direction="reverse")
case("dynamiclstm", "DynamicQuantizeLSTM", ["x", "w", "r", "b", "", "", "", "", "ws", "wz", "rs", "rz"], {"x": ["seq", 1, 2]}, {"x": x(3, 1, 2)}, {"x": x(9, 1, 2)}, outputs=3, domain=MS, hidden_size=3,
     weights={"w": s8(1, 2, 12), "r": s8(1, 3, 12), "b": x(1, 24), "ws": np.array([0.01], F), "wz": np.zeros(1, S), "rs": np.array([0.02], F), "rz": np.zeros(1, S)})
case("skiplayernorm", "SkipLayerNormalization", ["x", "s", "g", "b"], {"x": ["batch", "seq", 8], "s": ["batch", "seq", 8]}, {"x": x(1, 3, 8), "s": x(1, 3, 8)}, {"x": x(2, 4, 8), "s": x(2, 4, 8)},
     outputs=["y0", "", "", "y3"], domain=MS, weights={"g": x(8), "b": x(8)})
case("attention", "Attention", ["x", "w", "b", "m"], {"x": ["batch", "seq", 8], "m": ["batch", "seq"]}, {"x": x(1, 3, 8), "m": np.ones((1, 3), N)}, {"x": x(2, 4, 8), "m": np.array([[1, 1, 1, 0], [0, 1, 1, 1]], N)},
     domain=MS, weights={"w": x(8, 24), "b": x(24)}, num_heads=2)
case("multihead", "MultiHeadAttention", ["q", "k", "v", "b", "", "", "pk", "pv"], {"q": ["batch", "seq", 8], "k": ["batch", "seq", 8], "v": ["batch", "seq", 8], "pk": ["batch", 2, "past", 4], "pv": ["batch", 2, "past", 4]},
     *({"q": x(b, s, 8), "k": x(b, s, 8), "v": x(b, s, 8), "pk": x(b, 2, p, 4), "pv": x(b, 2, p, 4)} for b, s, p in ((1, 3, 2), (2, 1, 4))), outputs=3, domain=MS, weights={"b": x(24)}, num_heads=2, unidirectional=1)
case("groupquery", "GroupQueryAttention", ["q", "k", "v", "pk", "pv", "l", "t", "cos", "sin"],
     {"q": ["batch", "seq", 32], "k": ["batch", "seq", 16], "v": ["batch", "seq", 16], "pk": ["batch", 1, "past", 16], "pv": ["batch", 1, "past", 16], "l": ["batch"], "t": []},
     *({"q": x(1, s, 32), "k": x(1, s, 16), "v": x(1, s, 16), "pk": x(1, 1, p, 16), "pv": x(1, 1, p, 16), "l": np.array([p + s - 1], N), "t": N(p + s)} for s, p in ((2, 3), (1, 4))), outputs=3, domain=MS,
     weights={"cos": x(8, 8), "sin": x(8, 8)}, num_heads=2, kv_num_heads=1, do_rotary=1, local_window_size=4)
case("rotary", "RotaryEmbedding", ["x", "p", "cos", "sin"], {"x": ["batch", "seq", 8], "p": ["batch", "seq"]}, {"x": x(1, 3, 8), "p": np.array([[0, 2, 1]], I)}, {"x": x(2, 1, 8), "p": np.array([[3], [2]], I)}, domain=MS,
     weights={"cos": x(6, 2), "sin": x(6, 2)}, num_heads=2)
case("attention23", "Attention", ["q", "k", "v", "", "pk", "pv"], {"q": ["batch", "seq", 8], "k": ["batch", "seq", 4], "v": ["batch", "seq", 4], "pk": ["batch", 1, "past", 4], "pv": ["batch", 1, "past", 4]},
     *({"q": x(b, s, 8), "k": x(b, s, 4), "v": x(b, s, 4), "pk": x(b, 1, p, 4), "pv": x(b, 1, p, 4)} for b, s, p in ((1, 3, 2), (2, 1, 4))), outputs=3, q_num_heads=2, kv_num_heads=1, is_causal=1)
K, rows, block = 40, 6, 16
for bits in 4, 8:
    case(f"nbits/{bits}", "MatMulNBits", ["x", "w", "s"], {"x": ["batch", "seq", K]}, {"x": x(1, 3, K)}, {"x": x(2, 1, K)}, domain=MS, K=K, N=rows, bits=bits, block_size=block,
         weights={"w": u8(rows, 3, block * bits // 8), "s": rng.uniform(0.01, 0.1, rows * 3).astype(F)})
case("convinteger", "ConvInteger", ["x", "w", "z"], {"x": ["batch", 70, "n"]}, {"x": u8(1, 70, 6)}, {"x": u8(2, 70, 9)}, weights={"w": s8(3, 70, 4), "z": U(120)}, pads=[2, 1], strides=[2])
case("qlinearconv", "QLinearConv", ["x", "xs", "xz", "w", "ws", "wz", "ys", "yz", "b"], {"x": ["batch", 3, "n"]}, {"x": u8(1, 3, 6)}, {"x": u8(2, 3, 9)},
     weights={"xs": F(0.02), "xz": U(120), "w": s8(4, 3, 3), "ws": np.array([0.01, 0.02, 0.03, 0.005], F), "wz": np.zeros(4, S), "ys": F(0.05), "yz": U(128), "b": np.array([10, -20, 300, 4], N)}, pads=[1, 1])
case("matmulinteger", "MatMulInteger", ["x", "w", "z"], {"x": ["batch", "seq", 8]}, {"x": u8(1, 3, 8)}, {"x": u8(2, 2, 8)}, weights={"w": s8(8, 5), "z": U(120)})
case("dynamicquantize", "DynamicQuantizeLinear", ["x"], {"x": ["batch", "n"]}, {"x": x(1, 5)}, {"x": x(3, 4)}, outputs=3)
case("qlinearadd", "QLinearAdd", ["x", "xs", "xz", "y", "ys", "yz", "zs", "zz"], {"x": ["n", 4], "y": ["n", 4]}, {"x": u8(2, 4), "y": u8(2, 4)}, {"x": u8(5, 4), "y": u8(5, 4)}, domain=MS,
     weights={"xs": F(0.031), "xz": U(120), "ys": F(0.017), "yz": U(133), "zs": F(0.043), "zz": U(125)})
case("trees", "TreeEnsembleRegressor", ["x"], {"x": ["n", 2]}, {"x": x(3, 2)}, {"x": x(7, 2)}, domain="ai.onnx.ml", n_targets=1, nodes_treeids=[0, 0, 0], nodes_nodeids=[0, 1, 2], nodes_featureids=[1, 0, 0],
     nodes_values=[0.25, 0.0, 0.0], nodes_modes=["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids=[1, 0, 0], nodes_falsenodeids=[2, 0, 0], target_treeids=[0, 0], target_nodeids=[1, 2], target_ids=[0, 0],
     target_weights=[1.5, -2.5])
body = helper.make_graph([helper.make_node("Mul", ["a", "k"], ["p"]), helper.make_node("Add", ["h", "p"], ["s"]), helper.make_node("Neg", ["s"], ["r"])], "body",
                         [helper.make_tensor_value_info("h", 1, [2]), helper.make_tensor_value_info("a", 1, [2])],
                         [helper.make_tensor_value_info("s", 1, [2]), helper.make_tensor_value_info("r", 1, [2])])
case("scan", "Scan", ["h", "x"], {"h": [2], "x": ["n", 2], "k": [2]}, {"h": x(2), "x": x(3, 2), "k": x(2)}, {"h": x(2), "x": x(20, 2), "k": x(2)}, outputs=2, body=body, num_scan_inputs=1)
case("listedscale", "DequantizeLinear", ["w", "ws", "wz"], {"x": ["n"]}, {"x": x(1)}, {"x": x(1)}, weights={"w": s8(5), "ws": np.array([0.02], F), "wz": np.array([3], S)})
for name, labels, platt in ("two", [3, 7], 0), ("twoproba", [3, 7], 1), ("three", [5, 0, 2], 0), ("threeproba", [5, 0, 2], 1):
    count, per = len(labels), [2, 3, 1][:len(labels)]
    pairs, vectors = count * (count - 1) // 2, sum(per)
    numbers = {k: rng.uniform(-2, 2, n).astype(F).tolist() for k, n in (("coefficients", vectors * (count - 1)), ("rho", pairs), ("support_vectors", vectors * 2), ("prob_b", pairs * platt)) if n}
    if platt:
        numbers["prob_a"] = (-rng.uniform(1, 3, pairs)).astype(F).tolist()
    case(f"supportvectors/{name}", "SVMClassifier", ["x"], {"x": ["n", 2]}, {"x": x(6, 2)}, {"x": x(3, 2)}, outputs=2, domain="ai.onnx.ml", classlabels_ints=labels, vectors_per_class=per,
         kernel_type="RBF", kernel_params=[0.5, 0.0, 3.0], post_transform="NONE", **numbers)

# Corners of resizing, sampling, pools and pads; their own random numbers keep those above.
rng = np.random.default_rng(91)
plane = {"x": [1, 1, 4, 5]}
for name, scales, attributes in (
        ("cubicsymmetric", [1, 1, 2, 3], {"mode": "cubic", "coordinate_transformation_mode": "half_pixel_symmetric", "exclude_outside": 1}),
        ("cubicantialias", [1, 1, 0.5, 0.6], {"mode": "cubic", "antialias": 1, "exclude_outside": 1}),
        ("linearantialias", [1, 1, 0.5, 0.2], {"mode": "linear", "antialias": 1, "coordinate_transformation_mode": "pytorch_half_pixel"}),
        ("nearestsymmetric", [1, 1, 0.6, 1.3], {"mode": "nearest", "coordinate_transformation_mode": "half_pixel_symmetric"})):
    case(f"resize/{name}", "Resize", ["x", "", "s"], plane, {"x": x(1, 1, 4, 5)}, weights={"s": np.array(scales, F)}, **attributes)
for padding in "border", "reflection":
    case(f"gridsample/cubic{padding}", "GridSample", ["x", "g"], {"x": [1, 2, 4, 5]}, {"x": x(1, 2, 4, 5)}, weights={"g": rng.uniform(-1.7, 1.7, (1, 3, 3, 2)).astype(F)}, mode="cubic", padding_mode=padding)
for size, kernel, stride, pads in (6, 3, 2, [0, 0]), (7, 2, 3, [0, 1]), (6, 3, 2, [1, 1]), (7, 2, 2, [1, 1]):
    case(f"lppool/{size}{kernel}{stride}{pads[1]}", "LpPool", ["x"], {"x": [1, 1, size]}, {"x": x(1, 1, size)}, kernel_shape=[kernel], strides=[stride], pads=pads, ceil_mode=1)
for mode in "wrap", "reflect", "edge":
    for pads in [1, -1], [-2, 3]:
        case(f"pad/{mode}{pads[0]}", "Pad", ["x", "p"], {"x": [6]}, {"x": x(6)}, weights={"p": np.array(pads, I)}, mode=mode)
pixels = {"x": [1, 2, 4, 4]}
scale = {"xs": F(0.0039), "xz": U(66), "ys": F(0.0039), "yz": U(1)}
quantized = ["x", "xs", "xz", "ys", "yz"]
case("qlinearaveragepool", "QLinearAveragePool", quantized, pixels, {"x": u8(1, 2, 4, 4)}, {"x": u8(1, 2, 4, 4)}, domain=MS,
     weights=scale | {"xs": F(0.0625), "ys": F(0.0625)}, kernel_shape=[2, 2], pads=[1, 1, 0, 0], count_include_pad=1)  # sums are exact in any order, and half of them ties
case("qlinearsoftmax", "QLinearSoftmax", quantized, {"x": ["n", 2, 5]}, {"x": u8(3, 2, 5)}, {"x": u8(8, 2, 5)}, domain=MS, weights=scale, axis=1, opset=13)
case("qlinearmul", "QLinearMul", ["x", "xs", "xz", "y", "bs", "bz", "zs", "zz"], {"x": ["n", 8], "y": ["n", 8]}, {"x": u8(9, 8), "y": u8(9, 8)}, domain=MS,
     weights={"xs": F(0.01), "xz": U(120), "bs": F(0.02), "bz": U(131), "zs": F(0.02), "zz": U(125)})
case("maxpool/places", "MaxPool", ["x"], {"x": [1, 1, 4, 4]}, {"x": (u8(1, 1, 4, 4) // 86).astype(U)}, {"x": np.zeros((1, 1, 4, 4), U)}, outputs=2, kernel_shape=[2, 2], pads=[1, 1, 0, 0])
for op in "ReduceMean", "ReduceL2", "ReduceLogSumExp", "ReduceLogSum":
    case(f"whole/{op.lower()}", op, ["x", "a"], {"x": ["n", 3]}, {"x": np.array([[1, 2, 4], [7, 7, 7], [100, 3, 7], [0, 2, 2]], N)}, {"x": np.array([[9, 9, 8]], N)}, weights={"a": np.array([1], I)}, keepdims=0)

# A number of pictures, or of regions, that has a name.
for mode in "linear", "nearest":
    case(f"gridsample/batch{mode}", "GridSample", ["x", "g"], {"x": ["n", 2, 4, 5], "g": ["n", 3, 2, 2]},
         *[{"x": x(n, 2, 4, 5), "g": rng.uniform(-1.2, 1.2, (n, 3, 2, 2)).astype(F)} for n in (1, 3)], mode=mode)
for mode in "avg", "max":
    case(f"roialign/batch{mode}", "RoiAlign", ["x", "r", "i"], {"x": ["b", 2, 6, 7], "r": ["n", 4], "i": ["n"]},
         *[{"x": x(b, 2, 6, 7), "r": np.sort(rng.uniform(0, 5, (n, 2, 2)), 1).reshape(n, 4).astype(F), "i": rng.integers(0, b, n)} for b, n in ((1, 2), (3, 5))],
         version=16, mode=mode, output_height=2, output_width=3, sampling_ratio=2)
case("dft/batch", "DFT", ["x", "", "a"], {"x": ["n", 4, 1]}, {"x": x(1, 4, 1)}, {"x": x(4, 4, 1)}, weights={"a": I(1)})

print("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]")
