"""Writes dequantized.json: small quantized models, with the outputs that ONNX Runtime gives
for the same in f32: weights less their zero points times their scales, nothing rounded, and
a Clip where a QuantizeLinear would clamp.

    pip install numpy onnx==1.23.2 onnxruntime==1.32.0
    python3 gen_dequantized.py > dequantized.json
"""
import base64
import json

import numpy as np
import onnx.parser
import onnxruntime
from onnx import helper, numpy_helper

rng = np.random.default_rng(23)
F = np.float32
cases = []


def x(*dims):
    return rng.standard_normal(dims).astype(F)


def whole(kind, *dims):
    return rng.integers(np.iinfo(kind).min, np.iinfo(kind).max + 1, dims).astype(kind)


def tensor(a):
    a = np.asarray(a)
    return {"type": helper.np_dtype_to_tensor_dtype(a.dtype), "dims": list(a.shape), "data": np.ascontiguousarray(a).tobytes().hex()}


def parsed(text, weights):
    model = onnx.parser.parse_model(f'<ir_version: 9, opset_import: ["" : 17, "com.microsoft" : 1]>\n{text}')
    for key, value in weights.items():
        model.graph.initializer.append(numpy_helper.from_array(np.asarray(value), key))
    return model.SerializeToString()


def case(name, quantized, weights, floats, float_weights, *calls):
    session = onnxruntime.InferenceSession(parsed(floats, float_weights), providers=["CPUExecutionProvider"])
    recorded = [{"inputs": {k: tensor(v) for k, v in feed.items()},
                 "outputs": {o.name: tensor(v) for o, v in zip(session.get_outputs(), session.run(None, feed))}} for feed in calls]
    cases.append({"name": name, "model": base64.b64encode(parsed(quantized, weights)).decode(), "dequantize": True, "calls": recorded})


def product(name, kind, zeros):
    w = whole(kind, 7, 5)
    z = np.asarray(zeros, kind)
    s, bias = np.abs(x(5)) + F(0.1), x(5)
    of = (w.astype(F) - z.astype(F)) * s
    case(name, """g (float[batch, seq, 7] x) => (float[batch, seq, 5] y) {
      q, scale, zero = DynamicQuantizeLinear (x)
      sum = MatMulInteger (q, w, zero, z)
      float_sum = Cast <to = 1> (sum)
      both = Mul (scale, s)
      scaled = Mul (float_sum, both)
      y = Add (scaled, bias)
    }""", {"w": w, "z": z, "s": s, "bias": bias}, """g (float[batch, seq, 7] x) => (float[batch, seq, 5] y) {
      p = MatMul (x, w)
      y = Add (p, bias)
    }""", {"w": of, "bias": bias}, {"x": x(2, 3, 7)}, {"x": x(1, 1, 7)})


product("product", np.int8, 0)
product("product_with_a_zero_point", np.uint8, 117)
product("product_with_a_zero_point_for_each_column", np.int8, [3, -5, 0, 100, -128])

w, z, s, bias = whole(np.uint8, 7, 5), np.uint8(90), F(0.03), x(5)
floats = """g (float[batch, 7] x) => (float[batch, 5] y) {
  p = MatMul (x, w)
  y = Add (p, bias)
}"""
of = {"w": (w.astype(F) - F(90)) * s, "bias": bias}
case("product_to_float", """g (float[batch, 7] x) => (float[batch, 5] y) {
  q, scale, zero = DynamicQuantizeLinear (x)
  y = com.microsoft.MatMulIntegerToFloat (q, w, scale, s, zero, z, bias)
}""", {"w": w, "z": z, "s": s, "bias": bias}, floats, of, {"x": x(4, 7)})
case("dynamic_product", """g (float[batch, 7] x) => (float[batch, 5] y) {
  y = com.microsoft.DynamicQuantizeMatMul (x, w, s, z, bias)
}""", {"w": w, "z": z, "s": s, "bias": bias}, floats, of, {"x": x(4, 7)})

k, kz = whole(np.uint8, 4, 3, 3, 3), np.uint8(131)
case("convolution", """g (float[batch, 3, h, w] x) => (float[batch, 4, a, b] y) {
  q, scale, zero = DynamicQuantizeLinear (x)
  sum = ConvInteger <pads = [1, 1, 1, 1], strides = [2, 2]> (q, k, zero, kz)
  float_sum = Cast <to = 1> (sum)
  both = Mul (scale, s)
  y = Mul (float_sum, both)
}""", {"k": k, "kz": kz, "s": s}, """g (float[batch, 3, h, w] x) => (float[batch, 4, a, b] y) {
  y = Conv <pads = [1, 1, 1, 1], strides = [2, 2]> (x, k)
}""", {"k": (k.astype(F) - F(131)) * s}, {"x": x(1, 3, 6, 8)}, {"x": x(2, 3, 5, 5)})

# A bias that is made an integer by the scales, and added before the sum is one of floats; in
# older models of ONNX Runtime's quantizer.
bias4, s4 = x(4), np.abs(x(4)) * F(0.01) + F(0.001)
case("convolution_with_a_bias_of_integers", """g (float[batch, 3, h, w] x) => (float[batch, 4, a, b] y) {
  q, scale, zero = DynamicQuantizeLinear (x)
  both = Mul (scale, s)
  in_scales = Div (bias, both)
  down = Floor (in_scales)
  whole = Cast <to = 6> (down)
  sum = ConvInteger <pads = [1, 1, 1, 1]> (q, k, zero, kz)
  total = Add (sum, whole)
  float_sum = Cast <to = 1> (total)
  y = Mul (float_sum, both)
}""", {"k": k, "kz": kz, "s": s4.reshape(4, 1, 1), "bias": bias4.reshape(4, 1, 1)}, """g (float[batch, 3, h, w] x) => (float[batch, 4, a, b] y) {
  y = Conv <pads = [1, 1, 1, 1]> (x, k, bias)
}""", {"k": (k.astype(F) - F(131)) * s4.reshape(4, 1, 1, 1), "bias": bias4}, {"x": x(1, 3, 6, 8)}, {"x": x(2, 3, 5, 5)})

# One that is stored as integers, with scales that are: of the product's, in either operand.
w5, s5, sx = whole(np.int8, 7, 5), F(0.04), F(0.03)
whole_bias = rng.integers(-9000, 9000, 5).astype(np.int32)
quantized = """g (float[batch, 7] x) => (float[batch, 5] y) {
  q = QuantizeLinear (x, sx, zx)
  back = Constant <value_ints = [0, 7]> ()
  r = Reshape (q, back)
  sum = MatMulInteger (r, w, zx)
  total = Add (bias, sum)
  %s
}"""
floats = """g (float[batch, 7] x) => (float[batch, 5] y) {
  a = Clip (x, low, high)
  p = MatMul (a, w)
  y = Add (p, bias)
}"""
weights = {"sx": sx, "zx": np.int8(3), "w": w5, "bias": whole_bias, "both": sx * s5}
of = {"low": sx * F(-131), "high": sx * F(124), "w": w5.astype(F) * s5, "bias": whole_bias.astype(F) * (sx * s5)}
case("product_with_a_bias_of_integers", quantized % "float_sum = Cast <to = 1> (total)\n  y = Mul (float_sum, both)", weights, floats, of, {"x": 2 * x(4, 7)})
case("product_of_a_scale", quantized % "y = DequantizeLinear (total, both)", weights, floats, of, {"x": 2 * x(4, 7)})

# What lies outside the integers of u8 is clamped: below to 0, so that it is a Relu.
kq, ks, zero8 = whole(np.int8, 6, 3, 1, 1), np.abs(x(6)) + F(0.05), np.uint8(0)
case("between_rounding_nodes", """g (float[batch, 3, n, m] x) => (float[batch, 6, n, m] y) {
  q = QuantizeLinear (x, sx, zx)
  a = DequantizeLinear (q, sx, zx)
  kf = DequantizeLinear <axis = 0> (k, ks)
  c = Conv (a, kf)
  r = QuantizeLinear (c, sr, zr)
  y = DequantizeLinear (r, sr, zr)
}""", {"sx": F(0.02), "zx": np.uint8(128), "k": kq, "ks": ks * F(0.01), "sr": F(0.03), "zr": zero8}, """g (float[batch, 3, n, m] x) => (float[batch, 6, n, m] y) {
  a = Clip (x, low, high)
  c = Conv (a, k)
  y = Clip (c, none, most)
}""", {"low": F(0.02) * F(-128), "high": F(0.02) * F(127), "k": kq.astype(F) * (ks * F(0.01)).reshape(6, 1, 1, 1), "none": F(0), "most": F(0.03) * F(255)},
     {"x": 2 * x(2, 3, 4, 4)})

wq, wz, ws = whole(np.int8, 8, 24), np.int8(5), F(0.002)
case("attention", """g (float[batch, seq, 8] x) => (float[batch, seq, 8] y) {
  q, scale, zero = DynamicQuantizeLinear (x)
  y = com.microsoft.QAttention <num_heads = 2> (q, w, bias, scale, ws, , zero, wz)
}""", {"w": wq, "wz": wz, "ws": ws, "bias": (b24 := x(24))}, """g (float[batch, seq, 8] x) => (float[batch, seq, 8] y) {
  y = com.microsoft.Attention <num_heads = 2> (x, w, bias)
}""", {"w": (wq.astype(F) - F(5)) * ws, "bias": b24}, {"x": x(2, 5, 8)})

wl, rl, bl = whole(np.int8, 1, 2, 12), whole(np.int8, 1, 3, 12), x(1, 24)
case("recurrent", """g (float[seq, 1, 2] x) => (float[seq, 1, 1, 3] y) {
  y = com.microsoft.DynamicQuantizeLSTM <hidden_size = 3> (x, w, r, b, , , , , ws, wz, rs, rz)
}""", {"w": wl, "r": rl, "b": bl, "ws": np.array([0.01], F), "wz": np.array([4], np.int8), "rs": np.array([0.02], F), "rz": np.array([-3], np.int8)},
     """g (float[seq, 1, 2] x) => (float[seq, 1, 1, 3] y) {
  y = LSTM <hidden_size = 3> (x, w, r, b)
}""", {"w": np.swapaxes((wl.astype(F) - F(4)) * F(0.01), 1, 2).copy(), "r": np.swapaxes((rl.astype(F) + F(3)) * F(0.02), 1, 2).copy(), "b": bl}, {"x": x(4, 1, 2)}, {"x": x(9, 1, 2)})

# A bias of integers as before, but of one dimension until it is one, as in Kokoro.
case("convolution_with_a_bias_reshaped_as_integers", """g (float[batch, 3, h, w] x) => (float[batch, 4, a, b] y) {
  q, scale, zero = DynamicQuantizeLinear (x)
  both = Mul (scale, s)
  in_scales = Div (bias, both)
  down = Floor (in_scales)
  whole = Cast <to = 6> (down)
  to = Constant <value_ints = [1, -1, 1, 1]> ()
  moved = Reshape (whole, to)
  sum = ConvInteger <pads = [1, 1, 1, 1]> (q, k, zero, kz)
  total = Add (sum, moved)
  float_sum = Cast <to = 1> (total)
  y = Mul (float_sum, both)
}""", {"k": k, "kz": kz, "s": F(0.02), "bias": bias4}, """g (float[batch, 3, h, w] x) => (float[batch, 4, a, b] y) {
  y = Conv <pads = [1, 1, 1, 1]> (x, k, bias)
}""", {"k": (k.astype(F) - F(131)) * F(0.02), "bias": bias4}, {"x": x(1, 3, 6, 8)})

print(json.dumps(cases, indent=1))
