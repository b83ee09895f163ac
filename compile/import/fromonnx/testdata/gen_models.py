"""Writes models.json: small models whose sizes have names, with the outputs that ONNX
Runtime gives for calls of several sizes.

    pip install numpy onnx==1.23.2 onnxruntime==1.31.1
    python3 gen_models.py > models.json

A case says with which options of Import its graph is made; constants are inputs of the
model that a call then does not give. A state's outputs of one call are the inputs of the
next. "cut" is a model of two parts: the results of the first are not recorded.
"""
import base64
import json

import numpy as np
import onnx
import onnx.parser
import onnxruntime
from onnx import helper, numpy_helper

rng = np.random.default_rng(17)
F, I = np.float32, np.int64
cases = []


def tensor(x):
    x = np.asarray(x)
    return {"type": helper.np_dtype_to_tensor_dtype(x.dtype), "dims": list(x.shape), "data": np.ascontiguousarray(x).tobytes().hex()}


def case(name, text, *calls, weights=None, constants=None, states=None, opset=18, functions="", ir=9, **options):
    model = onnx.parser.parse_model(f'<ir_version: {ir}, opset_import: ["" : {opset}, "local" : 1]>\n{text}\n{functions}')
    for key, value in (weights or {}).items():
        model.graph.initializer.append(numpy_helper.from_array(np.asarray(value), key))
    onnx.checker.check_model(model)
    data = model.SerializeToString()
    session = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])
    recorded, kept = [], {}
    for inputs in calls:
        feed = {k: np.asarray(v) for k, v in {**inputs, **(constants or {}), **kept}.items()}
        outputs = dict(zip([o.name for o in session.get_outputs()], session.run(None, feed)))
        kept = {into: outputs[out] for out, into in (states or {}).items()}
        recorded.append({"inputs": {k: tensor(v) for k, v in inputs.items()},
                         "outputs": {k: tensor(v) for k, v in outputs.items() if k not in (states or {})}})
    cases.append({"name": name, "model": base64.b64encode(data).decode(), "constants": {k: tensor(v) for k, v in (constants or {}).items()},
                  "states": states or {}, "calls": recorded, **options})


def x(*dims):
    return rng.standard_normal(dims).astype(F)


def ids(high, *dims):
    return rng.integers(0, high, dims).astype(I)


case("heads", """g (float[batch, seq, 12] x) => (float[b, h, s, d] y, float[b, s, e] z) {
  shape = Shape (x)
  zero = Constant <value = int64[1] {0}> ()
  one = Constant <value = int64[1] {1}> ()
  b = Gather <axis = 0> (shape, zero)
  s = Gather <axis = 0> (shape, one)
  heads = Constant <value = int64[2] {3, 4}> ()
  to = Concat <axis = 0> (b, s, heads)
  r = Reshape (x, to)
  y = Transpose <perm = [0, 2, 1, 3]> (r)
  back = Transpose <perm = [0, 2, 1, 3]> (y)
  minus = Constant <value = int64[1] {-1}> ()
  twelve = Constant <value = int64[1] {12}> ()
  flat = Concat <axis = 0> (b, minus, twelve)
  z = Reshape (back, flat)
}""", {"x": x(1, 5, 12)}, {"x": x(3, 2, 12)})

case("rows", """g (float[batch, seq, 6] x) => (float[r, 6] y, float[b, f] z, int64 n, float[a, 3] w) {
  to = Constant <value = int64[2] {-1, 6}> ()
  y = Reshape (x, to)
  z = Flatten <axis = 1> (x)
  n = Size (x)
  half = Constant <value = int64[2] {-1, 3}> ()
  w = Reshape (z, half)
}""", {"x": x(2, 5, 6)}, {"x": x(1, 1, 6)})

case("positions", """g (int64[batch, seq] ids) => (float[batch, seq, 8] y) {
  shape = Shape (ids)
  one = Constant <value = int64 {1}> ()
  zero = Constant <value = int64 {0}> ()
  s = Gather <axis = 0> (shape, one)
  at = Range (zero, s, one)
  p = Gather (table, at)
  e = Gather (words, ids)
  y = Add (e, p)
}""", {"ids": ids(20, 2, 7)}, {"ids": ids(20, 1, 32)}, weights={"table": x(32, 8), "words": x(20, 8)})

case("cut_positions", """g (int64[batch, seq] ids) => (float[batch, seq, 8] y) {
  shape = Shape (ids)
  one = Constant <value = int64[1] {1}> ()
  zero = Constant <value = int64[1] {0}> ()
  two = Constant <value = int64[1] {2}> ()
  s = Slice (shape, one, two, zero)
  at = Slice (all, zero, s, one)
  p = Gather (table, at)
  e = Gather (words, ids)
  y = Add (e, p)
}""", {"ids": ids(20, 2, 7)}, {"ids": ids(20, 3, 32)}, weights={"table": x(32, 8), "words": x(20, 8), "all": np.arange(32, dtype=I)[None]})

case("expand", """g (float[batch, 1, dim] x, float[batch, seq, dim] like) => (float[batch, seq, dim] y, float[batch, seq] ones) {
  shape = Shape (like)
  minus = Constant <value = int64[3] {-1, -1, -1}> ()
  asked = Constant <value = int64[1] {-1}> ()
  one = Constant <value = int64[1] {1}> ()
  two = Constant <value = int64[1] {2}> ()
  zero = Constant <value = int64[1] {0}> ()
  s = Gather <axis = 0> (shape, one)
  b = Gather <axis = 0> (shape, zero)
  target = Concat <axis = 0> (asked, s, asked)
  three = Constant <value = int64[1] {3}> ()
  filled = ConstantOfShape <value = int64[1] {1}> (three)
  same = Equal (target, minus)
  to = Where (same, filled, target)
  y = Expand (x, to)
  size = Concat <axis = 0> (b, s)
  ones = ConstantOfShape <value = float[1] {1}> (size)
}""", {"x": x(2, 1, 3), "like": x(2, 5, 3)}, {"x": x(1, 1, 4), "like": x(1, 2, 4)})

case("causal", """g (float[batch, seq, seq] x, int64[batch, seq] mask) => (float[batch, seq, seq] y, float[batch, seq, seq] low) {
  shape = Shape <start = 1, end = 2> (x)
  zero = Constant <value = int64 {0}> ()
  one = Constant <value = int64 {1}> ()
  s = Squeeze (shape)
  at = Range (zero, s, one)
  rows = Unsqueeze (at, axis1)
  cols = Unsqueeze (at, axis0)
  seen = LessOrEqual (cols, rows)
  m = Cast <to = 9> (mask)
  wide = Unsqueeze (m, axis1)
  both = And (seen, wide)
  least = Constant <value = float {-3.0e38}> ()
  bias = Where (both, zerof, least)
  scores = Add (x, bias)
  y = Softmax <axis = -1> (scores)
  low = Trilu <upper = 0> (x)
}""", {"x": x(2, 4, 4), "mask": np.array([[1, 1, 1, 0], [1, 1, 1, 1]], I)}, {"x": x(1, 3, 3), "mask": np.ones((1, 3), I)},
     weights={"axis1": np.array([1], I), "axis0": np.array([0], I), "zerof": np.array(0, F)})

case("slices", """g (float[batch, n, 4] x) => (float[b, p, 4] tail, float[b, q, 4] head, float[b, n, 4] back, float[b, r, 4] even, float[b, n] last) {
  axis = Constant <value = int64[1] {1}> ()
  axis2 = Constant <value = int64[1] {2}> ()
  one = Constant <value = int64[1] {1}> ()
  zero = Constant <value = int64[1] {0}> ()
  minus = Constant <value = int64[1] {-1}> ()
  two = Constant <value = int64[1] {2}> ()
  most = Constant <value = int64[1] {9223372036854775807}> ()
  least = Constant <value = int64[1] {-9223372036854775807}> ()
  tail = Slice (x, one, most, axis)
  head = Slice (x, zero, minus, axis)
  back = Slice (x, minus, least, axis, minus)
  even = Slice (x, zero, most, axis, two)
  index = Constant <value = int64 {-1}> ()
  last = Gather <axis = 2> (x, index)
}""", {"x": x(2, 6, 4)}, {"x": x(1, 3, 4)})

case("split", """g (float[batch, n] x) => (float[batch, n] a, float[batch, n] b, float[batch, p] c, float[batch, q] d) {
  two = Concat <axis = 1> (x, x)
  a, b = Split <axis = 1, num_outputs = 2> (two)
  c, d = Split <axis = 1> (two, parts)
  shape = Shape (x)
  i = Constant <value = int64[1] {1}> ()
  n = Gather <axis = 0> (shape, i)
  more = Add (n, i)
  less = Sub (n, i)
  parts = Concat <axis = 0> (more, less)
}""".replace("  c, d = Split <axis = 1> (two, parts)\n", "").replace("(more, less)\n", "(more, less)\n  c, d = Split <axis = 1> (two, parts)\n"),
     {"x": x(2, 4)}, {"x": x(1, 7)})

case("arithmetic", """g (float[n, 3] x) => (float[p] half, float[q] odd, float[r] most, float[n, 3] y) {
  shape = Shape <end = 1> (x)
  f = Cast <to = 1> (shape)
  twof = Constant <value = float {2.0}> ()
  h = Div (f, twof)
  down = Floor (h)
  i = Cast <to = 7> (down)
  half = ConstantOfShape (i)
  up = Ceil (h)
  j = Cast <to = 7> (up)
  two = Constant <value = int64[1] {2}> ()
  k = Mul (shape, two)
  l = Sub (k, j)
  odd = ConstantOfShape (l)
  one = Constant <value = int64[1] {1}> ()
  m = Max (shape, one)
  o = Div (k, two)
  t = ReduceProd <keepdims = 1> (m)
  d = Mod (k, two)
  u = Add (t, d)
  most = ConstantOfShape (u)
  three = Constant <value = int64[1] {3}> ()
  to = Concat <axis = 0> (o, three)
  y = Reshape (x, to)
}""", {"x": x(5, 3)}, {"x": x(4, 3)})

case("indices", """g (float[batch, n, 4] x, int64[batch, n, 4] at, int64[batch] label) => (float[batch, n, 4] y, float[batch, k] hot, int64[batch, 4] best, float[batch, n, 4] sum, float[batch, 4] mean) {
  y = GatherElements <axis = 1> (x, at)
  shape = Shape <start = 1, end = 2> (x)
  values = Constant <value = float[2] {0.5, 2.0}> ()
  depth = Squeeze (shape)
  hot = OneHot <axis = -1> (label, depth, values)
  best = ArgMax <axis = 1, keepdims = 0> (x)
  axis = Constant <value = int64 {1}> ()
  sum = CumSum (x, axis)
  axes = Constant <value = int64[1] {1}> ()
  mean = ReduceMean <keepdims = 0> (x, axes)
}""", {"x": x(2, 5, 4), "at": ids(5, 2, 5, 4) - 2, "label": np.array([1, -2], I)}, {"x": x(1, 3, 4), "at": ids(3, 1, 3, 4), "label": np.array([2], I)})

case("norms", """g (float[batch, seq, 8] x) => (float[batch, seq, 8] y, float[batch, seq, 8] z, float[batch, seq, 8] w) {
  y = LayerNormalization <axis = -1, epsilon = 1.0e-5> (x, scale, bias)
  z = Softmax <axis = 1> (x)
  w = Erf (x)
}""", {"x": x(2, 3, 8)}, {"x": x(1, 5, 8)}, weights={"scale": x(8), "bias": x(8)})

case("softmax11", """g (float[batch, n] x) => (float[batch, n] y) { y = Softmax <axis = 1> (x) }""", {"x": x(2, 3)}, {"x": x(4, 1)}, opset=11)

case("products", """g (float[batch, seq, 4] q, float[batch, 4, seq] k) => (float[batch, seq, seq] s, float[batch, seq, 6] p, float[batch, seq, 5] e, float[batch, 3] m) {
  s = MatMul (q, k)
  p = MatMul (q, w)
  e = Einsum <equation = "bsd,df->bsf"> (q, v)
  r = ReduceMax <keepdims = 0, axes = [1]> (q)
  m = Gemm <transB = 1, alpha = 0.5> (r, g, c)
}""", {"q": x(2, 3, 4), "k": x(2, 4, 3)}, {"q": x(1, 6, 4), "k": x(1, 4, 6)}, weights={"w": x(4, 6), "v": x(4, 5), "g": x(3, 4), "c": x(3)}, opset=17)

case("pictures", """g (float[n, 3, h, w] x) => (float[n, 4, h, w] y, float[n, 4, p, q] s, float[n, 4, 1, 1] m, float[n, 3, a, w] d) {
  y = Conv <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (x, k, b)
  s = Conv <kernel_shape = [3, 3], pads = [1, 1, 1, 1], strides = [2, 2]> (x, k, b)
  m = GlobalAveragePool (s)
  pads = Constant <value = int64[8] {0, 0, 1, 0, 0, 0, 2, 0}> ()
  d = Pad (x, pads)
}""", {"x": x(2, 3, 5, 6)}, {"x": x(1, 3, 8, 3)}, weights={"k": x(4, 3, 3, 3), "b": x(4)})

case("past", """g (float[batch, past, 4] cache, float[batch, seq, 4] x, float[batch, "past + seq"] mask) => (float[batch, p, 4] y, float[batch, p] m) {
  all = Concat <axis = 1> (cache, x)
  wide = Unsqueeze (mask, axes)
  y = Mul (all, wide)
  m = Neg (mask)
}""".replace('"past + seq"', "total"), {"cache": x(1, 3, 4), "x": x(1, 2, 4), "mask": x(1, 5)}, {"cache": x(2, 1, 4), "x": x(2, 1, 4), "mask": x(2, 2)},
     weights={"axes": np.array([2], I)}, shapes={"mask": "batch,past+seq"})

case("tiles", """g (float[n, 2] x) => (float[p, 6] y, float[n, 2] eye) {
  times = Constant <value = int64[2] {2, 3}> ()
  y = Tile (x, times)
  eye = EyeLike (x)
}""", {"x": x(3, 2)}, {"x": x(1, 2)})

case("rank", """g (float[batch, n] x) => (float[batch, 1, n] y) {
  shape = Shape (x)
  rank = Size (shape)
  two = Constant <value = int64 {2}> ()
  flat = Equal (rank, two)
  y = If (flat) <then_branch = t () => (float[a, b, c] yt) {
      axes = Constant <value = int64[1] {1}> ()
      yt = Unsqueeze (x, axes)
    }, else_branch = e () => (float[a, b] ye) { ye = Identity (x) }>
}""", {"x": x(2, 3)}, {"x": x(1, 4)})

case("rate", """g (float[batch, n] x, int64 sr) => (float[batch, m] y) {
  high = Constant <value = int64 {16000}> ()
  is = Equal (sr, high)
  y = If (is) <then_branch = t () => (float[a, b] yt) { yt = Neg (x) },
    else_branch = e () => (float[a, b] ye) { ye = Concat <axis = 1> (x, x) }>
}""", {"x": x(2, 3)}, {"x": x(1, 4)}, constants={"sr": np.array(8000, I)})

case("choice", """g (float[batch, n] x, bool flag) => (float[batch, n] y) {
  y = If (flag) <then_branch = t () => (float[a, b] yt) { yt = Neg (x) }, else_branch = e () => (float[a, b] ye) { ye = Abs (x) }>
}""", {"x": x(2, 3), "flag": np.array(True)}, {"x": x(1, 4), "flag": np.array(False)})

case("function", """g (float[batch, 4] x) => (float[batch, 4] y, float[batch, 4] z) {
  y = local.twice <slope = 0.25> (x, bias)
  z = local.twice (x)
}""", {"x": x(2, 4)}, {"x": x(3, 4)}, weights={"bias": x(4)},
     functions="""<domain: "local", opset_import: ["" : 18]>
twice <slope: float = 0.5> (x, bias) => (y) {
  r = LeakyRelu <alpha: float = @slope> (x)
  y = Clip (r, bias)
}""".replace("Clip (r, bias)", "Add (r, r)"))

case("state", """g (float[1, n] x, float[2, 3] state) => (float[1, n] y, float[2, 3] next) {
  total = ReduceSum <keepdims = 0> (state)
  y = Add (x, total)
  sum = ReduceSum <keepdims = 0> (x)
  next = Add (state, sum)
}""", {"x": x(1, 4), "state": np.zeros((2, 3), F)}, {"x": x(1, 2)}, {"x": x(1, 5)}, states={"next": "state"})

case("cut", """g (float[n] x) => (float[1, m] y) {
  times = Exp (x)
  c = Ceil (times)
  i = Cast <to = 7> (c)
  length = ReduceSum <keepdims = 0> (i)
  zero = Constant <value = int64 {0}> ()
  one = Constant <value = int64 {1}> ()
  at = Range (zero, length, one)
  f = Cast <to = 1> (at)
  mean = ReduceMean <keepdims = 0> (x)
  z = Mul (f, mean)
  axes = Constant <value = int64[1] {0}> ()
  y = Unsqueeze (z, axes)
}""", {"x": x(4)}, {"x": x(6)}, cut=["length", "mean"])

case("scatter", """g (float[batch, n, 3] x, int64[batch, 2] at, int64[batch, n, 2] along, float[batch, n, 2] more) => (float[batch, 3] y, float[batch, n, 3] z, float[batch, n, 3] w, int64[1, n] count) {
  y = GatherND (x, at)
  z = ScatterND (x, at, y)
  w = ScatterElements <axis = 2> (x, along, more)
  shape = Shape <start = 1, end = 2> (x)
  ones = ConstantOfShape <value = int64[1] {1}> (shape)
  count = NonZero (ones)
}""", {"x": x(2, 4, 3), "at": np.array([[0, -1], [1, 2]], I), "along": np.tile(np.array([2, -3], I), (2, 4, 1)), "more": x(2, 4, 2)},
     {"x": x(1, 2, 3), "at": np.array([[0, 1]], I), "along": np.tile(np.array([0, 1], I), (1, 2, 1)), "more": x(1, 2, 2)})

case("multiples", """g (float[n, 3, h, w] x) => (float[n, 3, h, w] y, float[n, 3, a, b] p) {
  s = Conv <kernel_shape = [3, 3], pads = [1, 1, 1, 1], strides = [2, 2]> (x, k)
  scales = Constant <value = float[4] {1.0, 1.0, 2.0, 2.0}> ()
  u = Resize <mode = "nearest", coordinate_transformation_mode = "asymmetric", nearest_mode = "floor"> (s, , scales)
  y = Add (x, u)
  p = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (x)
}""", {"x": x(1, 3, 4, 6)}, {"x": x(2, 3, 2, 8)}, weights={"k": x(3, 3, 3, 3)}, shapes={"x": "n,3,2*h,2*w"})

case("least", """g (float[batch, n] x) => (float[batch, m] y, float[batch, p] wide) {
  shape = Shape (x)
  one = Constant <value = int64[1] {1}> ()
  two = Constant <value = int64[1] {2}> ()
  s = Slice (shape, one, two)
  five = Constant <value = int64[1] {5}> ()
  zero = Constant <value = int64[1] {0}> ()
  less = Sub (s, five)
  more = Max (less, zero)
  pads = Concat <axis = 0> (zero, more, zero, more)
  wide = Pad (x, pads)
  four = Constant <value = int64[1] {4}> ()
  y = Slice (x, two, four, one)
}""", {"x": x(2, 6)}, {"x": x(1, 9)}, shapes={"x": "batch,k+4"})

# x[mask] = f(x[mask]), as PyTorch's exporter writes it: f takes each row of what the mask
# chooses alone. The mask of a call has all, some or no true elements.
masks = [{"x": x(2, 5, 6) * F(k)} for k in (1, 0.01, 100)] + [{"x": x(1, 1, 6)}]
case("mask_rows", """g (float[batch, seq, 6] x) => (float[batch, seq, 6] y, float[batch, seq, 6] cleared, float[batch, seq] best) {
  last = Constant <value = int64[1] {-1}> ()
  half = Constant <value = float {0.5}> ()
  square = Mul (x, x)
  size = ReduceSum <keepdims = 0> (square, last)
  mask = Greater (size, half)
  found = NonZero (mask)
  places = Transpose <perm = [1, 0]> (found)
  rows = GatherND (x, places)
  soft = Softmax <axis = -1> (rows)
  minus = Constant <value = int64 {-1}> ()
  sums = CumSum (soft, minus)
  pads = Constant <value = int64[4] {0, 1, 0, 0}> ()
  low = Constant <value = float {-3}> ()
  padded = Pad (sums, pads, low)
  shape = Shape (padded)
  zero = Constant <value = int64 {0}> ()
  one = Constant <value = int64 {1}> ()
  count = Gather (shape, zero)
  width = Gather (shape, one)
  wide = Cast <to = 1> (width)
  scaled = Div (padded, wide)
  at = Range (zero, count, one)
  column = Constant <value = int64[2] {-1, 1}> ()
  numbers = Reshape (at, column)
  numbersShape = Shape (numbers)
  three = Constant <value = int64[1] {3}> ()
  threes = Expand (three, numbersShape)
  first = Unsqueeze (numbers, last)
  second = Unsqueeze (threes, last)
  coordinates = Concat <axis = -1> (first, second)
  ten = Constant <value = float[1] {10}> ()
  tens = Expand (ten, numbersShape)
  written = ScatterND (scaled, coordinates, tens)
  places1 = ArgMax <axis = -1, keepdims = 1> (rows)
  element = GatherElements <axis = -1> (written, places1)
  kept = Slice (written, ones, sevens, ones)
  product = MatMul (kept, weights)
  sum = Add (product, element)
  y = ScatterND (x, places, sum)
  cleared_shape = Shape (rows)
  nothing = Constant <value = float {0}> ()
  nothings = Expand (nothing, cleared_shape)
  cleared = ScatterND (x, places, nothings)
  sizeShape = Shape (size)
  same = Expand (mask, sizeShape)
  found2 = NonZero (same)
  places2 = Transpose <perm = [1, 0]> (found2)
  top = ReduceMax <keepdims = 0, axes = [-1]> (rows)
  flatShape = Constant <value = int64[1] {-1}> ()
  flat = Reshape (top, flatShape)
  counted = Shape <start = 0, end = 1> (places2)
  begin = Constant <value = int64[1] {0}> ()
  part = Slice (flat, begin, counted, begin)
  best = ScatterND (size, places2, part)
}""", *masks,
     weights={"weights": x(6, 6), "ones": np.array([1], I), "sevens": np.array([7], I)}, opset=17)
case("mask_of_one_dimension", """g (float[n] x, float[n, 3] v) => (float[n, 3] y) {
  zero = Constant <value = float {0}> ()
  mask = Less (x, zero)
  found = NonZero (mask)
  column = Constant <value = int64[2] {-1, 1}> ()
  places = Reshape (found, column)
  rows = GatherND (v, places)
  some = GatherND (x, places)
  wide = Unsqueeze (some, last)
  product = Mul (rows, wide)
  y = ScatterND (v, places, product)
}""", {"x": x(6), "v": x(6, 3)}, {"x": np.array([1, 2], F), "v": x(2, 3)}, weights={"last": np.array([-1], I)})

# y[:, mask] /= w[mask], as the inverse of a short-time Fourier transform ends: the places
# are combined with those of a batch of one.
case("mask_along", """g (float[1, n] x, float[n] w) => (float[1, n] y) {
  least = Constant <value = float {0.1}> ()
  mask = Greater (w, least)
  found = NonZero (mask)
  places = Transpose <perm = [1, 0]> (found)
  ws = Gather <axis = 0> (w, places)
  xs = Gather <axis = 1> (x, places)
  quotient = Div (xs, ws)
  shape = Shape (x)
  zero = Constant <value = int64 {0}> ()
  one = Constant <value = int64 {1}> ()
  b = Gather (shape, zero)
  range = Range (zero, b, one)
  column = Constant <value = int64[2] {-1, 1}> ()
  rows = Reshape (range, column)
  both = Add (rows, places)
  all = Shape (both)
  r = Expand (rows, all)
  p = Expand (places, all)
  r2 = Unsqueeze (r, last)
  p2 = Unsqueeze (p, last)
  at = Concat <axis = -1> (r2, p2)
  two = Reshape (quotient, all)
  y = ScatterND (x, at, two)
}""", {"x": x(1, 6), "w": x(6)}, {"x": x(1, 3), "w": np.array([0, 2, 0], F)}, weights={"last": np.array([-1], I)})

# A dimension whose size has a name goes on with its own elements.
for mode in ["reflect", "edge", "wrap"]:
    case(f"continued_{mode}", f"""g (float[2, n] x) => (float[2, m] y) {{
  y = Pad <mode = "{mode}"> (x, pads)
}}""", {"x": x(2, 5)}, {"x": x(2, 4)}, weights={"pads": np.array([0, 3, 0, 2], I)}, shapes={"x": "2,k+3"}, opset=19)

case("spectra_of_two_dimensions", """g (float[1, n] x) => (float[1, f, 5, 2] y) {
  y = STFT <onesided = 1> (x, step, window, length)
}""", {"x": x(1, 12)}, weights={"step": np.array(4, I), "length": np.array(8, I), "window": np.hanning(8).astype(F)})
case("spectra", """g (float[1, n, 1] x) => (float[1, f, 5, 2] y) {
  y = STFT <onesided = 1> (x, step, window, length)
}""", {"x": x(1, 9, 1)}, {"x": x(1, 15, 1)}, weights={"step": np.array(3, I), "length": np.array(8, I), "window": np.hanning(8).astype(F)}, shapes={"x": "1,k+7,1"})

# Linear, of a size that has a name.
def resized(coordinates):
    return f"""g (float[1, 2, n] x) => (float[1, 2, m] y) {{
  y = Resize <mode = "linear", coordinate_transformation_mode = "{coordinates}"> (x, , scales)
}}"""


for coordinates in ["half_pixel", "asymmetric", "pytorch_half_pixel"]:
    case(f"blended_up_{coordinates}", resized(coordinates), {"x": x(1, 2, 5)}, {"x": x(1, 2, 1)}, weights={"scales": np.array([1, 1, 3], F)})
    case(f"blended_down_{coordinates}", resized(coordinates), {"x": x(1, 2, 12)}, {"x": x(1, 2, 6)}, weights={"scales": np.array([1, 1, 1 / 3], F)},
         shapes={"x": "1,2,3*k+3"})

# x[..., 2] = y lists the coordinates of a window.
case("window_written", """g (float[batch, seq, 4] x) => (float[batch, seq, 4] y) {
  shape = Shape (x)
  zero = Constant <value = int64 {0}> ()
  one = Constant <value = int64 {1}> ()
  b = Gather (shape, zero)
  s = Gather (shape, one)
  rows = Range (zero, b, one)
  columns = Range (zero, s, one)
  to = Constant <value = int64[3] {-1, 1, 1}> ()
  r = Reshape (rows, to)
  to2 = Constant <value = int64[2] {-1, 1}> ()
  c = Reshape (columns, to2)
  both = Add (r, c)
  all = Shape (both)
  r2 = Expand (r, all)
  c2 = Expand (c, all)
  two = Constant <value = int64[1] {2}> ()
  k2 = Expand (two, all)
  r3 = Unsqueeze (r2, last)
  c3 = Unsqueeze (c2, last)
  k3 = Unsqueeze (k2, last)
  at = Concat <axis = -1> (r3, c3, k3)
  seven = Constant <value = float[1] {7}> ()
  v = Expand (seven, all)
  y = ScatterND (x, at, v)
}""", {"x": x(2, 3, 4)}, {"x": x(1, 5, 4)}, weights={"last": np.array([-1], I)})

# Sizes that the model narrows by itself.
case("multiples_found", """g (float[n, 3, h, w] x) => (float[n, 3, h, w] y, float[n, 3, h, w] z) {
  s = Conv <kernel_shape = [3, 3], pads = [1, 1, 1, 1], strides = [2, 2]> (x, k)
  d = Conv <kernel_shape = [3, 3], auto_pad = "SAME_UPPER", strides = [2, 2]> (s, k)
  scales = Constant <value = float[4] {1.0, 1.0, 2.0, 2.0}> ()
  t = Resize <mode = "nearest", coordinate_transformation_mode = "asymmetric", nearest_mode = "floor"> (d, , scales)
  u = Add (s, t)
  y = Resize <mode = "nearest", coordinate_transformation_mode = "asymmetric", nearest_mode = "floor"> (u, , scales)
  z = Add (x, y)
}""", {"x": x(1, 3, 4, 8)}, {"x": x(2, 3, 12, 4)}, weights={"k": x(3, 3, 3, 3) * F(0.2)})

case("equal_found", """g (float[a, 3] x, float[b, 3] y, float[c, 3] z) => (float[a, 9] s) {
  s = Concat <axis = 1> (x, y, z)
}""", {"x": x(2, 3), "y": x(2, 3), "z": x(2, 3)}, {"x": x(1, 3), "y": x(1, 3), "z": x(1, 3)})

case("least_found", """g (float[batch, 1, n] x, float[batch, h, w] p) => (float[batch, 1, m] y, float[batch, 9] best) {
  y = Conv <kernel_shape = [5]> (x, k)
  minus = Constant <value = int64[2] {0, -1}> ()
  rows = Reshape (p, minus)
  nine = Constant <value = int64[1] {9}> ()
  best, at = TopK (rows, nine)
}""", {"x": x(2, 1, 5), "p": x(2, 3, 4)}, {"x": x(1, 1, 9), "p": x(1, 5, 3)}, weights={"k": x(1, 1, 5)})

case("one_found", """g (float[batch, seq, 6] x) => (float[seq, 2, 3] y) {
  shape = Shape (x)
  one = Constant <value = int64[1] {1}> ()
  s = Gather <axis = 0> (shape, one)
  heads = Constant <value = int64[2] {2, 3}> ()
  to = Concat <axis = 0> (s, heads)
  y = Reshape (x, to)
}""", {"x": x(1, 5, 6)}, {"x": x(1, 1, 6)})

case("mirrored", """g (float[batch, n] x) => (float[batch, a] y, float[batch, b] z, float[batch, c] v, float[batch, d] u) {
  pads = Constant <value = int64[4] {0, 3, 0, 2}> ()
  cuts = Constant <value = int64[4] {0, -1, 0, 2}> ()
  y = Pad <mode = "reflect"> (x, pads)
  z = Pad <mode = "edge"> (x, pads)
  v = Pad <mode = "wrap"> (x, pads)
  u = Pad <mode = "reflect"> (x, cuts)
}""", {"x": x(2, 4)}, {"x": x(1, 9)}, opset=19)

# Weights of 4 and 8 bits in which no program computes. ONNX Runtime rounds x in a MatMul with
# weights of 4 bits.
def stored(kind, *dims):
    """A tensor of small numbers of an element type that NumPy lacks."""
    import ml_dtypes
    if kind in ("int4", "uint4"):
        return rng.integers(0 if kind == "uint4" else -8, 16 if kind == "uint4" else 8, dims).astype(getattr(ml_dtypes, kind))
    return rng.standard_normal(dims).astype(F).astype(getattr(ml_dtypes, kind))


case("weights_of_4_bits", """g (float[n, 33] x) => (float[n, 5] y, float[n, 5] z) {
  a = DequantizeLinear <axis = 1, block_size = 16> (w, scales)
  y = Gemm <transB = 1> (x, a)
  b = DequantizeLinear <axis = 0> (u, rows, zeros)
  z = Gemm <transB = 1> (x, b)
}""", {"x": x(2, 33)}, {"x": x(1, 33)}, opset=21, ir=10,
     weights={"w": stored("int4", 5, 33), "scales": np.abs(x(5, 3)) + F(0.1), "u": stored("uint4", 5, 33), "rows": np.abs(x(5)) + F(0.1), "zeros": stored("uint4", 5)})
case("weights_of_small_floats", """g (float[n, 24] x) => (float[n, 5] y, float[n, 5] z) {
  a = DequantizeLinear <axis = 1> (w, scale)
  y = MatMul (x, a)
  b = Cast <to = 1> (u)
  z = MatMul (x, b)
}""", {"x": x(2, 24)}, {"x": x(1, 24)}, opset=21, ir=10,
     weights={"w": stored("float8_e4m3fn", 24, 5), "scale": np.float32(0.25), "u": stored("float8_e5m2", 24, 5)})

# A layer over time as tf2onnx writes it for Keras: its condition compares the turn's number
# and a counter with the number of turns once more.
case("steps", """g (float[batch, seq, 4] x) => (float[batch, seq, 3] y, float[batch, 3] last) {
  steps = Transpose <perm = [1, 0, 2]> (x)
  shape = Shape (steps)
  zero = Constant <value = int64[1] {0}> ()
  one = Constant <value = int64[1] {1}> ()
  count64 = Slice (shape, zero, one, zero)
  count = Squeeze (count64, zero)
  narrow = Cast <to = 6> (count)
  float_count = Cast <to = 1> (count)
  low = Constant <value_float = 0.0> ()
  some = Less (low, float_count)
  two = Constant <value = int64[1] {2}> ()
  batch = Slice (shape, one, two, zero)
  width = Constant <value = int64[1] {3}> ()
  sizes = Concat <axis = 0> (batch, width)
  state = Expand (low, sizes)
  counter = Constant <value = int32 {0}> ()
  step = Constant <value = int32 {1}> ()
  counted, last, limit, rows = Loop (count, some, counter, state, narrow) <body = body (int64 turn, bool go, int32 at, float[b, 3] h, int32 most) => (bool next, int32 after, float[b, 3] g, int32 most_out, float[b, 3] row) {
    row_in = Gather (steps, at)
    p = MatMul (row_in, w)
    q = MatMul (h, r)
    sum = Add (p, q)
    g = Tanh (sum)
    row = Identity (g)
    after = Add (at, step)
    most_out = Identity (most)
    turn_f = Cast <to = 1> (turn)
    after_f = Cast <to = 1> (after)
    most_f = Cast <to = 1> (most)
    first = Less (turn_f, most_f)
    second = Less (after_f, most_f)
    next = And (first, second)
  }>
  y = Transpose <perm = [1, 0, 2]> (rows)
}""", {"x": x(1, 5, 4)}, {"x": x(3, 1, 4)}, {"x": x(2, 20, 4)}, weights={"w": x(4, 3), "r": x(3, 3)})

# Padded to whole rows, of which there are no fewer than a Slice takes: for any size.
case("whole_rows", """g (float[1, n] x) => (float[r, 4] y) {
  s = Shape (x)
  one = Constant <value_int = 1> ()
  size = Gather (s, one)
  three = Constant <value_int = 3> ()  four = Constant <value_int = 4> ()
  more = Add (size, three)  rows = Div (more, four)  whole = Mul (rows, four)  lacks0 = Sub (whole, size)
  zero = Constant <value_ints = [0]> ()  zeros = Constant <value_ints = [0, 0, 0]> ()  last = Constant <value_ints = [1]> ()
  lacks = Unsqueeze (lacks0, zero)
  pads = Concat <axis = 0> (zeros, lacks)
  padded = Pad (x, pads)
  shape = Constant <value_ints = [-1, 4]> ()
  all = Reshape (padded, shape)
  two = Constant <value_int = 2> ()
  less = Add (size, two)  taken0 = Div (less, four)  taken = Unsqueeze (taken0, zero)
  y = Slice (all, zero, taken, zero)
}""", {"x": x(1, 9)}, {"x": x(1, 2)}, {"x": x(1, 8)})

# A layer over time of TensorFlow, whose loop has a condition alone, and one that goes on after
# the last step: its step is not what the condition counts by.
for name, step in ("while_steps", "one_i"), ("while_two_steps", "two_i"):
    case(name, """g (float[batch, seq, 4] x) => (float[seq2, batch, 4] y, float[batch, 4] last) {
  steps = Transpose <perm = [1, 0, 2]> (x)
  s = Shape (steps)
  zero = Constant <value_int = 0> ()  zeros = Constant <value_ints = [0]> ()  ones = Constant <value_ints = [1]> ()
  one_i = Constant <value = int32 {1}> ()  two_i = Constant <value = int32 {2}> ()  start = Constant <value = int32 {0}> ()
  most0 = Gather (s, zero)  most = Cast <to = 6> (most0)
  start_f = Cast <to = 1> (start)  most_f0 = Cast <to = 1> (most)  some = Less (start_f, most_f0)
  none = ReduceSum <keepdims = 0> (steps, zeros)  fresh = Sub (none, none)
  counted, last, limit, y = Loop (, some, start, fresh, most) <body = body (int64 turn, bool go, int32 at, float[b, 4] h, int32 most_in) => (bool next, int32 after, float[b, 4] g, int32 most_out, float[b, 4] row) {
    after = Add (at, STEP)
    v = Gather (steps, at)
    both = Add (v, h)
    g = Tanh (both)
    row = Identity (g)
    most_out = Identity (most_in)
    most_f = Cast <to = 1> (most_in)
    after_f = Cast <to = 1> (after)
    next = Less (after_f, most_f)
  }>
}""".replace("STEP", step), *[{"x": x(*d)} for d in ([(1, 5, 4), (3, 1, 4), (2, 20, 4)] if step == "one_i" else [(2, 40, 4)])], **({} if step == "one_i" else {"shapes": {"x": "batch,40,4"}}))

# Sequences in the order of their lengths, turned, and put back.
case("sorted_lengths", """g (float[batch, seq, 3] x, int64[batch] lengths) => (float[batch, seq, 3] y, int64[batch] order) {
  s = Shape (lengths)
  far, order = TopK <axis = 0, largest = 1> (lengths, s)
  rows = Gather (x, order)
  turned = ReverseSequence <batch_axis = 0, time_axis = 1> (rows, far)
  least, back = TopK <axis = 0, largest = 0> (order, s)
  y = Gather (turned, back)
}""", {"x": x(1, 4, 3), "lengths": np.array([3])}, {"x": x(3, 5, 3), "lengths": np.array([2, 5, 3])}, {"x": x(4, 2, 3), "lengths": np.array([1, 2, 1, 2])})

print(json.dumps(cases, indent=1))
