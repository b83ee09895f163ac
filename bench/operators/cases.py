"""Writes single operators, and encoders of many, as ONNX files: cases.py FOLDER [NAME...]

For each case, or each that is named, FOLDER/N.onnx is the model, and FOLDER/N.npz has its arguments and, as
"want:" and a name, what NumPy or ONNX's reference evaluator computes in f64. The standard output is a line of JSON
for each: the name, both files, the name of the function for XLA and the file in int8, if there are any. Without a folder (-) it is the names alone.

The first size of each operator is one of the measured list; three are others that models have.
"""

import json
import os
import sys

import numpy
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from onnxruntime.quantization import QuantType, quantize_dynamic

RANDOM = None  # of a case
F32 = numpy.float32


def normal(*shape, scale=1.0):
    return (RANDOM.standard_normal(shape) * scale).astype(F32)


class Model:
    """A graph under construction: arguments and weights in f32, which the reference has in f64."""

    def __init__(self):
        self.nodes, self.arguments, self.weights, self.count = [], {}, {}, 0

    def argument(self, value):
        name = "x%d" % len(self.arguments)
        self.arguments[name] = value
        return name

    def weight(self, value):
        name = "w%d" % len(self.weights)
        self.weights[name] = numpy.asarray(value)
        return name

    def add(self, op, *inputs, outputs=1, domain="", **attributes):
        names = ["v%d" % (self.count + i) for i in range(outputs)]
        self.count += outputs
        self.nodes.append(helper.make_node(op, list(inputs), names, domain=domain, **attributes))
        return names[0] if outputs == 1 else names

    def proto(self, result, cast=lambda v: v):
        inputs = [
            helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(cast(v).dtype), v.shape) for n, v in self.arguments.items()]
        weights = [numpy_helper.from_array(cast(v), n) for n, v in self.weights.items()]
        kind = helper.np_dtype_to_tensor_dtype(cast(numpy.zeros(1, F32)).dtype)
        graph = helper.make_graph(self.nodes, "operator", inputs, [helper.make_tensor_value_info(result, kind, None)], weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


def double(v):
    return v.astype(numpy.float64) if v.dtype == F32 else v


def conv(channels, features, kernel, size, stride=1, groups=1, dilation=1):
    m = Model()
    n, k = len(size), [kernel] * len(size)
    pad = dilation * (kernel - 1) // 2
    fan = channels // groups * kernel**n
    y = m.add(
        "Conv", m.argument(normal(1, channels, *size)), m.weight(normal(features, channels // groups, *k, scale=fan**-0.5)),
        m.weight(normal(features)), pads=[pad] * 2 * n, strides=[stride] * n, dilations=[dilation] * n, group=groups)
    return m, y, None


def depthwise(channels, kernel, size, stride=1):
    return conv(channels, channels, kernel, [size, size], stride, groups=channels)


def transposed(channels, features, kernel, stride, size, pads=0):
    m, n = Model(), len(size)
    y = m.add(
        "ConvTranspose", m.argument(normal(1, channels, *size)), m.weight(normal(channels, features, *[kernel] * n, scale=channels**-0.5)),
        m.weight(normal(features)), strides=[stride] * n, pads=[pads] * 2 * n)
    return m, y, None


def weights_of(size, scale, linear):
    """The matrix of a resize of one dimension, with half_pixel positions (linear) or asymmetric ones rounded down."""
    matrix = numpy.zeros((size * scale, size))
    for i in range(size * scale):
        if not linear:
            matrix[i, i // scale] = 1
            continue
        at = min(max((i + 0.5) / scale - 0.5, 0), size - 1)
        low = int(at)
        matrix[i, low] += 1 - (at - low)
        matrix[i, min(low + 1, size - 1)] += at - low
    return matrix


def resize(channels, size, scale, linear):
    m = Model()
    x = normal(1, channels, size, size)
    mode = {"mode": "linear", "coordinate_transformation_mode": "half_pixel"} if linear else {
        "mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
    y = m.add("Resize", m.argument(x), "", m.weight(numpy.array([1, 1, scale, scale], F32)), **mode)
    w = weights_of(size, scale, linear)
    return m, y, w @ double(x) @ w.T


def matmul(rows, depth, columns, half=False):
    m = Model()
    w = normal(depth, columns, scale=depth**-0.5)
    if half:
        w = m.add("Cast", m.weight(w.astype(numpy.float16)), to=TensorProto.FLOAT)
        x = normal(rows, depth)
        stored = m.weights["w0"]
        return m, m.add("MatMul", m.argument(x), w), double(x) @ stored.astype(numpy.float64)
    return m, m.add("MatMul", m.argument(normal(rows, depth)), m.weight(w)), None


def quantized(rows, depth, columns):
    """A product as quantize_dynamic writes it; what it loses to f64 is the quantization's, so it has no reference."""
    m = Model()
    q, scale, zero = m.add("DynamicQuantizeLinear", m.argument(normal(rows, depth)), outputs=3)
    w = RANDOM.integers(-64, 64, (depth, columns)).astype(numpy.int8)  # of 7 bits: sums of pairs do not saturate
    y = m.add("Cast", m.add("MatMulInteger", q, m.weight(w), zero), to=TensorProto.FLOAT)
    return m, m.add("Mul", y, m.add("Mul", scale, m.weight(numpy.array(0.01, F32)))), False


def weight_only(rows, depth, columns):
    m = Model()
    x, q = normal(rows, depth), RANDOM.integers(-127, 128, (depth, columns)).astype(numpy.int8)
    scales = (numpy.abs(normal(columns)) * 0.01 * depth**-0.5 + 0.001).astype(F32)
    w = m.add("Mul", m.add("Cast", m.weight(q), to=TensorProto.FLOAT), m.weight(scales))
    return m, m.add("MatMul", m.argument(x), w), double(x) @ (q * double(scales))


def softmax(*shape):
    m = Model()
    return m, m.add("Softmax", m.argument(normal(*shape)), axis=-1), None


def layernorm(rows, width, decomposed=False):
    m = Model()
    x, g, b = m.argument(normal(rows, width)), m.weight(normal(width)), m.weight(normal(width))
    if not decomposed:
        return m, m.add("LayerNormalization", x, g, b, axis=-1, epsilon=1e-5), None
    axes = m.weight(numpy.array([-1]))
    centred = m.add("Sub", x, m.add("ReduceMean", x, axes))
    variance = m.add("ReduceMean", m.add("Mul", centred, centred), axes)
    y = m.add("Div", centred, m.add("Sqrt", m.add("Add", variance, m.weight(numpy.array(1e-5, F32)))))
    return m, m.add("Add", m.add("Mul", y, g), b), None


def gelu(rows, width):
    m = Model()
    x = m.argument(normal(rows, width))
    y = m.add("Add", m.add("Erf", m.add("Div", x, m.weight(numpy.array(2**0.5, F32)))), m.weight(numpy.array(1, F32)))
    return m, m.add("Mul", m.add("Mul", x, y), m.weight(numpy.array(0.5, F32))), None


def lstm(steps, inputs, hidden):
    m = Model()
    y = m.add(
        "LSTM", m.argument(normal(steps, 1, inputs)), m.weight(normal(1, 4 * hidden, inputs, scale=inputs**-0.5)),
        m.weight(normal(1, 4 * hidden, hidden, scale=hidden**-0.5)), m.weight(normal(1, 8 * hidden, scale=0.1)), hidden_size=hidden)
    return m, y, None


def maxpool(channels, size, kernel, stride):
    m = Model()
    x = normal(1, channels, size, size)
    y = m.add("MaxPool", m.argument(x), kernel_shape=[kernel] * 2, strides=[stride] * 2, pads=[kernel // 2] * 4)
    p = kernel // 2
    padded = numpy.pad(double(x), ((0, 0), (0, 0), (p, p), (p, p)), constant_values=-numpy.inf)
    windows = numpy.lib.stride_tricks.sliding_window_view(padded, (kernel, kernel), axis=(2, 3))
    return m, y, windows[:, :, ::stride, ::stride].max(axis=(4, 5))


def average(channels, size):
    m = Model()
    return m, m.add("GlobalAveragePool", m.argument(normal(1, channels, size, size))), None


def hardswish(channels, size):
    m = Model()
    return m, m.add("HardSwish", m.argument(normal(1, channels, size, size, scale=3))), None


def attention(heads, queries, width, keys=0):
    m = Model()
    q, k, v = (m.argument(normal(1, heads, n, width)) for n in (queries, keys or queries, keys or queries))
    scores = m.add("MatMul", m.add("Mul", q, m.weight(numpy.array(width**-0.5, F32))), m.add("Transpose", k, perm=[0, 1, 3, 2]))
    return m, m.add("MatMul", m.add("Softmax", scores, axis=-1), v), None


def bert(batch, length, layers, width=384, heads=12, words=2048):
    """An encoder with MiniLM's sizes, for sentences without padding. A call takes the same time whatever the weights are."""
    m, size = Model(), width // heads
    shapes = {"split": [batch, length, heads, size], "join": [batch, length, width]}
    split, join = (m.weight(numpy.array(shapes[n])) for n in ("split", "join"))

    def dense(x, inputs, outputs):
        y = m.add("MatMul", x, m.weight(normal(inputs, outputs, scale=inputs**-0.5)))
        return m.add("Add", y, m.weight(normal(outputs, scale=0.1)))

    def norm(x):
        return m.add("LayerNormalization", x, m.weight(1 + normal(width, scale=0.1)), m.weight(normal(width, scale=0.1)), axis=-1, epsilon=1e-12)

    def by_head(x, perm):
        return m.add("Transpose", m.add("Reshape", dense(x, width, width), split), perm=perm)

    def constant(x):
        return m.weight(numpy.array(x, F32))

    ids = m.argument(RANDOM.integers(0, words, (batch, length)))
    x = norm(m.add("Add", m.add("Gather", m.weight(normal(words, width)), ids), m.weight(normal(length, width))))
    for _ in range(layers):
        q, k, v = by_head(x, [0, 2, 1, 3]), by_head(x, [0, 2, 3, 1]), by_head(x, [0, 2, 1, 3])
        weights = m.add("Softmax", m.add("Mul", m.add("MatMul", q, k), constant(size**-0.5)), axis=-1)
        y = m.add("Reshape", m.add("Transpose", m.add("MatMul", weights, v), perm=[0, 2, 1, 3]), join)
        x = norm(m.add("Add", x, dense(y, width, width)))
        y = dense(x, width, 4 * width)
        y = m.add("Mul", m.add("Mul", y, m.add("Add", m.add("Erf", m.add("Div", y, constant(2**0.5))), constant(1))), constant(0.5))
        x = norm(m.add("Add", x, dense(y, 4 * width, width)))
    return m, x, None


def square(n):
    return [n, n]


# Each operator with its sizes: the words of the name's end, and the arguments.
CASES = {
    "conv 3x3": (conv, {
        "64>64 80x80": (64, 64, 3, square(80)), "128>128 20x20": (128, 128, 3, square(20)), "32>64 112x112": (32, 64, 3, square(112)),
        "256>256 14x14": (256, 256, 3, square(14))}),
    "conv 1x1": (conv, {
        "96>96 80x80": (96, 96, 1, square(80)), "32>16 112x112": (32, 16, 1, square(112)), "320>1280 7x7": (320, 1280, 1, square(7)),
        "40>240 28x28": (40, 240, 1, square(28))}),
    "depthwise 3x3": (depthwise, {"96 80x80": (96, 3, 80), "32 112x112": (32, 3, 112), "240 28x28": (240, 3, 28), "672 14x14": (672, 3, 14)}),
    "depthwise 5x5 s2": (depthwise, {
        "96 80x80": (96, 5, 80, 2), "144 56x56": (144, 5, 56, 2), "672 14x14": (672, 5, 14, 2), "240 28x28": (240, 5, 28, 2)}),
    "conv 3x3 s2": (conv, {
        "3>32 320x320": (3, 32, 3, square(320), 2), "3>32 224x224": (3, 32, 3, square(224), 2), "64>128 56x56": (64, 128, 3, square(56), 2),
        "128>256 28x28": (128, 256, 3, square(28), 2)}),
    "transposed 2x2 s2": (transposed, {
        "24>24 80x80": (24, 24, 2, 2, square(80)), "64>32 40x40": (64, 32, 2, 2, square(40)), "96>24 80x80": (96, 24, 2, 2, square(80)),
        "128>64 20x20": (128, 64, 2, 2, square(20))}),
    "transposed 1d 16 s8": (transposed, {
        "256>128 56": (256, 128, 16, 8, [56], 4), "256>128 200": (256, 128, 16, 8, [200], 4), "128>64 448": (128, 64, 16, 8, [448], 4),
        "512>256 32": (512, 256, 16, 8, [32], 4)}),
    "conv 1d 7 d3": (conv, {
        "64>64 4096": (64, 64, 7, [4096], 1, 1, 3), "32>32 16384": (32, 32, 7, [16384], 1, 1, 3), "128>128 1024": (128, 128, 7, [1024], 1, 1, 3),
        "256>256 448": (256, 256, 7, [448], 1, 1, 3)}),
    "resize nearest x2": (resize, {
        "24 80x80": (24, 80, 2, False), "96 40x40": (96, 40, 2, False), "256 20x20": (256, 20, 2, False), "64 13x13": (64, 13, 2, False)}),
    "resize linear x16": (resize, {"64 14x14": (64, 14, 16, True)}),
    "resize linear x2": (resize, {"96 26x26": (96, 26, 2, True), "24 80x80": (24, 80, 2, True), "256 20x20": (256, 20, 2, True)}),
    "matmul f32": (matmul, {
        "128x384x1536": (128, 384, 1536), "16x384x1536": (16, 384, 1536), "1x384x1536": (1, 384, 1536), "1500x384x384": (1500, 384, 384),
        "4096x64x4096": (4096, 64, 4096), "256": (256,) * 3, "512": (512,) * 3, "1024": (1024,) * 3, "2048": (2048,) * 3, "4096": (4096,) * 3}),
    "matmul f16 weights": (matmul, {
        "128x384x1536": (128, 384, 1536, True), "1x384x1536": (1, 384, 1536, True), "256": (256, 256, 256, True), "512": (512, 512, 512, True),
        "1024": (1024, 1024, 1024, True), "2048": (2048, 2048, 2048, True), "4096": (4096, 4096, 4096, True)}),
    "matmul int8 dynamic": (quantized, {
        "128x384x1536": (128, 384, 1536), "16x384x1536": (16, 384, 1536), "128x1536x384": (128, 1536, 384), "1x384x1536": (1, 384, 1536)}),
    "matmul int8 weights": (weight_only, {
        "16x384x1536": (16, 384, 1536), "1x384x1536": (1, 384, 1536), "128x384x1536": (128, 384, 1536), "16x1536x384": (16, 1536, 384)}),
    "softmax": (softmax, {"12x128x128": (12, 128, 128), "12x512x512": (12, 512, 512), "512x1024": (512, 1024), "1x50257": (1, 50257)}),
    "layer norm": (layernorm, {"128x384": (128, 384), "512x768": (512, 768), "16x384": (16, 384), "1500x384": (1500, 384)}),
    "layer norm in parts": (layernorm, {
        "128x384": (128, 384, True), "512x768": (512, 768, True), "16x384": (16, 384, True), "1500x384": (1500, 384, True)}),
    "gelu": (gelu, {"128x1536": (128, 1536), "16x1536": (16, 1536), "512x3072": (512, 3072), "1500x1536": (1500, 1536)}),
    "lstm": (lstm, {"20 512>512": (20, 512, 512), "1 128>128": (1, 128, 128), "100 64>64": (100, 64, 64), "40 256>256": (40, 256, 256)}),
    "max pool 3x3 s2": (maxpool, {"64 112x112": (64, 112, 3, 2), "32 56x56": (32, 56, 3, 2), "24 208x208": (24, 208, 3, 2), "128 28x28": (128, 28, 3, 2)}),
    "average pool": (average, {"96 80x80": (96, 80), "1280 7x7": (1280, 7), "240 28x28": (240, 28), "32 112x112": (32, 112)}),
    "hard swish": (hardswish, {"96 80x80": (96, 80), "16 112x112": (16, 112), "240 28x28": (240, 28), "672 14x14": (672, 14)}),
    "attention": (attention, {
        "12x512x64": (12, 512, 64), "12x128x32": (12, 128, 32), "6x1500x64": (6, 1500, 64), "12x1x64 of 512": (12, 1, 64, 512)}),
    "bert 6x384": (bert, {"1x16": (1, 16, 6), "1x128": (1, 128, 6), "32x128": (32, 128, 6)}),
    "bert 12x384": (bert, {"1x16": (1, 16, 12), "1x128": (1, 128, 12), "32x128": (32, 128, 12)}),
}

# What peers compute in int8, too, from a file that ONNX Runtime's quantize_dynamic makes.
INT8 = ["bert"]


# What xla_contestant.py computes, too; it takes the weights from the arrays.
XLA = ["softmax", "layernorm", "gelu", "attention"]


def names():
    return [(op + " " + size, make, arguments) for op, (make, sizes) in CASES.items() for size, arguments in sizes.items()]


def write(folder, number, name, make, arguments):
    global RANDOM
    RANDOM = numpy.random.default_rng(number)
    m, result, want = make(*arguments)
    path = os.path.join(folder, str(number))
    with open(path + ".onnx", "wb") as f:
        f.write(m.proto(result).SerializeToString())
    if want is None:
        feed = {n: double(v) for n, v in m.arguments.items()}
        want = ReferenceEvaluator(m.proto(result, double)).run(None, feed)[0]
    arrays = dict(m.arguments)
    if want is not False:
        arrays["want"] = numpy.asarray(want, numpy.float64)
    xla = make.__name__ in XLA
    if xla:
        arrays |= m.weights
    numpy.savez(path + ".npz", **arrays)
    made = {"name": name, "model": path + ".onnx", "arrays": path + ".npz", "function": make.__name__ if xla else "", "int8": ""}
    if make.__name__ in INT8:
        made["int8"] = path + ".int8.onnx"
        quantize_dynamic(made["model"], made["int8"], weight_type=QuantType.QInt8)
    return made


def main():
    folder, only = sys.argv[1], sys.argv[2:]
    for number, (name, make, arguments) in enumerate(names()):
        if only and name not in only:
            continue
        print(json.dumps({"name": name} if folder == "-" else write(folder, number, name, make, arguments)), flush=True)


if __name__ == "__main__":
    main()
