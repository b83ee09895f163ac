"""Writes contrib.json: models of one node with the outputs that ONNX Runtime gives.

    pip install numpy onnx==1.23.2 onnxruntime==1.32.0
    python3 gen_contrib.py > contrib.json

Of recurrent layers, of quantized nodes, and of the operators of com.microsoft. Where
"exact" is true the outputs must be equal bit by bit, else within the tolerances of
ONNX's own runner, or the absolute one that a case names.
"""
import base64
import json
import numpy as np
import onnx
import onnxruntime
from onnx import helper

rng = np.random.default_rng(17)
F = np.float32
MS = "com.microsoft"
cases = []


def tensor(x):
    x = np.asarray(x)
    return {"type": helper.np_dtype_to_tensor_dtype(x.dtype), "dims": list(x.shape), "data": x.tobytes().hex()}


def run(name, nodes, feeds, results, domain, exact=False, absolute=0, constants=(), version=21):
    """Runs nodes, with inputs x0, x1, ...; constants are the numbers of those that are initializers."""
    inputs = {f"x{i}": np.asarray(x) for i, x in enumerate(feeds) if x is not None}
    fixed = {f"x{i}" for i in constants}
    graph = helper.make_graph(
        nodes, "g",
        [helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape) for n, x in inputs.items() if n not in fixed],
        [onnx.ValueInfoProto(name=y) for y in results],
        [onnx.numpy_helper.from_array(x, n) for n, x in inputs.items() if n in fixed])
    imports = [helper.make_opsetid("", version)] + ([helper.make_opsetid(domain, 1)] if domain == MS else [helper.make_opsetid(domain, 3)] if domain else [])
    model = helper.make_model(graph, opset_imports=imports, ir_version=10, producer_name="")
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    feeds = {n: x for n, x in inputs.items() if n not in fixed}
    got = session.run(None, feeds)
    cases.append({"name": name, "exact": exact, **({"absolute": absolute} if absolute else {}), "model": base64.b64encode(model.SerializeToString()).decode(),
                  "inputs": [tensor(x) for x in feeds.values()], "outputs": [tensor(y) for y in got]})


def case(name, op, feeds, outputs=1, domain="", exact=False, absolute=0, constants=(), version=21, **attributes):
    names = ["" if x is None else f"x{i}" for i, x in enumerate(feeds)]
    results = [f"y{i}" for i in range(outputs)] if isinstance(outputs, int) else outputs
    node = helper.make_node(op, names, results, domain=domain, **attributes)
    run(name, [node], feeds, [y for y in results if y], domain, exact, absolute, constants, version)


def normal(*shape):
    return (rng.standard_normal(shape) * 0.5).astype(F)


# Recurrent layers of T steps, B sequences, I inputs and H states.
def layer(op, gates, T, B, D, lengths=None, initial=True, peep=False, **attributes):
    I, H = 2, 3
    feeds = [normal(T, B, I), normal(D, gates * H, I), normal(D, gates * H, H), normal(D, 2 * gates * H),
             None if lengths is None else np.array(lengths, np.int32), normal(D, B, H) if initial else None]
    if op == "LSTM":
        feeds += [normal(D, B, H) if initial else None, normal(D, 3 * H) if peep else None]
    while feeds[-1] is None:
        feeds.pop()
    way = {1: attributes.pop("direction", "forward"), 2: "bidirectional"}[D]
    name = f"{op.lower()}/{way}/{T}" + "".join(f"/{k}" for k in attributes if not k.startswith("activation_")) + ("/lengths" if lengths else "") + ("/peep" if peep else "")
    case(name, op, feeds, 3 if op == "LSTM" else 2, hidden_size=H, direction=way, **attributes)


for op, gates in ("RNN", 1), ("GRU", 3), ("LSTM", 4):
    layer(op, gates, 2, 1, 2)
    layer(op, gates, 11, 2, 2, [11, 4])
    layer(op, gates, 3, 3, 1, [1, 3, 2], direction="reverse")
    layer(op, gates, 9, 1, 1, initial=False, clip=0.3)
layer("GRU", 3, 10, 2, 1, linear_before_reset=1)
layer("LSTM", 4, 3, 2, 2, peep=True)
layer("LSTM", 4, 10, 1, 1, input_forget=1)
layer("RNN", 1, 3, 2, 2, activations=["Affine", "LeakyRelu"], activation_alpha=[0.5, 0.1], activation_beta=[0.2])
layer("GRU", 3, 3, 1, 1, activations=["HardSigmoid", "ScaledTanh"], activation_alpha=[0.3, 1.1], activation_beta=[0.4, 0.7])
layer("LSTM", 4, 3, 1, 1, activations=["HardSigmoid", "Softsign", "Relu"], activation_alpha=[0.2], activation_beta=[0.5])
layer("LSTM", 4, 3, 1, 1, activations=["Sigmoid", "Elu", "ThresholdedRelu"], activation_alpha=[0.7, 0.01])


def quantized(*shape):
    return rng.integers(-60, 60, shape).astype(np.int8)


for T, D in (3, 2), (10, 1):
    I, H = 4, 3
    feeds = [normal(T, 1, I), quantized(D, I, 4 * H), quantized(D, H, 4 * H), normal(D, 8 * H), None, None, None, None,
             np.full(D, 0.01, F), np.zeros(D, np.int8), np.full(D, 0.012, F), np.zeros(D, np.int8)]
    case(f"dynamiclstm/{T}/{D}", "DynamicQuantizeLSTM", feeds, 3, MS, constants=[1, 2, 8, 9, 10, 11], hidden_size=H, direction=["forward", "bidirectional"][D - 1])


# Norms, activations and products of ONNX Runtime's optimizer.
x, skip, gamma, beta, bias = normal(2, 3, 8), normal(2, 3, 8), normal(8), normal(8), normal(8)
case("skiplayernorm", "SkipLayerNormalization", [x, skip, gamma, beta, bias], ["y0", "", "", "y3"], MS, absolute=1e-6)
case("skiplayernorm/row", "SkipLayerNormalization", [x, normal(1, 3, 8), gamma], 1, MS, absolute=1e-6, epsilon=1e-5)
case("skiprms", "SkipSimplifiedLayerNormalization", [x, skip, gamma, bias], ["y0", "", "", "y3"], MS, absolute=1e-6)
case("rms", "SimplifiedLayerNormalization", [x, gamma], ["y0", "y1"], absolute=1e-6, axis=-1, version=17)
ids = np.array([[1, 4, 2], [0, 3, 3]], np.int32)
case("embed", "EmbedLayerNormalization", [ids, np.array([[0, 1, 1], [0, 0, 1]], np.int32), normal(5, 8), normal(4, 8), normal(2, 8), gamma, beta,
                                          np.array([[1, 1, 0], [1, 1, 1]], np.int32)], 2, MS, absolute=1e-6)
a, b = normal(2, 3, 4), normal(2, 5, 4)
case("matmul/transB", "FusedMatMul", [a, b], 1, MS, absolute=1e-6, transB=1, alpha=0.25)
case("matmul/transA", "FusedMatMul", [normal(2, 4, 3), normal(4, 5)], 1, MS, absolute=1e-6, transA=1)
case("matmul/batch", "FusedMatMul", [normal(3, 2, 4), normal(2, 4, 5)], 1, MS, absolute=1e-6, transBatchA=1)
case("gemm", "FusedGemm", [normal(3, 4), normal(4, 5), normal(5)], 1, MS, absolute=1e-6, activation="LeakyRelu", activation_alpha=0.2)
image = normal(1, 2, 5, 5)
case("conv/add", "FusedConv", [image, normal(3, 2, 3, 3), normal(3), normal(1, 3, 5, 5)], 1, MS, absolute=1e-6, pads=[1, 1, 1, 1], activation="Relu")
case("conv/clip", "FusedConv", [image, normal(3, 2, 3, 3)], 1, MS, absolute=1e-6, activation="Clip", activation_params=[-0.2, 0.3])
case("gelu", "Gelu", [x], 1, MS, absolute=1e-6)
case("biasgelu", "BiasGelu", [x, bias], 1, MS, absolute=1e-6)
case("fastgelu", "FastGelu", [x, bias], 1, MS, absolute=1e-6)
case("quickgelu", "QuickGelu", [x], 1, MS, absolute=1e-6, alpha=1.5)
case("expanddims", "ExpandDims", [x, np.int32(-1)], 1, MS, exact=True)
case("cdist", "CDist", [normal(3, 4), normal(5, 4)], 1, MS, absolute=1e-6, metric="euclidean")
case("trilu", "Trilu", [normal(3, 4), np.int64(1)], 1, MS, exact=True, upper=0)

# Attention.
x, w, b = normal(2, 3, 8), normal(8, 24), normal(24)
case("attention/plain", "Attention", [x, w, b], 1, MS, absolute=1e-6, num_heads=2)
case("attention/causal", "Attention", [x, w, b], 1, MS, absolute=1e-6, num_heads=2, unidirectional=1)
case("attention/lengths", "Attention", [x, w, b, np.array([2, 3], np.int32)], 1, MS, absolute=1e-6, num_heads=2)
case("attention/flags", "Attention", [x, w, b, np.array([[1, 1, 0], [0, 1, 1]], np.int32)], 1, MS, absolute=1e-6, num_heads=2)
case("attention/past", "Attention", [x, w, b, None, normal(2, 2, 2, 4, 4)], 2, MS, absolute=1e-6, num_heads=2, unidirectional=1)
case("attention/bias", "Attention", [x, w, b, None, None, normal(1, 2, 3, 3)], 1, MS, absolute=1e-6, num_heads=2, scale=0.3)
case("attention/widths", "Attention", [x, normal(8, 8 + 8 + 4), normal(20)], 1, MS, absolute=1e-6, num_heads=2, qkv_hidden_sizes=[8, 8, 4])
q, k, v = normal(2, 3, 8), normal(2, 5, 8), normal(2, 5, 8)
case("multihead/plain", "MultiHeadAttention", [q, k, v], 1, MS, absolute=1e-6, num_heads=2)
case("multihead/bias", "MultiHeadAttention", [q, k, v, b], 1, MS, absolute=1e-6, num_heads=2)
case("multihead/flags", "MultiHeadAttention", [q, k, v, None, np.array([[1, 1, 0, 0, 1], [1, 1, 1, 1, 0]], np.int32), normal(1, 2, 3, 5)], 1, MS, absolute=1e-6, num_heads=2)
case("multihead/past", "MultiHeadAttention", [q, normal(2, 3, 8), normal(2, 3, 8), None, None, None, normal(2, 2, 4, 4), normal(2, 2, 4, 4)], 3, MS, absolute=1e-6, num_heads=2, unidirectional=1)
heads = [normal(1, 2, 32), normal(1, 2, 16), normal(1, 2, 16)]
empty = np.zeros((1, 1, 0, 16), F)
cos, sin = normal(6, 8), normal(6, 8)
for name, past, extra in ("prompt", empty, {}), ("past", normal(1, 1, 3, 16), {}), ("window", normal(1, 1, 3, 16), {"local_window_size": 3}), ("cap", empty, {"softcap": 0.5}):
    total = past.shape[2] + 2
    feeds = heads + [past, past * 0.5, np.array([total - 1], np.int32), np.int32(total), cos, sin]
    for rotary in 0, 1:
        case(f"groupquery/{name}/{rotary}", "GroupQueryAttention", feeds if rotary else feeds[:7], 3, MS, absolute=1e-6, num_heads=2, kv_num_heads=1, do_rotary=rotary, **extra)
case("groupquery/packed", "GroupQueryAttention", [normal(1, 2, 64), None, None, empty, empty, np.array([1], np.int32), np.int32(2), cos, sin], 3, MS,
     absolute=1e-6, num_heads=2, kv_num_heads=1, do_rotary=1, rotary_interleaved=1)
cos, sin = normal(8, 2), normal(8, 2)
for name, x, places, more in ("flat", normal(2, 3, 8), np.array([1], np.int64), {"num_heads": 2}), ("heads", normal(2, 2, 3, 4), np.array([[0, 3, 2], [1, 1, 5]], np.int64), {"interleaved": 1}), \
        ("part", normal(2, 2, 3, 6), np.array([[0, 3, 2], [1, 1, 5]], np.int64), {"rotary_embedding_dim": 4, "num_heads": 2}):
    case(f"rotary/{name}", "RotaryEmbedding", [x, places, cos, sin], 1, MS, absolute=1e-6, **more)
case("qattention", "QAttention", [rng.integers(0, 256, (2, 3, 8)).astype(np.uint8), quantized(8, 24), b, F(0.02), F(0.01), np.array([[1, 1, 0], [0, 1, 1]], np.int32), np.uint8(120), np.int8(0)], 1, MS, absolute=1e-5,
     num_heads=2, constants=[1, 4, 7])

# Quantized nodes. Sums of integers beyond what f32 holds, channels with scales of their own.
U, S, N = np.uint8, np.int8, np.int32


def u8(*shape):
    return rng.integers(0, 256, shape).astype(U)


def s8(*shape):
    return rng.integers(-127, 128, shape).astype(S)


case("convinteger/long", "ConvInteger", [np.full((1, 67, 4), 255, U), np.full((1, 67, 4), 255, U)], exact=True)
case("convinteger/groups", "ConvInteger", [u8(1, 130, 4), s8(2, 65, 4), U(3), S(0)], exact=True, group=2, pads=[1, 1])
case("convinteger/short", "ConvInteger", [u8(1, 2, 4, 4), s8(3, 2, 2, 2), U(100), S(0)], exact=True, strides=[2, 1])
case("qlinearconv/channels", "QLinearConv", [u8(1, 2, 4, 4), F(0.02), U(110), s8(3, 2, 3, 3), np.array([0.01, 0.02, 0.005], F), np.zeros(3, S), F(0.05), U(90),
                                             np.array([100, -200, 300], N)], exact=True, pads=[1, 1, 1, 1])
case("qlinearconv/long", "QLinearConv", [s8(1, 70, 5), F(0.02), S(-3), s8(1, 70, 4), F(0.01), S(0), F(0.9), S(5), np.array([77], N)], exact=True)
case("qlinearconv/depthwise", "QLinearConv", [u8(1, 3, 4, 4), F(0.02), U(128), s8(3, 1, 3, 3), np.array([0.01, 0.02, 0.005], F), np.zeros(3, S), F(0.02), U(128)], exact=True,
     group=3, pads=[1, 1, 1, 1])
for op in "QLinearAdd", "QLinearMul":
    case(op.lower(), op, [u8(2, 9), F(0.031), U(120), u8(9), F(0.017), U(133), F(0.043), U(125)], 1, MS, exact=True)
case("qlinearsigmoid", "QLinearSigmoid", [u8(24), F(0.05), U(120), F(1 / 256), U(0)], 1, MS, exact=True, constants=[1, 2, 3, 4])
case("qlinearleakyrelu", "QLinearLeakyRelu", [u8(24), F(0.05), U(120), F(0.04), U(60)], 1, MS, exact=True, constants=[1, 2, 3, 4], alpha=0.1)
case("qlinearsoftmax", "QLinearSoftmax", [u8(2, 9), F(0.05), U(120), F(1 / 256), U(0)], 1, MS, exact=True, constants=[1, 2, 3, 4], opset=13, axis=-1)
case("qlinearconcat", "QLinearConcat", [F(0.04), U(100), u8(2, 3), F(0.05), U(120), u8(2, 4), F(0.03), U(90)], 1, MS, exact=True, constants=[0, 1, 3, 4, 6, 7], axis=1)
case("qlinearglobalpool", "QLinearGlobalAveragePool", [u8(1, 3, 4, 4), F(0.05), U(120), F(0.03), U(110)], 1, MS, exact=True, channels_last=0)
case("qlinearpool", "QLinearAveragePool", [u8(1, 2, 5, 5), F(0.05), U(120), F(0.043), U(120)], 1, MS, exact=True, kernel_shape=[2, 2], strides=[2, 2])
case("qgemm", "QGemm", [u8(3, 6), F(0.02), U(120), s8(6, 4), np.array([0.01, 0.02, 0.015, 0.007], F), np.zeros(4, S), np.array([10, -20, 30, 4], N), F(0.05), U(128)], 1, MS, exact=True)
case("qgemm/float", "QGemm", [u8(3, 6), F(0.02), U(120), s8(6, 4), F(0.01), S(0)], 1, MS, absolute=1e-6)
case("matmulintegertofloat", "MatMulIntegerToFloat", [u8(3, 6), s8(6, 4), F(0.02), np.array([0.01, 0.02, 0.015, 0.007], F), U(120), None, normal(4)], 1, MS, absolute=1e-6)
case("dynamicmatmul", "DynamicQuantizeMatMul", [normal(3, 6), s8(6, 4) // 2, F(0.02), S(0), normal(4)], 1, MS, absolute=1e-5)

# Weights in blocks of 4 and of 8 bits, with zero points or without.
K, rows, block = 40, 6, 16
blocks = (K + block - 1) // block
scale = rng.uniform(0.01, 0.1, rows * blocks).astype(F)
for bits in 4, 8:
    w = u8(rows, blocks, block * bits // 8)
    case(f"nbits/{bits}", "MatMulNBits", [normal(2, 3, K), w, scale], 1, MS, absolute=1e-5, K=K, N=rows, bits=bits, block_size=block)
    case(f"nbits/{bits}/zero", "MatMulNBits", [normal(2, K), w, scale, u8(rows * ((blocks * bits + 7) // 8)), None, normal(rows)], 1, MS, absolute=1e-5, K=K, N=rows, bits=bits, block_size=block)
case("gatherblocks", "GatherBlockQuantized", [u8(5, 16), np.array([[3, 0], [4, 4]], np.int64), rng.uniform(0.01, 0.1, (5, 2)).astype(F)], 1, MS, absolute=1e-6, bits=4,
     block_size=16, quantize_axis=1, gather_axis=0)
case("gatherblocks/zero", "GatherBlockQuantized", [u8(5, 16), np.array([3, 0], np.int64), rng.uniform(0.01, 0.1, (5, 2)).astype(F), u8(5, 1)], 1, MS, absolute=1e-6, bits=4,
     block_size=16, quantize_axis=1, gather_axis=0)

# Classic models. Trees of depth 2 over 3 features, with leaves that vote for some classes.
ML = "ai.onnx.ml"


def forest(kind, targets, trees=3, modes=("BRANCH_LEQ",), missing=False):
    lists = {f"nodes_{k}": [] for k in ("treeids", "nodeids", "featureids", "values", "modes", "truenodeids", "falsenodeids", "missing_value_tracks_true")}
    votes = {f"{kind}_{k}": [] for k in ("treeids", "nodeids", "ids", "weights")}
    for t in range(trees):
        for i in range(7):
            leaf = i > 2
            for k, v in (("treeids", t), ("nodeids", i), ("featureids", 0 if leaf else int(rng.integers(3))), ("values", 0.0 if leaf else round(float(rng.normal()) * 2) / 4),
                         ("modes", "LEAF" if leaf else modes[int(rng.integers(len(modes)))]), ("truenodeids", 0 if leaf else 2 * i + 1), ("falsenodeids", 0 if leaf else 2 * i + 2),
                         ("missing_value_tracks_true", int(bool(missing) and not leaf and i % 2 == 1))):
                lists[f"nodes_{k}"].append(v)
            for target in targets if leaf else ():
                for k, v in ("treeids", t), ("nodeids", i), ("ids", target), ("weights", float(F(rng.uniform(0.01, 0.3) if missing is None else rng.normal()))):
                    votes[f"{kind}_{k}"].append(v)
    return lists | votes


rows = np.array([[0.5, -0.25, 1], [np.nan, 0.3, -1], [-2, 2, 0.5], [0, 0, 0], [0.25, -0.5, -0.5]], F)
for name, how, more in ("sum", "SUM", {}), ("average", "AVERAGE", {}), ("least", "MIN", {}), ("greatest", "MAX", {}), ("base", "SUM", {"base_values": [0.5, -0.5], "post_transform": "LOGISTIC"}):
    case(f"trees/{name}", "TreeEnsembleRegressor", [rows], 1, ML, absolute=1e-6, n_targets=2, aggregate_function=how, **more, **forest("target", [0, 1], missing=True))
case("trees/modes", "TreeEnsembleRegressor", [rows], 1, ML, absolute=1e-6, n_targets=1,
     **forest("target", [0], 4, ("BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ", "BRANCH_LEQ")))
case("forest/many", "TreeEnsembleClassifier", [rows], 2, ML, absolute=1e-6, classlabels_int64s=[7, 3, 5], post_transform="SOFTMAX", **forest("class", [0, 1, 2]))
case("forest/two", "TreeEnsembleClassifier", [rows], 2, ML, absolute=1e-6, classlabels_int64s=[0, 1], **forest("class", [0, 1], missing=None))
case("forest/logistic", "TreeEnsembleClassifier", [rows], 2, ML, absolute=1e-6, classlabels_int64s=[4, 2], post_transform="LOGISTIC", base_values=[0.1], **forest("class", [0]))
case("forest/positive", "TreeEnsembleClassifier", [rows], 2, ML, absolute=1e-6, classlabels_int64s=[0, 1], **forest("class", [1], missing=None))
plain = np.nan_to_num(rows)
case("linear/regressor", "LinearRegressor", [plain], 1, ML, absolute=1e-6, targets=2, coefficients=normal(6).tolist(), intercepts=[0.5, -1.0])
case("linear/many", "LinearClassifier", [plain], 2, ML, absolute=1e-6, classlabels_ints=[3, 1, 2], coefficients=normal(9).tolist(), intercepts=[0.1, 0.2, -0.1], post_transform="SOFTMAX", multi_class=1)
case("linear/two", "LinearClassifier", [plain], 2, ML, absolute=1e-6, classlabels_ints=[0, 1], coefficients=normal(6).tolist(), intercepts=[0.1, -0.1], post_transform="LOGISTIC")
case("scaler", "Scaler", [plain], 1, ML, absolute=1e-6, offset=[0.5, 0.1, -1.0], scale=[2.0, 0.5, 1.5])
for norm in "MAX", "L1", "L2":
    case(f"normalizer/{norm}", "Normalizer", [np.abs(plain)], 1, ML, absolute=1e-6, norm=norm)
case("binarizer", "Binarizer", [plain], 1, ML, exact=True, threshold=0.25)
case("onehot", "OneHotEncoder", [np.array([[3, 1], [9, 4]], np.int64)], 1, ML, exact=True, cats_int64s=[1, 3, 4])
case("imputer", "Imputer", [rows], 1, ML, exact=True, imputed_value_floats=[5.0, 6.0, 7.0], replaced_value_float=float("nan"))
case("extractor", "ArrayFeatureExtractor", [rows, np.array([[2, 0]], np.int64)], 1, ML, exact=True)
case("label", "LabelEncoder", [np.array([3, 8, 1], np.int64)], 1, ML, exact=True, keys_int64s=[1, 3, 5], values_floats=[0.5, 1.5, 2.5], default_float=-2.0)
case("vectorizer", "FeatureVectorizer", [plain, plain[:, :1]], 1, ML, exact=True, inputdimensions=[3, 1])

# Less common ones.
case("globallppool", "GlobalLpPool", [normal(1, 2, 3, 3)], absolute=1e-6, p=3)
case("qlinearwhere", "QLinearWhere", [rng.random(9) < 0.5, u8(9), F(0.03), U(120), u8(9), F(0.05), U(100), F(0.043), U(110)], 1, MS, exact=True, constants=[2, 3, 5, 6, 7, 8])
case("inverse", "Inverse", [normal(2, 4, 4) + np.array([[0, 3, 0, 0], [0, 0, 3, 0], [3, 0, 0, 0], [0, 0, 0, 3]], F)], 1, MS, absolute=1e-5)
for kernel in "LINEAR", "POLY", "SIGMOID", "RBF":
    case(f"svm/{kernel}", "SVMRegressor", [plain], 1, ML, absolute=1e-5, kernel_type=kernel, kernel_params=[0.3, 0.5, 3.0], n_supports=2, coefficients=[0.7, -1.2], rho=[0.25], support_vectors=normal(6).tolist())

# Casts to small floats and back, of halves between neighbours, of limits, and of what is beyond.
# Without saturation ONNX Runtime takes 480 as 448 and 61440 as NaN, which are beyond the largest.
P = onnx.TensorProto
values = np.concatenate([(rng.standard_normal(24) * 10 ** rng.uniform(-4, 3, 24)).astype(F), np.array([
    1.0625, 1.1875, 1.125, 1.375, 2**-10, 3 * 2**-10, 2**-11, 5 * 2**-11, 2**-17, 3 * 2**-17, 2**-18, 240, 248, 256, 448, 464, 465, 480, 57344, 61440, 61439, 65536,
    -0.0, 0, -464, -61440, 1e9, np.inf, -np.inf, np.nan], F)])
for name in "FLOAT8E4M3FN", "FLOAT8E4M3FNUZ", "FLOAT8E5M2", "FLOAT8E5M2FNUZ":
    for saturate in 0, 1:
        nodes = [helper.make_node("Cast", ["x0"], ["c"], to=getattr(P, name), saturate=saturate), helper.make_node("Cast", ["c"], ["y0"], to=P.FLOAT)]
        run(f"cast/{name}/{saturate}", nodes, [values if saturate else values[~np.isin(np.abs(values), [480, 61440])]], ["y0"], "", exact=True)

# ONNX's own attention, whose reference has had other orders of heads and of the soft cap.
q, k, v = normal(1, 4, 2, 4), normal(1, 2, 3, 4), normal(1, 2, 3, 4)
flat = [x.transpose(0, 2, 1, 3).reshape(1, x.shape[2], -1) for x in (q, k, v)]
case("attention23/flat", "Attention", flat, 1, absolute=1e-6, version=23, q_num_heads=4, kv_num_heads=2)
case("attention23/cap", "Attention", [q, k, v, normal(2, 3)], ["y0", "", "", "y3"], absolute=1e-6, version=23, softcap=0.7, qk_matmul_output_mode=2)
case("attention23/past", "Attention", [q, k, v, None, normal(1, 2, 2, 4), normal(1, 2, 2, 4)], 3, absolute=1e-6, version=23, is_causal=1)
case("attention23/flags", "Attention", [q, k, v, np.array([[True, False, True], [True, True, True]])], 1, absolute=1e-6, version=23)

# Loops. A body adds x1 to what it carries; some stack the sums, and one appends to a list.
def value(name, kind, shape):
    return helper.make_tensor_value_info(name, kind, shape)


FLOAT, INT, BOOL = onnx.TensorProto.FLOAT, onnx.TensorProto.INT64, onnx.TensorProto.BOOL
x, y = normal(2), normal(2)
condition = [helper.make_node("ReduceMax", ["s"], ["m"], keepdims=0), helper.make_node("Less", ["m", "limit"], ["going"])]
always = [helper.make_node("Identity", ["c"], ["going"])]
limit = helper.make_tensor("limit", FLOAT, [], [2.5])


def loop(name, turns, end, stacked, ends=None, grow=False, constants=()):
    nodes = end + ([helper.make_node("Concat", ["h", "x1"], ["s"], axis=0)] if grow else [helper.make_node("Add", ["h", "x1"], ["s"])])
    nodes = nodes[len(end):] + end + ([helper.make_node("Identity", ["s"], ["row"])] if stacked else [])
    outputs = [value("going", BOOL, []), value("s", FLOAT, None)] + ([value("row", FLOAT, None)] if stacked else [])
    body = helper.make_graph(nodes, "body", [value("i", INT, []), value("c", BOOL, []), value("h", FLOAT, None)], outputs, [limit] if end is condition else [])
    results = ["y0", "y1"] if stacked else ["y0"]
    node = helper.make_node("Loop", ["x2" if turns is not None else "", "x3" if ends is not None else "", "x0"], results, body=body)
    run(f"loop/{name}", [node], [x, np.abs(y), None if turns is None else np.int64(turns), ends], results, "", absolute=1e-6, constants=constants)


loop("count", 30, always, False)
loop("condition", None, condition, False)
loop("both", 100, condition, False, np.bool_(True))
loop("never", 100, condition, False, np.bool_(False))
loop("few", 3, always, True, constants=[2])
loop("stacked", 20, always, True, np.bool_(True), constants=[2, 3])
loop("grows", 3, always, False, grow=True, constants=[2])
for T in 4, 20:
    body = helper.make_graph([helper.make_node("Mul", ["a", "b"], ["p"]), helper.make_node("Add", ["h", "p"], ["s"]), helper.make_node("Neg", ["s"], ["r"])], "body",
                             [value("h", FLOAT, [2]), value("a", FLOAT, [2]), value("b", FLOAT, [2])], [value("s", FLOAT, [2]), value("r", FLOAT, [2])])
    node = helper.make_node("Scan", ["x0", "x1", "x2"], ["y0", "y1"], body=body, num_scan_inputs=2, scan_input_axes=[0, 1], scan_input_directions=[1, 0],
                            scan_output_axes=[1], scan_output_directions=[1])
    run(f"scan/{T}", [node], [x, normal(T, 2), normal(2, T)], ["y0", "y1"], "", absolute=1e-6)

# Groups of nodes between DequantizeLinear and QuantizeLinear, which ONNX Runtime runs in integers.
def pair(name, scale, zero, axis=None):
    """The nodes and initializers that quantize a tensor and dequantize it again."""
    tensors = [onnx.numpy_helper.from_array(np.asarray(scale, F), name + ".scale"), onnx.numpy_helper.from_array(np.asarray(zero), name + ".zero")]
    more = {} if axis is None else {"axis": axis}
    make = lambda op, x, y: helper.make_node(op, [x, name + ".scale", name + ".zero"], [y], **more)
    return tensors, make("QuantizeLinear", name, name + ".q"), make("DequantizeLinear", name + ".q", name + ".dq")


def group(name, op, x, scales, weights=None, bias=None, between=None, quantized=True, exact=True, absolute=0, **attributes):
    """x0 is quantized; op takes it, and weights or x1; between is an operator of the result."""
    kind = scales[0][1].dtype.type
    fixed, nodes, inputs = [], [], {"x0": x}
    tensors, q, dq = pair("x0", *scales[0])
    fixed, nodes, reads = fixed + tensors, [q, dq], ["x0.dq"]
    if isinstance(weights, tuple):  # integers, their scale, zero point and axis
        w, scale, zero, axis = weights
        tensors, _, dq = pair("w", scale, zero, axis)
        fixed, nodes, reads = fixed + tensors + [onnx.numpy_helper.from_array(w, "w.q")], nodes + [dq], reads + ["w.dq"]
    elif weights is not None:
        inputs["x1"] = weights
        tensors, q, dq = pair("x1", *scales[2])
        fixed, nodes, reads = fixed + tensors, nodes + [q, dq], reads + ["x1.dq"]
    if bias is not None:
        scale = np.asarray(scales[0][0] * np.asarray(weights[1], F), F)
        tensors, _, dq = pair("b", scale, np.zeros(scale.shape, N), 0)
        fixed, nodes, reads = fixed + tensors + [onnx.numpy_helper.from_array(bias, "b.q")], nodes + [dq], reads + ["b.dq"]
    nodes.append(helper.make_node(op, reads, ["y"], **attributes))
    if between:
        nodes += [helper.make_node(between, ["y"], ["z"])]
    if quantized:
        tensors, q, dq = pair("z" if between else "y", *scales[1])
        q.output[0] = "y0"
        fixed, nodes = fixed + tensors, nodes + [q]
    else:
        nodes[-1].output[0] = "y0"
    g = helper.make_graph(nodes, "g", [helper.make_tensor_value_info(n, FLOAT, v.shape) for n, v in inputs.items()], [onnx.ValueInfoProto(name="y0")], fixed)
    model = helper.make_model(g, opset_imports=[helper.make_opsetid("", 21)], ir_version=10, producer_name="")
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    got = session.run(None, inputs)
    cases.append({"name": f"groups/{name}", "exact": exact, **({"absolute": absolute} if absolute else {}), "model": base64.b64encode(model.SerializeToString()).decode(),
                  "inputs": [tensor(v) for v in inputs.values()], "outputs": [tensor(y) for y in got]})


columns = np.array([0.01, 0.02, 0.015, 0.007], F)
for kind, at, to, weight in ("u8s8", U(120), U(90), s8), ("s8s8", S(-5), S(10), s8), ("u8u8", U(120), U(90), u8):
    ends = [(0.02, at), (0.05, to), (0.011, at)]
    zeros = np.zeros(4, S) if weight is s8 else np.array([120, 130, 128, 127], U)
    group(f"conv/{kind}", "Conv", normal(1, 2, 6, 6), ends, (weight(4, 2, 3, 3), columns, np.zeros(4, zeros.dtype), 0), np.array([10, -20, 30, 4], N), pads=[1, 1, 1, 1], strides=[2, 1])
    group(f"matmul/{kind}", "MatMul", normal(2, 3, 6), ends, (weight(6, 4), columns, zeros, 1))
    group(f"matmul/{kind}/float", "MatMul", normal(2, 3, 6), ends, (weight(6, 4), F(0.01), zeros[0], None), quantized=False, exact=False, absolute=1e-6)
    group(f"matmul/{kind}/both", "MatMul", normal(2, 3, 6), ends, normal(2, 6, 3))
    group(f"gemm/{kind}", "Gemm", normal(3, 6), ends, (weight(4, 6), columns, zeros, 0), np.array([10, -20, 30, 4], N), transB=1)
    group(f"gemm/{kind}/float", "Gemm", normal(3, 6), ends, (weight(6, 4), columns, zeros, 1), np.array([10, -20, 30, 4], N), quantized=False, exact=False, absolute=1e-6, alpha=0.5)
    group(f"add/{kind}", "Add", normal(2, 9), ends, normal(9))
    same = [ends[0], ends[0]]
    group(f"transpose/{kind}", "Transpose", normal(2, 9), same)
    group(f"maxpool/{kind}", "MaxPool", normal(1, 2, 5, 5), same, kernel_shape=[2, 2])
group("conv/relu", "Conv", normal(1, 2, 5), [(0.02, U(110)), (0.03, U(0))], (s8(3, 2, 3), F(0.01), S(0), None), between="Relu")
group("conv/long", "Conv", normal(1, 70, 5), [(0.02, U(110)), (0.9, U(128))], (s8(3, 70, 4), F(0.01), S(0), None))
group("conv/depthwise", "Conv", normal(1, 3, 5), [(0.02, U(110)), (0.03, U(128))], (s8(3, 1, 3), columns[:3], np.zeros(3, S), 0), group=3)

# Ties of means: half of these lie between two numbers of the result.
rng = np.random.default_rng(55)
for k, (scale, to), more in (
        ([4, 4], (0.1, 0.1), {}), ([4, 4], (0.03, 0.07), {"pads": [3, 0, 0, 3], "count_include_pad": 1}), ([2, 3], (0.02, 0.04), {"pads": [1, 0, 0, 2]}),
        ([3, 3], (0.03, 0.07), {"strides": [2, 2], "ceil_mode": 1}), ([1, 2], (0.5, 0.25), {})):
    case(f"qlinearpool/{k[0]}{k[1]}{scale}", "QLinearAveragePool", [u8(1, 2, 8, 9), F(scale), U(117), F(to), U(99)], 1, MS, exact=True, kernel_shape=k, **more)
case("nhwcmaxpool", "NhwcMaxPool", [u8(2, 5, 6, 3)], 1, MS, exact=True, kernel_shape=[2, 3], strides=[2, 1], pads=[1, 0, 0, 1])
for kind in 0, 1:
    case(f"bnb4/{kind}", "MatMulBnb4", [normal(2, 3, 32), u8(5 * 32 // 2), np.abs(normal(10))], 1, MS, absolute=1e-5, constants=[1, 2], K=32, N=5, block_size=16, quant_type=kind)


def defined(name, op, feeds, *want, absolute=1e-5, exact=False, **attributes):
    """A node that ONNX Runtime computes on other devices only; want is what its documentation defines, by NumPy."""
    inputs = {f"x{i}": np.asarray(x) for i, x in enumerate(feeds) if x is not None}
    node = helper.make_node(op, ["" if x is None else f"x{i}" for i, x in enumerate(feeds)], [f"y{i}" for i in range(len(want))], domain=MS, **attributes)
    graph = helper.make_graph(
        [node], "g", [helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape) for n, x in inputs.items()],
        [onnx.ValueInfoProto(name=y) for y in node.output])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21), helper.make_opsetid(MS, 1)], ir_version=10, producer_name="")
    cases.append({"name": name, "exact": exact, **({} if exact else {"absolute": absolute}), "model": base64.b64encode(model.SerializeToString()).decode(),
                  "inputs": [tensor(x) for x in inputs.values()], "outputs": [tensor(y) for y in want]})


def pairs(z):
    return np.stack([z.real, z.imag], -1).astype(F)


def numbers(x):
    return x[..., 0] + 1j * x[..., 1]


left, right = normal(2, 3, 2), normal(3, 2)
defined("complexmul", "ComplexMul", [left, right], pairs(numbers(left) * numbers(right)))
defined("complexmul/conj", "ComplexMulConj", [left, right], pairs(numbers(left) * numbers(right).conj()))
signal = normal(2, 12)
defined("rfft", "Rfft", [signal], pairs(np.fft.rfft(signal)), signal_ndim=1, normalized=0, onesided=1)
defined("irfft", "Irfft", [pairs(np.fft.rfft(signal))], np.fft.irfft(np.fft.rfft(signal)).astype(F), signal_ndim=1, normalized=0, onesided=1)
a, b = u8(2, 3), s8(3)
defined("mulinteger", "MulInteger", [a, U(120), b, S(-3)], (a.astype(N) - 120) * (b.astype(N) + 3), exact=True)
defined("mulinteger/plain", "MulInteger", [a, None, b], a.astype(N) * b.astype(N), exact=True)

# A convolution of pictures whose channels come last, by ONNX Runtime's of those whose come first.
picture, kernel, bias, more = normal(1, 5, 6, 4), normal(6, 2, 3, 3), normal(6), normal(1, 5, 6, 6)
first = helper.make_model(helper.make_graph(
    [helper.make_node("Conv", ["x", "w", "b"], ["y"], group=2, pads=[1, 1, 1, 1])], "g",
    [helper.make_tensor_value_info(n, 1, v.shape) for n, v in (("x", picture.transpose(0, 3, 1, 2)), ("w", kernel), ("b", bias))], [onnx.ValueInfoProto(name="y")]),
    opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
conv = onnxruntime.InferenceSession(first.SerializeToString(), providers=["CPUExecutionProvider"]).run(
    None, {"x": np.ascontiguousarray(picture.transpose(0, 3, 1, 2)), "w": kernel, "b": bias})[0].transpose(0, 2, 3, 1)
defined("nhwcfusedconv", "NhwcFusedConv", [picture, kernel, bias, more], np.maximum(conv + more, 0), group=2, pads=[1, 1, 1, 1], activation="Relu")


def group_norm(x, gamma, beta, groups, epsilon):
    n, h, w, c = x.shape
    parts = x.reshape(n, h * w, groups, c // groups).astype(np.float64)
    mean, variance = parts.mean((1, 3), keepdims=True), parts.var((1, 3), keepdims=True)
    return ((parts - mean) / np.sqrt(variance + epsilon)).reshape(x.shape) * gamma + beta


picture, skip, gamma, beta, bias = normal(2, 3, 4, 6), normal(2, 6), normal(6), normal(6), normal(6)
for name, other in ("all", normal(2, 3, 4, 6)), ("row", skip), ("square", skip[:, None, None]):
    for last in 0, 1:
        total = picture + (other if other.ndim == 4 else other[:, None, None]) + (bias if last else 0)
        y = group_norm(total, gamma, beta, 3, 1e-5)
        y = y / (1 + np.exp(-y)) if last else y
        defined(f"skipgroupnorm/{name}{last}", "SkipGroupNorm", [picture, gamma, beta, other] + ([bias] if last else []), y.astype(F), total, groups=3, activation=last, epsilon=1e-5)


def t5(table, queries, keys, both, farthest):
    """The bias of T5 (Raffel et al.): exact buckets of near distances and logarithmic ones of far ones."""
    buckets, out = len(table), np.zeros((1, table.shape[1], queries, keys), F)
    for q in range(queries):
        for k in range(keys):
            count, offset, away = buckets, 0, q - k
            if both:
                count //= 2
                offset, away = (count if away < 0 else 0), abs(away)
            away, near = max(away, 0), count // 2
            if away >= near:
                away = min(near + int(F(np.log(F(away) / F(near))) / F(np.log(F(farthest) / F(near))) * F(count - near)), count - 1)
            out[0, :, q, k] = table[offset + away]
    return out


for both in 0, 1:
    table = normal(16, 3)
    defined(f"relativebias/{both}", "RelativePositionBias", [table, np.array([20]), np.array([23])], t5(table, 20, 23, both, 21), exact=True, max_distance=21, is_bidirectional=both)

# Steps that are written into a cache, at a place of each sequence.
rng = np.random.default_rng(61)
for name, steps, at, more in (("linear", 2, [1, 3], {}), ("circular", 3, [3, 4], {"mode": "circular"}), ("start", 2, None, {}), ("axis", 2, [0, 2], {"axis": 1})):
    cache, update = [2, 3, 5, 4], [2, 3, steps, 4]
    if "axis" in more:
        cache, update = [2, 5, 3], [2, steps, 3]
    case(f"tensorscatter/{name}", "TensorScatter", [normal(*cache), normal(*update)] + ([np.array(at)] if at else []), 1, "", exact=True, version=24, **more)

# Keys that are in use, and windows around a query.
rng = np.random.default_rng(67)
q, k, past = normal(2, 2, 3, 4), normal(2, 2, 6, 4), normal(2, 2, 3, 4)
for name, more in (("all", {}), ("causal", {"is_causal": 1}), ("left", {"left_window_size": 1, "is_causal": 1}), ("right", {"right_window_size": 1}), ("both", {"left_window_size": 1, "right_window_size": 0})):
    version = 25 if any("window" in k for k in more) else 24
    case(f"attention{version}/used/{name}", "Attention", [q, k, k, None, None, None, np.array([4, 6])], 1, "", absolute=1e-6, version=version, **more)
    if version == 25:
        case(f"attention25/{name}", "Attention", [q, k, k], 1, "", absolute=1e-6, version=version, **more)
        case(f"attention25/past/{name}", "Attention", [q, k[:, :, :3], k[:, :, 3:], None, past, past], 3, "", absolute=1e-6, version=version, **more)

# Positions that are given, and queries that see what comes behind them.
q, k, v, past = normal(1, 3, 32), normal(1, 3, 16), normal(1, 3, 16), normal(1, 1, 2, 16)
angles = rng.standard_normal((9, 8))
for name, places, more in (("positions", np.array([[2, 5, 3]]), {"do_rotary": 1}), ("not_causal", None, {"causal": 0})):
    tables = [np.cos(angles).astype(F), np.sin(angles).astype(F)] if "do_rotary" in more else [None, None]
    case(f"groupquery/{name}", "GroupQueryAttention", [q, k, v, past, past, np.array([4], np.int32), np.array([5], np.int32), *tables, places], 3, MS, absolute=1e-6, num_heads=2, kv_num_heads=1, **more)

case("attention/without a bias", "Attention", [normal(2, 3, 8), normal(8, 24)], 1, MS, absolute=1e-6, num_heads=2)

# Version 26.
case("cumprod/plain", "CumProd", [normal(3, 4), np.array(1)], 1, "", version=26)
case("cumprod/reverse", "CumProd", [normal(3, 4), np.array(-2)], 1, "", version=26, exclusive=1, reverse=1)
case("cumprod/integers", "CumProd", [rng.integers(-4, 4, (2, 5)).astype(np.int32), np.array(1)], 1, "", version=26, exact=True)
for name, x, to in (("f32", normal(5), np.int32), ("i64", rng.integers(-(1 << 62), 1 << 62, 4), np.float64), ("u16", rng.integers(0, 1 << 15, 6).astype(np.uint16), np.float16), ("i8", rng.integers(-128, 128, 6).astype(np.int8), np.uint8)):
    case(f"bitcast/{name}", "BitCast", [x], 1, "", version=26, exact=True, to=int(helper.np_dtype_to_tensor_dtype(np.dtype(to))))

# Rows of tables of bytes.
rng = np.random.default_rng(71)
ids = np.array([[1, 4, 2], [0, 3, 3]], np.int32)
for name, kind in ("u8", u8), ("i8", s8):
    zeros = [kind(1)[0] for _ in range(5)]
    for segments in 0, 1:
        feeds = [ids, ids % 2 if segments else None, kind(5, 8), kind(4, 8), kind(2, 8) if segments else None, kind(8), kind(8), np.array([[1, 1, 0], [1, 1, 1]], np.int32),
                 F(0.01), F(0.02), F(0.03) if segments else None, F(0.004), F(0.015), zeros[0], zeros[1], zeros[2] if segments else None, zeros[3], zeros[4]]
        case(f"qembed/{name}/{segments}", "QEmbedLayerNormalization", feeds, 2, MS, absolute=1e-6, epsilon=1e-5)

# Experts: 2 of 4 for each token, of 8 numbers by 6 inside, and of codes in blocks.
E, D, I = 4, 8, 6
x, route = normal(2, 3, D), normal(6, E) * 6
for kind in "relu", "gelu", "silu", "identity":
    for normalized in 0, 1:
        case(f"moe/{kind}/{normalized}", "MoE", [x, route, normal(E, I, D), normal(E, I) if normalized else None, normal(E, D, I), normal(E, D) if normalized else None], 1, MS, absolute=1e-5,
             k=2, activation_type=kind, normalize_routing_weights=normalized)
case("moe/one", "MoE", [normal(1, D), route[:1], normal(E, I, D), None, normal(E, D, I)], 1, MS, absolute=1e-5, k=3, activation_type="silu")
turns = {"activation_type": "swiglu", "swiglu_fusion": 1, "normalize_routing_weights": 1, "k": 2}
clamped = turns | {"activation_alpha": 1.702, "activation_beta": 1.0, "swiglu_limit": 0.7}
for name, more in ("plain", turns), ("clamped", clamped):
    case(f"moe/swiglu/{name}", "MoE", [x[0], route[:3], normal(E, 2 * I, D), normal(E, 2 * I), normal(E, D, I), normal(E, D)], 1, MS, absolute=1e-5, **more)
E, D, I = 3, 16, 32
x, route = normal(1, 5, D), normal(5, E) * 6
for bits in 2, 4, 8:
    for block in 0, 16:
        for zero in 0, 1:
            n1, n2 = D // (block or D), I // (block or I)
            scale = 0.4 / 2**bits
            s1, s2 = [rng.uniform(scale / 2, scale, d).astype(F) for d in (((E, 2 * I, n1), (E, D, n2)) if block else ((E, 2 * I), (E, D)))]
            up = lambda n: -(-n * bits // 8)
            zeros = ([u8(E, 2 * I, up(n1)), u8(E, D, up(n2))] if block else [u8(E, up(2 * I)), u8(E, up(D))]) if zero else []
            feeds = [x, route, u8(E, 2 * I, D * bits // 8), s1, normal(E, 2 * I), u8(E, D, I * bits // 8), s2, normal(E, D)] + ([None] * 3 + zeros if zero else [])
            case(f"qmoe/{bits}/{block}/{zero}", "QMoE", feeds, 1, MS, absolute=1e-5, expert_weight_bits=bits, **(clamped | {"swiglu_limit": 7.0}), **({"block_size": block} if block else {}))
for normalized in 0, 1:
    feeds = [x, route, u8(E, I, D), rng.uniform(0.001, 0.002, (E, I)).astype(F), None, u8(E, D, I), rng.uniform(0.001, 0.002, (E, D)).astype(F)]
    more = {"k": 2, "activation_type": "silu", "normalize_routing_weights": normalized, "expert_weight_bits": 8}
    case(f"qmoe/silu/{normalized}", "QMoE", feeds, 1, MS, absolute=1e-5, **more)
    case(f"qmoe/mixing/{normalized}", "QMoE", feeds + [None] * 7 + [rng.uniform(0.1, 0.9, (5, E)).astype(F)], 1, MS, absolute=1e-5, **more)


def mixture(x, route, first, second, activation, third=None, used=2):
    """Experts by the words of the documentation: x is [T, D]."""
    p, y = np.exp(route - route.max(-1, keepdims=True)), np.zeros_like(x)
    p /= p.sum(-1, keepdims=True)
    for t, row in enumerate(x):
        for e in np.argsort(-p[t])[:used]:
            y[t] += p[t, e] * (second[e] @ activation(first[e] @ row, None if third is None else third[e] @ row))
    return y


sigmoid = lambda v: 1 / (1 + np.exp(-v))
E, D, I = 4, 8, 6
route = normal(3, E) * 6
x, w1, w2, w3 = normal(3, D), normal(E, I, D), normal(E, D, I), normal(E, I, D)
defined("moe/three", "MoE", [x, route[:3], w1, None, w2, None, w3], mixture(x, route[:3], w1, w2, lambda g, u: g * sigmoid(g) * u, w3), k=2, activation_type="silu")
defined("moe/swiglu/three", "MoE", [x, route[:3], w1, None, w2, None, w3], mixture(x, route[:3], w1, w2, lambda g, u: g * sigmoid(1.5 * g) * (u + 0.5), w3), k=2,
        activation_type="swiglu", activation_alpha=1.5, activation_beta=0.5)
codes, low, scales = u8(E, I, D), u8(E, D, I // 2), [rng.uniform(0.001, 0.002, (E, I)).astype(F), rng.uniform(0.02, 0.04, (E, D)).astype(F)]
wide = np.stack([low & 15, low >> 4], -1).reshape(E, D, I)
share = np.sort(np.exp(route[:3]), -1)[:, -2:].sum(-1) / np.exp(route[:3]).sum(-1)
defined("qmoe/bits", "QMoE", [x, route[:3], codes, scales[0], None, low, scales[1]],
        mixture(x, route[:3], (codes.astype(F) - 128) * scales[0][..., None], (wide.astype(F) - 8) * scales[1][..., None], lambda g, _: np.maximum(g, 0)) / share[:, None], k=2,
        normalize_routing_weights=1, expert_weight_bits=8, fc2_expert_weight_bits=4)
w2 = normal(E, D, I // 2)
defined("moe/swiglu/halves", "MoE", [x, route[:3], w1, None, w2], mixture(x, route[:3], w1, w2, lambda g, _: g[:I // 2] * sigmoid(g[:I // 2]) * g[I // 2:]), k=2,
        activation_type="swiglu", swiglu_fusion=2)
defined("moe/relu2", "MoE", [x, route[:3], w1, None, normal(E, D, I) * 0 + w3.transpose(0, 2, 1)], mixture(x, route[:3], w1, w3.transpose(0, 2, 1), lambda g, _: np.maximum(g, 0)**2), k=2,
        activation_type="relu2")

# A sink of each head, norms of heads, and one step of a decoder.
q, k, v, past = normal(1, 2, 32), normal(1, 2, 16), normal(1, 2, 16), normal(1, 1, 3, 16)
ends = [np.array([4], np.int32), np.array([5], np.int32)]
for name, sink, more in ("smooth", None, {"smooth_softmax": 1}), ("sink", normal(2) * 4, {}), ("sink/window", normal(2) * 4, {"local_window_size": 3}), ("sink/cap", normal(2), {"softcap": 0.5}):
    case(f"groupquery/{name}", "GroupQueryAttention", [q, k, v, past, past * 0.5, *ends, None, None, None, None, sink][:12 if sink is not None else 7], 3, MS, absolute=1e-6,
         num_heads=2, kv_num_heads=1, **more)
gamma, beta = normal(16) + 1, normal(16) + 1
tables = [np.cos(normal(6, 8)), np.sin(normal(6, 8))]
shapes = [np.array([1, 2, -1, 16]), np.array([1, 2, -1])]


def normed(to, x, gamma, epsilon):
    nodes = [helper.make_node("Reshape", [x, "apart"], [f"{to}.a"]), helper.make_node("SimplifiedLayerNormalization", [f"{to}.a", gamma], [f"{to}.b"], axis=-1, epsilon=epsilon),
             helper.make_node("Reshape", [f"{to}.b", "flat"], [to])]
    return nodes


feeds = [q, k, v, past, past * 0.5, *ends, *tables]
inputs = {f"x{i}": x for i, x in enumerate(feeds)} | {"gamma": gamma, "beta": beta, "apart": shapes[0], "flat": shapes[1]}
nodes = normed("q", "x0", "gamma", 1e-3) + normed("k", "x1", "beta", 1e-6) + [helper.make_node(
    "GroupQueryAttention", ["q", "k"] + [f"x{i}" for i in range(2, 9)], ["y0", "y1", "y2"], domain=MS, num_heads=2, kv_num_heads=1, do_rotary=1)]
parts = helper.make_model(helper.make_graph(
    nodes, "g", [helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape) for n, x in inputs.items()], [onnx.ValueInfoProto(name=f"y{i}") for i in range(3)]),
    opset_imports=[helper.make_opsetid("", 21), helper.make_opsetid(MS, 1)], ir_version=10)
want = onnxruntime.InferenceSession(parts.SerializeToString(), providers=["CPUExecutionProvider"]).run(None, inputs)
defined("groupquery/norms", "GroupQueryAttention", feeds + [None] * 5 + [gamma, beta], *want, num_heads=2, kv_num_heads=1, do_rotary=1, q_norm_epsilon=1e-3)
q, k, v, past, bias = normal(2, 1, 8), normal(2, 1, 8), normal(2, 1, 8), normal(2, 2, 3, 4), normal(24)
case("maskeddecoder/cross", "DecoderMaskedMultiHeadAttention", [q, normal(2, 2, 5, 4), normal(2, 2, 5, 4)], 1, MS, absolute=1e-6, num_heads=2)
case("maskeddecoder/flags", "DecoderMaskedMultiHeadAttention", [q, normal(2, 2, 5, 4), normal(2, 2, 5, 4), np.array([[1, 1, 0, 0, 1], [1, 1, 1, 1, 0]], np.int32)], 1, MS, absolute=1e-6, num_heads=2)
model = helper.make_model(helper.make_graph(
    [helper.make_node("MultiHeadAttention", ["q", "k", "v", "bias", "", "", "past", "past"], ["y0", "y1", "y2"], domain=MS, num_heads=2)], "g",
    [helper.make_tensor_value_info(n, 1, x.shape) for n, x in (("q", q), ("k", k), ("v", v), ("bias", bias), ("past", past))], [onnx.ValueInfoProto(name=f"y{i}") for i in range(3)]),
    opset_imports=[helper.make_opsetid("", 21), helper.make_opsetid(MS, 1)], ir_version=10)
want = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"]).run(None, {"q": q, "k": k, "v": v, "bias": bias, "past": past})
defined("maskeddecoder/past", "DecoderMaskedMultiHeadAttention", [q, k, v, None, None, past, past, None, None, None, bias], *want, num_heads=2)

# Regions of pictures.
rng = np.random.default_rng(73)
regions = np.array([[0, 1, 0, 6, 5], [1, 0, 2, 3, 3], [1, 4, 4, 2, 2], [0, 5, 1, 12, 9], [1, 2.5, 1.5, 4.5, 4.25]], F)
for scale in 1.0, 0.6:
    for bins in [2, 3], [1, 1], [4, 5]:
        case(f"maxroipool/{scale}/{bins[0]}", "MaxRoiPool", [normal(2, 3, 6, 7), regions], 1, "", exact=True, pooled_shape=bins, spatial_scale=scale)
boxes = np.array([[0, 0, 1, 1], [0.1, 0.2, 0.7, 0.9], [0.8, 0.9, 0.3, 0.1], [-0.2, 0.1, 0.6, 1.3], [0.5, 0.5, 0.5, 0.5]], F)
for mode in "bilinear", "nearest":
    for to in [3, 4], [1, 2], [5, 1]:
        case(f"crop/{mode}/{to[0]}", "CropAndResize", [normal(2, 3, 6, 7), boxes, np.array([0, 1, 1, 0, 1], np.int32), np.array(to, np.int32)], 1, MS, absolute=1e-6, constants=[3], mode=mode,
             extrapolation_value=0.25)

# Windows, scores without repeated runs, and hashes.
rng = np.random.default_rng(79)
for name, more in ("first", {"dim": 0, "size": 2}), ("inner", {"dim": 1, "size": 4, "step": 2}), ("last", {"dim": -1, "size": 3, "step": 3}):
    case(f"unfold/{name}", "UnfoldTensor", [normal(3, 9, 4)], 1, MS, exact=True, **more)
words = np.array([[1, 2, 3, 1, 2, 4, 1, 2], [4, 4, 4, 4, 4, 4, 4, 4], [0, 1, 2, 3, 4, 5, 0, 5]])
for size in 1, 2, 3, 8, 9:
    case(f"repeats/{size}", "NGramRepeatBlock", [words, normal(3, 6)], 1, MS, exact=True, ngram_size=size)
for kind in np.int32, np.uint32, np.int64, np.uint64, F, np.float64:
    x = (rng.standard_normal(6) * 1e6).astype(kind) if np.issubdtype(kind, np.floating) else rng.integers(0, np.iinfo(kind).max, 6, dtype=kind)
    case(f"murmur/{np.dtype(kind).name}", "MurmurHash3", [x], 1, MS, exact=True, positive=int(kind != np.int32), seed=0 if kind == F else 77)

# Attention to some blocks of keys. ONNX Runtime's past and present are one buffer.
rng = np.random.default_rng(83)
block, room = 16, 64
layout = np.tril(np.ones((2, 4, 4), bool))
layout[0, 3, 1] = layout[1, 2, 0] = layout[1, 3, 0] = layout[1, 3, 2] = False
ends = np.array([np.concatenate([[0], np.cumsum(m.sum(1))]) for m in layout], np.int32)
columns = np.full((2, ends[:, -1].max()), -1, np.int32)
for m, to in zip(layout, columns):
    to[:m.sum()] = np.nonzero(m)[1]
tables = [f(np.arange(room)[:, None] * 0.1 ** np.arange(8)).astype(F) for f in (np.cos, np.sin)]
for name, steps, total, rotary in ("prompt", 40, 40, 0), ("step", 1, 37, 1), ("some", 5, 50, 1), ("packed", 3, 20, 0):
    q, k, v = normal(1, steps, 32), normal(1, steps, 16), normal(1, steps, 16)
    feeds = ([np.concatenate([q, k, v], -1), None, None] if name == "packed" else [q, k, v]) + [
        normal(1, 1, room, 16), normal(1, 1, room, 16), ends, columns, np.array([total], np.int32), np.array([total], np.int32)] + (tables if rotary else [])
    inputs = {f"x{i}": x for i, x in enumerate(feeds) if x is not None}
    more = {"num_heads": 2, "kv_num_heads": 1, "sparse_block_size": block, "do_rotary": rotary}
    fixed = {"x5", "x6"}
    node = helper.make_node("SparseAttention", ["" if x is None else f"x{i}" for i, x in enumerate(feeds)], ["y0", "y1", "y2"], domain=MS, **more)
    model = helper.make_model(helper.make_graph(
        [node], "g", [helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape) for n, x in inputs.items() if n not in fixed],
        [onnx.ValueInfoProto(name=y) for y in node.output], [onnx.numpy_helper.from_array(inputs[n], n) for n in sorted(fixed)]),
        opset_imports=[helper.make_opsetid("", 21), helper.make_opsetid(MS, 1)], ir_version=10, producer_name="")
    binding = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    io, kept = binding.io_binding(), {n: onnxruntime.OrtValue.ortvalue_from_numpy(x.copy()) for n, x in inputs.items() if n not in fixed}
    for n, x in kept.items():
        io.bind_ortvalue_input(n, x)
    io.bind_output("y0")
    io.bind_ortvalue_output("y1", kept["x3"])
    io.bind_ortvalue_output("y2", kept["x4"])
    binding.run_with_iobinding(io)
    cases.append({"name": f"sparse/{name}", "exact": False, "absolute": 1e-6, "model": base64.b64encode(model.SerializeToString()).decode(),
                  "inputs": [tensor(x) for n, x in inputs.items() if n not in fixed], "outputs": [tensor(y.numpy().copy()) for y in io.get_outputs()]})

print("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]")
