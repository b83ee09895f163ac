"""Writes caches.json: layers of decoders whose keys and values grow with each call, with the
outputs that ONNX Runtime gives when it is given those of the calls before.

    pip install numpy onnx==1.23.2 onnxruntime==1.32.0
    python3 gen_caches.py > caches.json

The program keeps STEPS steps. A mask has a place for each of them, whose values before the
steps that there are mean nothing: here they are ones.
"""
import base64
import json

import numpy as np
import onnx
import onnx.parser
import onnxruntime
from onnx import helper, numpy_helper

rng = np.random.default_rng(29)
F, I = np.float32, np.int64
STEPS = 9
cases = []


def tensor(x):
    x = np.asarray(x)
    return {"type": helper.np_dtype_to_tensor_dtype(x.dtype), "dims": list(x.shape), "data": np.ascontiguousarray(x).tobytes().hex()}


def case(name, text, weights, lengths=(3, 1, 1, 2, 1), inputs=lambda n, s: {}, batch=1, opset=18, hidden=(), **options):
    """Calls a layer with x [batch, s, 8] for each length s."""
    model = onnx.parser.parse_model(f'<ir_version: 10, opset_import: ["" : {opset}, "com.microsoft" : 1]>\n{text}')
    for key, value in weights.items():
        model.graph.initializer.append(numpy_helper.from_array(np.asarray(value), key))
    onnx.checker.check_model(model)
    data = model.SerializeToString()
    settings = onnxruntime.SessionOptions()
    settings.log_severity_level = 4
    session = onnxruntime.InferenceSession(data, settings, providers=["CPUExecutionProvider"])
    cache = {i.name: np.zeros([batch if k == 0 else 0 if isinstance(d, str) else d for k, d in enumerate(i.shape)], F) for i in session.get_inputs() if i.name.startswith("past_")}
    n, recorded = 0, []
    for s in lengths:
        given = {"x": rng.standard_normal((batch, s, 8)).astype(F), **inputs(n, s)}
        names = [o.name for o in session.get_outputs()]
        outputs = dict(zip(names, session.run(names, {**given, **cache})))
        cache = {"past_" + k[len("present_"):]: v for k, v in outputs.items() if k.startswith("present_")}
        if "mask" in given:  # as the program takes it
            mask = given["mask"]
            given["mask"] = np.concatenate([np.ones((batch, STEPS - n), mask.dtype), mask], 1)
        recorded.append({"inputs": {k: tensor(v) for k, v in given.items()}, "outputs": {k: tensor(v) for k, v in outputs.items() if not k.startswith("present_")}})
        n += s
    cases.append({"name": "cache/" + name, "model": base64.b64encode(data).decode(), "states": {"present_*": f"past_*:{STEPS}"}, "calls": recorded, **options})


def normal(*dims):
    return (rng.standard_normal(dims) * 0.5).astype(F)


def ones(n, s):
    return {"mask": np.ones((1, n + s), I)}


projections = {"wq": normal(8, 8), "wk": normal(8, 4), "wv": normal(8, 4), "wo": normal(8, 8)}
# x [batch, seq, 8] to q [batch, 4, seq, 2], k and v [batch, 2, seq, 2].
HEADS = """
  qs = Constant <value_ints = [0, 0, 4, 2]> ()
  ks = Constant <value_ints = [0, 0, 2, 2]> ()
  q0 = MatMul (x, wq)  q1 = Reshape (q0, qs)  q = Transpose <perm = [0, 2, 1, 3]> (q1)
  k0 = MatMul (x, wk)  k1 = Reshape (k0, ks)  k = Transpose <perm = [0, 2, 1, 3]> (k1)
  v0 = MatMul (x, wv)  v1 = Reshape (v0, ks)  v = Transpose <perm = [0, 2, 1, 3]> (v1)
  zero = Constant <value_int = 0> ()  one = Constant <value_int = 1> ()
  zeros = Constant <value_ints = [0]> ()  ones = Constant <value_ints = [1]> ()  twos = Constant <value_ints = [2]> ()
  threes = Constant <value_ints = [3]> ()  fours = Constant <value_ints = [4]> ()  minus = Constant <value_ints = [-1]> ()
"""
# The sizes: n steps of the past, s new ones, t together.
SIZES = """
  pastshape = Shape (past_key)  n = Gather (pastshape, two)
  xshape = Shape (x)  s = Gather (xshape, one)  b = Gather (xshape, zero)
  t = Add (n, s)
"""
# Keys and values of all heads, and attention with what is added to the scores.
ATTENTION = """
  present_key = Concat <axis = -2> (past_key, KEY)
  present_value = Concat <axis = -2> (past_value, v)
  k5 = Unsqueeze (present_key, twos)  v5 = Unsqueeze (present_value, twos)
  bs = Unsqueeze (b, zeros)  ts = Unsqueeze (t, zeros)
  wide = Concat <axis = 0> (bs, twos, twos, ts, twos)
  wk5 = Expand (k5, wide)  wv5 = Expand (v5, wide)
  all = Concat <axis = 0> (bs, fours, ts, twos)
  ka = Reshape (wk5, all)  va = Reshape (wv5, all)
  kt = Transpose <perm = [0, 1, 3, 2]> (ka)
  scores0 = MatMul (QUERY, kt)
  root = Constant <value_float = 0.70710678> ()
  scores1 = Mul (scores0, root)
  scores = Add (scores1, bias)
  weights = Softmax <axis = -1> (scores)
  y0 = MatMul (weights, va)
  y1 = Transpose <perm = [0, 2, 1, 3]> (y0)
  flat = Constant <value_ints = [0, 0, 8]> ()
  y2 = Reshape (y1, flat)
  y = MatMul (y2, wo)
"""
# A mask of queries [s] and keys [t] from the sizes alone.
CAUSAL = """
  places = Range (zero, t, one)
  queries0 = Range (n, t, one)
  queries = Unsqueeze (queries0, ones)
  seen = LessOrEqual (places, queries)
"""
SIGNATURE = "g (float[batch, seq, 8] x{more}, float[batch, 2, past, 2] past_key, float[batch, 2, past, 2] past_value) => (float[batch, seq, 8] y, float[batch, 2, all, 2] present_key, float[batch, 2, all, 2] present_value)"
NUMBERS = "  two = Constant <value_int = 2> ()  low = Constant <value_float = -3.4028235e38> ()  null = Constant <value_float = 0.0> ()\n"


def layer(body, key="k", query="q", more=""):
    return SIGNATURE.format(more=more) + " {" + HEADS + NUMBERS + SIZES + body + ATTENTION.replace("KEY", key).replace("QUERY", query) + "}"


# No mask: what is seen follows from the sizes.
case("causal", layer(CAUSAL + "  bias = Where (seen, null, low)\n"), projections, shapes={"x": "1,seq,8"})
# More steps than the program keeps: the queries see the last ones only, so ONNX Runtime is
# given a window of as many.
case("window", layer(CAUSAL + f"""
  width = Constant <value_int = {STEPS + 1}> ()
  first = Sub (queries, width)  near = Greater (places, first)  both = And (seen, near)
  bias = Where (both, null, low)
"""), projections, lengths=(4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1), shapes={"x": "1,seq,8"})

ROTARY = """
  c = Gather (cos, positions)  sn = Gather (sin, positions)
  c4 = Unsqueeze (c, ones)  s4 = Unsqueeze (sn, ones)
  qa, qb = Split <axis = -1, num_outputs = 2> (q)  qn = Neg (qb)  qr = Concat <axis = -1> (qn, qa)
  qc = Mul (q, c4)  qs4 = Mul (qr, s4)  rq = Add (qc, qs4)
  kx, ky = Split <axis = -1, num_outputs = 2> (k)  kn = Neg (ky)  kr = Concat <axis = -1> (kn, kx)
  kc = Mul (k, c4)  ks4 = Mul (kr, s4)  rk = Add (kc, ks4)
"""
angles = np.outer(np.arange(32), [1.0, 1.0])
tables = {**projections, "cos": np.cos(angles).astype(F), "sin": np.sin(angles).astype(F)}
MASKED = CAUSAL + """
  onetwo = Constant <value_ints = [1, 2]> ()
  m2 = Cast <to = 9> (mask)  m4 = Unsqueeze (m2, onetwo)
  both = And (seen, m4)  bias = Where (both, null, low)
"""
MASK = ", int64[batch, total] mask"
# Positions that are an input, as optimum exports decoders.
case("positions", layer(ROTARY + MASKED, "rk", "rq", MASK + ", int64[batch, seq] positions"), tables,
     inputs=lambda n, s: {**ones(n, s), "positions": np.arange(n, n + s, dtype=I)[None]}, shapes={"x": "1,seq,8", "mask": "1,past+seq"})
# Positions from the mask, of two sequences of which one is padded on the left.
FROM_MASK = """
  sums = CumSum (mask, one)  less = Sub (sums, ones)
  unseen = Equal (mask, zero)  all_positions = Where (unseen, one, less)
  negative = Neg (s)  cut = Unsqueeze (negative, zeros)
  end = Constant <value_ints = [9223372036854775807]> ()
  positions = Slice (all_positions, cut, end, ones)
"""
case("padded", layer(FROM_MASK + ROTARY + MASKED, "rk", "rq", MASK), tables, batch=2,
     inputs=lambda n, s: {"mask": np.array([[1] * (n + s), [0, 0] + [1] * (n + s - 2)], I)}, shapes={"x": "2,seq,8", "mask": "2,past+seq"})
# Positions from the length of the past, and a mask that is an input; the bias is arithmetic.
case("lengths", layer("  row = Range (n, t, one)  positions = Unsqueeze (row, zeros)\n" + ROTARY + """
  f = Cast <to = 1> (mask)  unit = Constant <value_float = 1.0> ()  hidden = Sub (unit, f)
  onetwo = Constant <value_ints = [1, 2]> ()
  h4 = Unsqueeze (hidden, onetwo)  bias = Mul (h4, low)
""", "rk", "rq", MASK), tables, lengths=(1, 1, 1, 1, 1), inputs=ones, shapes={"x": "1,1,8", "mask": "1,past+1"})

# The mask of transformers: a triangle, and padding that is written into it in place.
IN_PLACE = """
  row = Range (n, t, one)  positions = Unsqueeze (row, zeros)
  ss = Unsqueeze (s, zeros)  bs0 = Unsqueeze (b, zeros)  ts0 = Unsqueeze (t, zeros)
  st = Concat <axis = 0> (ss, ts0)
  full = Expand (low, st)
  tri = Trilu <upper = 1> (full, one)
  places = Range (zero, t, one)
  cp = Unsqueeze (row, ones)
  later = Greater (places, cp)
  lf = Cast <to = 1> (later)
  c2 = Mul (tri, lf)
  zeroone = Constant <value_ints = [0, 1]> ()  onetwo = Constant <value_ints = [1, 2]> ()
  cm4 = Unsqueeze (c2, zeroone)
  bst = Concat <axis = 0> (bs0, ones, ss, ts0)
  causal = Expand (cm4, bst)
  mf = Cast <to = 1> (mask)  m4 = Unsqueeze (mf, onetwo)
  together = Add (causal, m4)
  hidden = Equal (together, null)
  filled = Where (hidden, low, causal)
  r0 = Range (zero, b, one)  r1 = Range (zero, one, one)  r2 = Range (zero, s, one)
  to0 = Constant <value_ints = [-1, 1, 1, 1]> ()  to1 = Constant <value_ints = [-1, 1, 1]> ()  to2 = Constant <value_ints = [-1, 1]> ()
  i0 = Reshape (r0, to0)  i1 = Reshape (r1, to1)  i2 = Reshape (r2, to2)
  e0 = Expand (i0, bst)  e1 = Expand (i1, bst)  e2 = Expand (i2, bst)  e3 = Expand (places, bst)
  u0 = Unsqueeze (e0, minus)  u1 = Unsqueeze (e1, minus)  u2 = Unsqueeze (e2, minus)  u3 = Unsqueeze (e3, minus)
  where = Concat <axis = -1> (u0, u1, u2, u3)
  bias = ScatterND (causal, where, filled)
"""
case("in_place", layer(IN_PLACE + ROTARY, "rk", "rq", MASK), tables, batch=2,
     inputs=lambda n, s: {"mask": np.array([[1] * (n + s), [0, 0] + [1] * (n + s - 2)], I)}, shapes={"x": "2,seq,8", "mask": "2,past+seq"})

# Attention of com.microsoft and of ONNX.
FUSED = SIGNATURE.replace("[batch, 2, past, 2]", "[batch, {heads}, past, {size}]").replace("[batch, 2, all, 2]", "[batch, {heads}, all, {size}]").replace("seq, 8] y", "seq, width] y")
halves = np.outer(np.arange(32), 2.0 ** -np.arange(8))
case("GroupQueryAttention", FUSED.format(heads=2, size=16, more=MASK) + """ {
  q = MatMul (x, wq)  k = MatMul (x, wk)  v = MatMul (x, wv)
  one = Constant <value_int = 1> ()  ones = Constant <value_ints = [1]> ()
  sum = ReduceSum <keepdims = 0> (mask, ones)  less = Sub (sum, one)  seqlens = Cast <to = 6> (less)
  ms = Shape (mask)  m1 = Gather (ms, one)  total = Cast <to = 6> (m1)
  y, present_key, present_value = com.microsoft.GroupQueryAttention <num_heads = 4, kv_num_heads = 2, do_rotary = 1> (q, k, v, past_key, past_value, seqlens, total, cos, sin)
}""", {"wq": normal(8, 64), "wk": normal(8, 32), "wv": normal(8, 32), "cos": np.cos(halves).astype(F), "sin": np.sin(halves).astype(F)}, inputs=ones, shapes={"x": "1,seq,8", "mask": "1,past+seq"})
case("MultiHeadAttention", FUSED.format(heads=4, size=2, more="") + """ {
  q = MatMul (x, wq)  k = MatMul (x, wk)  v = MatMul (x, wv)
  y, present_key, present_value = com.microsoft.MultiHeadAttention <num_heads = 4, unidirectional = 1> (q, k, v, , , , past_key, past_value)
}""", {k: normal(8, 8) for k in ("wq", "wk", "wv")}, shapes={"x": "1,seq,8"})
case("Attention", FUSED.format(heads=2, size=2, more="") + """ {
  q = MatMul (x, wq)  k = MatMul (x, wk)  v = MatMul (x, wv)
  y, present_key, present_value = Attention <q_num_heads = 4, kv_num_heads = 2, is_causal = 1> (q, k, v, , past_key, past_value)
}""", projections, opset=23, shapes={"x": "1,seq,8"})

# GPT-2's mask: rows and columns of a stored triangle, of which two dimensions are cut by one node or by two.
triangle = {**projections, "tri": np.tril(np.ones((1, 1, 16, 16), np.uint8))}
for name, cut in ("triangle", "rows = Slice (tri, n1, t1, twos)  part = Slice (rows, zeros, t1, threes)"), ("triangle_at_once", """
  from = Concat <axis = 0> (n1, zeros)  to = Concat <axis = 0> (t1, t1)  places = Constant <value_ints = [2, 3]> ()  part = Slice (tri, from, to, places)"""):
    case(name, layer(f"  n1 = Unsqueeze (n, zeros)  t1 = Unsqueeze (t, zeros)\n  {cut}\n  seen = Cast <to = 9> (part)  bias = Where (seen, null, low)\n"), triangle, shapes={"x": "1,seq,8"})

print(json.dumps(cases, indent=0))
