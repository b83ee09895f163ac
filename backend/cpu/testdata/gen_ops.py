"""Writes ops.json: results of NumPy for the operations of compile/op.

    pip install numpy==2.4.6 ml_dtypes==0.6.0
    python3 gen_ops.py > ops.json

Every result is computed by NumPy (erf and erfc by Python's math module), the
inexact ones in float64 and then rounded once to the element type. Elements are
little-endian bytes in base64, after the type. "ulps" is how far a result may be off in units of
the last place; "abs" is an absolute allowance on top, for sums.
"""
import math

from opcases import *


def gelu(x):
    r = x / 2 * erfc(-x / math.sqrt(2))
    return r


UNARY = {"exp": np.exp, "log": np.log, "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x), "tanh": np.tanh,
         "logistic": lambda x: 1 / (1 + np.exp(-x)), "erf": erf, "sine": np.sin, "cosine": np.cos,
         "floor": np.floor, "gelu": gelu}
for name, f in UNARY.items():
    for dt in FLOATS:
        exact = name in ("floor", "sqrt")
        ulps = 0 if exact else 8 if dt == "f64" else 1
        for x in (np.array(SPECIAL).astype(DT[dt]), *((draw(dt, (2, 3, 1, 2), 0.1, 4), draw(dt, ()), draw(dt, (0, 2))) if dt == "f32" else ())):
            case(name, [x], rounded(f, dt, x), ulps=ulps)
for dt in NUMERIC:
    for shape in ((3, 4),) if dt != "f32" else ((), (3, 4), (0,)):
        x = draw(dt, shape, -100, 100)
        case("negate", [x], (-x).astype(DT[dt]))
        case("abs", [x], np.abs(x))
for dt in FLOATS:
    x = np.array(SPECIAL).astype(DT[dt])
    case("negate", [x], -x)
    case("abs", [x], np.abs(x))
x = np.array([-128, 127, 0], np.int8)
case("abs", [x], np.abs(x))
case("negate", [x], -x)

for dt in ["bool"] + INTS:
    a, b = draw(dt, (2, 5), -100, 100), draw(dt, (2, 5), -100, 100)
    case("not", [a], ~a)
    case("and", [a, b], a & b)
    case("or", [a, b], a | b)
big = np.array([2**64 - 1, 2**63, 5], np.uint64)
case("and", [big, big[::-1].copy()], big & big[::-1])
case("not", [big], ~big)

BINARY = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "maximum": np.maximum, "minimum": np.minimum}
with np.errstate(all="ignore"):
    for name, f in BINARY.items():
        for dt in NUMERIC:
            for shape in ((2, 3),) if dt != "f32" else ((), (2, 3), (1, 2, 3, 2), (3, 0)):
                a, b = draw(dt, shape, -100, 100), draw(dt, shape, -100, 100)
                case(name, [a, b], f(a, b).astype(DT[dt]))
        for dt in FLOATS:
            a = np.array([NAN, 1, INF, -INF, INF, 3], np.float64).astype(DT[dt])
            b = np.array([1, NAN, -INF, -INF, 2, 3], np.float64).astype(DT[dt])
            case(name, [a, b], f(a, b))
    for dt in FLOATS:
        a, b = draw(dt, (3, 3)), draw(dt, (3, 3), 0.5, 3)
        case("divide", [a, b], np.divide(a, b))
        a, b = np.array([1, -1, 0, INF, NAN]).astype(DT[dt]), np.array([0, 0, 0, INF, 1]).astype(DT[dt])
        case("divide", [a, b], np.divide(a, b))
        a, b = draw(dt, (2, 4), 0.1, 4), draw(dt, (2, 4), -3, 3)
        case("power", [a, b], rounded(np.power, dt, a, b), ulps=8 if dt == "f64" else 1)
        a, b = np.array([-2, -2, 0, 0, INF, NAN, 1]).astype(DT[dt]), np.array([3, .5, 0, -1, -1, 0, NAN]).astype(DT[dt])
        case("power", [a, b], rounded(np.power, dt, a, b))
for dt in INTS:
    a = np.array([7, 7, 0, 100, 5] if dt[0] == "u" else [7, -7, -7, 7, 0], DT[dt])
    b = np.array([2, 9, 3, 7, 5] if dt[0] == "u" else [-2, 2, -2, 2, 3], DT[dt])
    q = [int(math.trunc(int(x) / int(y))) for x, y in zip(a, b)]
    case("divide", [a, b], np.array(q, DT[dt]))

DIRECTIONS = {"EQ": np.equal, "NE": np.not_equal, "LT": np.less, "LE": np.less_equal, "GT": np.greater, "GE": np.greater_equal}
for name, f in DIRECTIONS.items():
    for dt in ["bool"] + NUMERIC if name == "LT" else ["bool", "f32", "i32"]:
        a, b = draw(dt, (6,), -1, 1), draw(dt, (6,), -1, 1)
        case("compare", [a, b], f(a, b), {"direction": name})
    a, b = np.array([NAN, NAN, 0, INF], np.float32), np.array([NAN, 1, -0.0, INF], np.float32)
    case("compare", [a, b], f(a, b), {"direction": name})
    case("compare", [big, big[::-1].copy()], f(big, big[::-1]), {"direction": name})

for dt in ["bool"] + NUMERIC:
    a, b = draw(dt, (2, 3)), draw(dt, (2, 3))
    cond = draw("bool", (2, 3))
    case("select", [cond, a, b], np.where(cond, a, b))
    case("select", [np.bool_(True), a, b], a)
    case("select", [np.bool_(False), a, b], b)

for src in ["bool"] + NUMERIC:
    for dst in ["bool"] + NUMERIC:
        x = draw(src, (4,), 0, 100) if "u" in src + dst else draw(src, (4,), -100, 100)
        case("convert", [x], x.astype(DT[dst]), {"dtype": dst})
wide = np.array([65504, 65520, 65519.999999, 1e30, 1 + 2**-11 + 2**-40, 1 + 2**-11, 1 + 3 * 2**-11, 2**-24, 2**-25,
                 2**-25 * (1 + 2**-40), -1e-300, NAN, -INF, 1 + 2**-8, 1 + 2**-8 + 2**-45])
with np.errstate(all="ignore"):
    # ml_dtypes goes through float32 for bfloat16, which rounds ties twice.
    for src in ("f64", "f32"):
        for dst in ("f16", "bf16", "f32", "f64"):
            if (src, dst) != ("f64", "bf16"):
                x = wide.astype(DT[src])
                case("convert", [x], x.astype(DT[dst]), {"dtype": dst})
case("convert", [np.array([0.0, -0.0, NAN, 0.1, INF], np.float32)], np.array([0, 0, 1, 1, 1], np.bool_), {"dtype": "bool"})
case("convert", [np.array([300, -1, 255, -129], np.int32)], np.array([44, 255, 255, 127], np.uint8), {"dtype": "u8"})
case("convert", [np.array([16777217, -16777219, 2**31 - 1], np.int32)],
     np.array([16777217, -16777219, 2**31 - 1], np.int32).astype(np.float32), {"dtype": "f32"})
case("convert", [np.array([2.9, -2.9, 0.9, -0.9], np.float32)], np.array([2, -2, 0, 0], np.int32), {"dtype": "i32"})


def bounded(v, dt):
    """The integer of a type that is nearest to v without its fraction, in Python's integers."""
    low, high = int(np.iinfo(DT[dt]).min), int(np.iinfo(DT[dt]).max)
    if math.isnan(v):
        return 0
    return (low if v < 0 else high) if math.isinf(v) else max(low, min(high, math.trunc(v)))


EDGES = [NAN, INF, -INF, -0.0, -0.5, -1.0, -1.5, 3e9, -3e9, 1e30, -1e30, 60000.0] + [
    s * (2.0**bits + by) for bits in (7, 8, 15, 16, 31, 32, 63, 64) for by in (-1, -0.5, 0, 1) for s in (1, -1)] + [
    float(np.nextafter(np.float32(2.0**bits), np.float32(0))) for bits in (31, 32, 63, 64)] + [
    float(np.nextafter(2.0**bits, 0)) for bits in (63, 64)]
for src in FLOATS:
    with np.errstate(all="ignore"):
        x = np.array(EDGES).astype(DT[src])
    for dst in INTS:
        case("convert", [x], np.array([bounded(float(v), dst) for v in x], DT[dst]), {"dtype": dst})

for dt in ["bool"] + NUMERIC:
    x = draw(dt, (2, 3, 2))
    case("reshape", [x], x.reshape(4, 3), {"sizes": [4, 3]})
    case("transpose", [x], x.transpose(2, 0, 1), {"permutation": [2, 0, 1]})
    case("slice", [x], x[1:2, 0:3:2, 1:2], {"start": [1, 0, 1], "limit": [2, 3, 2], "strides": [1, 2, 1]})
x = draw("f32", (2, 1, 3, 4))
case("reshape", [np.array([[5]], np.int8)], np.int8(5), {"sizes": []})
case("reshape", [np.zeros((0, 3), np.float32)], np.zeros((5, 0), np.float32), {"sizes": [5, 0]})
for perm in ([0, 1, 2, 3], [3, 2, 1, 0], [1, 0, 2, 3], [0, 2, 1, 3], [2, 0, 3, 1]):
    case("transpose", [x], x.transpose(perm), {"permutation": perm})
case("transpose", [np.float32(2)], np.float32(2), {"permutation": []})
case("transpose", [np.zeros((0, 3), np.int32)], np.zeros((3, 0), np.int32), {"permutation": [1, 0]})
wide_t = draw("i16", (17, 33))
case("transpose", [wide_t], wide_t.T, {"permutation": [1, 0]})
for src, sizes, dims in (((), [2, 3], []), ((3,), [2, 3], [1]), ((2,), [2, 3], [0]), ((2, 1), [2, 4, 3], [0, 2]),
                         ((1, 3), [2, 3, 2], [0, 1]), ((3,), [3], [0]), ((1,), [0, 2], [1]), ((), [], []), ((1, 1), [2, 2], [0, 1])):
    for dt in ("f32", "bool"):
        v = draw(dt, src)
        mid = [1] * len(sizes)
        for i, d in enumerate(dims):
            mid[d] = src[i]
        case("broadcast_in_dim", [v], np.broadcast_to(np.reshape(v, mid), sizes), {"sizes": sizes, "dims": dims})
for dt in ["bool"] + NUMERIC:
    a, b, c = draw(dt, (2, 3)), draw(dt, (2, 1)), draw(dt, (2, 0))
    case("concatenate", [a, b, c, a], np.concatenate([a, b, c, a], 1), {"dim": 1})
a, b = draw("f32", (2, 3, 2)), draw("f32", (4, 3, 2))
case("concatenate", [a, b], np.concatenate([a, b], 0), {"dim": 0})
case("concatenate", [a], a, {"dim": 2})
for idx, start, limit, strides in (
        (np.s_[:, :, :, :], [0, 0, 0, 0], [2, 1, 3, 4], [1, 1, 1, 1]), (np.s_[1:, :, :, :], [1, 0, 0, 0], [2, 1, 3, 4], [1, 1, 1, 1]),
        (np.s_[:, :, 1:2, :], [0, 0, 1, 0], [2, 1, 2, 4], [1, 1, 1, 1]), (np.s_[:, :, :, 1:1], [0, 0, 0, 1], [2, 1, 3, 1], [1, 1, 1, 1]),
        (np.s_[0:1, 0:1, 2:3, 1:4:2], [0, 0, 2, 1], [1, 1, 3, 4], [1, 1, 1, 2])):
    case("slice", [x], x[idx], {"start": start, "limit": limit, "strides": strides})
case("slice", [np.float64(3)], np.float64(3), {"start": [], "limit": [], "strides": []})
for dt in ["bool"] + NUMERIC:
    a, v = draw(dt, (2, 3)), draw(dt, ())
    case("pad", [a, v], np.pad(a, [(1, 0), (2, 3)], constant_values=v), {"low": [1, 2], "high": [0, 3]})
case("pad", [np.float32(2), np.float32(1)], np.float32(2), {"low": [], "high": []})
case("pad", [np.zeros((0, 2), np.int16), np.int16(7)], np.full((3, 2), 7, np.int16), {"low": [1, 0], "high": [2, 0]})

LETTERS = "abcdefgh"


def dot(a, b, lb, rb, lc, rc):
    la, lbs = list(LETTERS[:a.ndim]), [None] * b.ndim
    for i, j in zip(lb + lc, rb + rc):
        lbs[j] = la[i]
    fresh = iter("mnopqrst")
    lbs = [l or next(fresh) for l in lbs]
    out = [la[i] for i in lb] + [l for i, l in enumerate(la) if i not in lb + lc] + [l for j, l in enumerate(lbs) if j not in rb + rc]
    spec = "".join(la) + "," + "".join(lbs) + "->" + "".join(out)
    dt = NAME[a.dtype]
    if dt in INTS:
        with np.errstate(all="ignore"):
            r = np.einsum(spec, a.astype(np.int64), b.astype(np.int64)).astype(DT[dt])
        tol = 0
    else:
        wa, wb = a.astype(np.float64), b.astype(np.float64)
        r = np.einsum(spec, wa, wb).astype(DT[dt])
        k = math.prod(a.shape[i] for i in lc)
        # Higham's bound for a sum of k products, with the unit roundoff of the sum.
        size = np.einsum(spec, np.abs(wa), np.abs(wb))
        tol = k * 2.0**(-53 if dt == "f64" else -24) * (size.max() if size.size else 0)
    case("dot_general", [a, b], r, {"lhs_batching": lb, "rhs_batching": rb, "lhs_contracting": lc, "rhs_contracting": rc},
         ulps=0 if dt in INTS else 1, abs_=tol)


for dt in NUMERIC:
    dot(draw(dt, (3, 5)), draw(dt, (5, 6)), [], [], [1], [0])
    dot(draw(dt, (2, 3, 4)), draw(dt, (2, 5, 4)), [0], [0], [2], [2])
for sa, sb, lb, rb, lc, rc in (
        ((7, 9), (11, 9), [], [], [1], [1]), ((9,), (9,), [], [], [0], [0]), ((1, 8), (8, 3), [], [], [1], [0]),
        ((2, 3), (4, 2), [], [], [], []), ((3, 2, 4), (4, 5, 3), [0], [2], [2], [0]), ((2, 3, 4), (3, 4, 5), [], [], [1, 2], [0, 1]),
        ((2, 3, 4), (4, 3, 5), [], [], [2, 1], [0, 1]), ((2, 2, 3, 4), (2, 2, 4, 3), [0, 1], [0, 1], [3], [2]),
        ((0, 3), (3, 2), [], [], [1], [0]), ((2, 0), (0, 3), [], [], [1], [0]), ((), (3,), [], [], [], []), ((5, 33), (33, 9), [], [], [1], [0])):
    dot(draw("f32", sa), draw("f32", sb), lb, rb, lc, rc)
dot(np.array([[INF, 1]], np.float32), np.array([[0], [1]], np.float32), [], [], [1], [0])


def conv(x, k, stride, padding):
    dt = NAME[x.dtype]
    w = (x.shape[2] + 2 * padding - k.shape[2]) // stride + 1
    px = np.pad(x.astype(np.float64), [(0, 0), (0, 0), (padding, padding)])
    kk = k.astype(np.float64)
    win = np.stack([px[:, :, i * stride:i * stride + k.shape[2]] for i in range(w)], 2)
    r = np.einsum("ncwk,ock->now", win, kk).astype(DT[dt])
    size = np.einsum("ncwk,ock->now", np.abs(win), np.abs(kk))
    tol = k.shape[1] * k.shape[2] * 2.0**(-53 if dt == "f64" else -24) * (size.max() if size.size else 0)
    case("conv1d", [x, k], r, {"stride": stride, "padding": padding}, ulps=1, abs_=tol)


for dt in FLOATS:
    conv(draw(dt, (1, 3, 10)), draw(dt, (4, 3, 3)), 1, 1)
    conv(draw(dt, (2, 2, 9)), draw(dt, (3, 2, 3)), 2, 1)
conv(draw("f32", (1, 1, 5)), draw("f32", (1, 1, 5)), 1, 0)
conv(draw("f32", (1, 2, 8)), draw("f32", (2, 2, 2)), 3, 4)
conv(draw("f32", (0, 2, 8)), draw("f32", (2, 2, 2)), 1, 0)
conv(draw("f32", (1, 2, 8)), draw("f32", (0, 2, 2)), 1, 0)
conv(draw("f32", (1, 0, 8)), draw("f32", (2, 0, 2)), 1, 0)

for dt in NUMERIC:
    x = draw(dt, (2, 3, 2), -5, 5)
    for dims, keep in (([1], False), ([0, 2], True), ([], False), ([0, 1, 2], False)):
        axes = tuple(dims)
        attrs = {"dims": dims, "keepdims": keep}
        total = x.astype(np.float64 if dt in FLOATS else np.int64).sum(axis=axes, keepdims=keep)
        case("reduce_sum", [x], np.asarray(total).astype(DT[dt]), attrs, ulps=1 if dt in FLOATS else 0,
             abs_=24 * 2.0**(-53 if dt == "f64" else -24) * 120 if dt in FLOATS else 0)
        case("reduce_max", [x], x.max(axis=axes, keepdims=keep), attrs)
        case("reduce_min", [x], x.min(axis=axes, keepdims=keep), attrs)
    e = np.zeros((2, 0), DT[dt])
    info = (-INF, INF) if dt in FLOATS else (np.iinfo(DT[dt]).min, np.iinfo(DT[dt]).max)
    for name, v in (("reduce_sum", 0), ("reduce_max", info[0]), ("reduce_min", info[1])):
        case(name, [e], np.full((2,), v).astype(DT[dt]) if dt in FLOATS else np.full((2,), v, DT[dt]), {"dims": [1]})
    case("argmax", [x], x.argmax(0).astype(np.int32), {"dim": 0})
    case("argmax", [x], x.argmax(2).astype(np.int32), {"dim": 2})
for dt in FLOATS:
    n = np.array([[1, NAN, 5], [-INF, -INF, -INF], [INF, 2, INF], [3, NAN, NAN]]).astype(DT[dt])
    case("reduce_max", [n], n.max(1), {"dims": [1]})
    case("reduce_min", [n], n.min(1), {"dims": [1]})
    case("argmax", [n], n.astype(np.float64).argmax(1).astype(np.int32), {"dim": 1})
case("argmax", [np.array([3, 7, 7], np.int32)], np.int32(1), {"dim": 0})

for dt in ["bool"] + NUMERIC:
    table = draw(dt, (5, 3))
    for idt in ("i32", "i64", "u8"):
        idx = np.array([[0, 4, 2], [9, 1, 3]] if idt == "u8" else [[0, 4, 2], [-3, 99, 1]], DT[idt])
        if idt == "i32" or dt == "f32":
            case("take", [table, idx], table[np.clip(idx.astype(int), 0, 4)])
t = draw("f32", (4, 2, 2))
case("take", [t, np.int32(2)], t[2])
case("take", [t, np.array([2**64 - 1, 2**63, 0], np.uint64)], t[[3, 3, 0]])
case("take", [t, np.zeros((0, 2), np.int32)], np.zeros((0, 2, 2, 2), np.float32))


def clamped(starts, outer, box):
    return tuple(slice(c, c + b) for c, b in ((min(max(int(s), 0), o - b), b) for s, o, b in zip(starts, outer, box)))


for dt in ["bool"] + NUMERIC:
    x, u = draw(dt, (4, 5)), draw(dt, (2, 3))
    for st in ((1, 1), (-4, 9), (3, 0)):
        s = [np.int32(i) for i in st]
        at = clamped(st, (4, 5), (2, 3))
        if dt in ("f32", "i32", "bool") or st == (-4, 9):
            case("dynamic_slice", [x] + s, x[at], {"sizes": [2, 3]})
            y = x.copy()
            y[at] = u
            case("dynamic_update_slice", [x, u] + s, y)
case("dynamic_slice", [np.float32(4)], np.float32(4), {"sizes": []})
case("dynamic_slice", [x, np.uint64(2**63), np.uint64(1)], x[3:4, 1:2], {"sizes": [1, 1]})
case("dynamic_slice", [x, np.int64(0), np.int64(0)], x[0:0, 0:2], {"sizes": [0, 2]})
case("dynamic_update_slice", [np.float32(4), np.float32(5)], np.float32(5))
case("dynamic_update_slice", [x, np.zeros((0, 2), x.dtype), np.int8(1), np.int8(1)], x)


def softmax(x, dim):
    e = np.exp(x - x.max(dim, keepdims=True)) if x.size else x
    return e / e.sum(dim, keepdims=True) if x.size else x


for dt in FLOATS:
    ulps = 8 if dt == "f64" else 2
    for shape, dim in (((2, 3, 2), 2), ((2, 3, 2), 1), ((3, 2), 0), ((5,), 0), ((2, 0), 1), ((0, 3), 1)):
        x = draw(dt, shape)
        case("softmax", [x], rounded(lambda v: softmax(v, dim), dt, x), {"dim": dim}, ulps=ulps)
    x = np.array([[-INF, -INF, -INF], [-INF, 0, 1], [1000, 1001, -1000], [INF, 0, 0], [NAN, 0, 0]]).astype(DT[dt])
    case("softmax", [x], rounded(lambda v: softmax(v, 1), dt, x), {"dim": 1}, ulps=ulps)
    for shape, eps in (((2, 3, 8), 1e-5), ((5,), 1e-3), ((0, 4), 1e-5), ((3, 1), 1e-5)):
        x, g, b = draw(dt, shape), draw(dt, shape[-1:]), draw(dt, shape[-1:])

        def norm(x, g, b):
            return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps) * g + b
        # beta may cancel: an absolute allowance of a few roundings of the terms.
        case("layer_norm", [x, g, b], rounded(norm, dt, x, g, b), {"epsilon": eps}, ulps=ulps, abs_=1e-14 if dt == "f64" else 0)

for dt in ["bool"] + NUMERIC:
    v = draw(dt, (2, 2), -100, 100)
    case("constant", [], v, {"value": tensor(v)})
    case("parameter", [], v, {"type": typ(v), "key": "w"}, params=tensor(v))
    case("splat", [], np.full((2, 3), 1, DT[dt]), {"type": dt + "[2x3]", "value": 1.0})
    if dt != "bool":
        case("iota", [], np.broadcast_to(np.arange(3).reshape(1, 3, 1).astype(DT[dt]), (2, 3, 2)), {"type": dt + "[2x3x2]", "dim": 1})
case("iota", [], np.arange(300).astype(np.uint8), {"type": "u8[300]", "dim": 0})
case("iota", [], np.arange(260).astype(np.float32).astype(DT["bf16"]), {"type": "bf16[260]", "dim": 0})
case("iota", [], np.zeros((0, 2), np.int32), {"type": "i32[0x2]", "dim": 1})
case("splat", [], np.float32(-2.5), {"type": "f32[scalar]", "value": -2.5})
case("splat", [], np.full((3,), 2**63, np.uint64), {"type": "u64[3]", "value": 2.0**63})
case("splat", [], np.full((1,), -2**63, np.int64), {"type": "i64[1]", "value": -2.0**63})
case("splat", [], np.full((1,), 2**24 + 1, np.int32), {"type": "i32[1]", "value": 2.0**24 + 1})

for v in (np.array([[1, NAN], [-0.0, INF]], np.float32), np.array([True, False]), np.uint64(2**64 - 1), np.zeros((0, 3), np.float16)):
    case("barrier", [v], v)
case("shard", [np.array([[1, NAN], [-0.0, INF]], np.float32)], np.array([[1, NAN], [-0.0, INF]], np.float32), {"axes": "data,"})

write("gen_ops.py")
