"""Writes shape.json: see gen_ops.py.

    python3 gen_shape.py > shape.json
"""
from opcases import *

ALL = ["bool"] + NUMERIC
MODES = ("reflect", "symmetric", "edge", "wrap")
for dt in ALL:
    x = draw(dt, (2, 3, 4))
    case("reverse", [x], x[:, ::-1], {"dims": [1]})
    case("tile", [x], np.tile(x, (2, 1, 3)), {"repeats": [2, 1, 3]})
    case("roll", [x], np.roll(x, 3, 2), {"shift": 3, "dim": 2})
    case("pad_extend", [x], np.pad(x, [(1, 0), (2, 1), (3, 3)], "reflect"), {"low": [1, 2, 3], "high": [0, 1, 3], "mode": "reflect"})
    case("tril", [x], np.tril(x), {})
    case("triu", [x], np.triu(x, -1), {"k": -1})
x = draw("f32", (2, 3, 4))
for dims in ([], [0], [2], [0, 2], [2, 0, 1]):
    case("reverse", [x], np.flip(x, tuple(dims)), {"dims": dims})
case("reverse", [np.float32(2)], np.float32(2), {"dims": []})
for shape in ((0, 3), (1, 3), (3, 1)):
    e = draw("i32", shape)
    case("reverse", [e], e[::-1, ::-1], {"dims": [0, 1]})
    case("tile", [e], np.tile(e, (2, 2)), {"repeats": [2, 2]})
    case("roll", [e], np.roll(e, 1, 0), {"shift": 1, "dim": 0})
    case("tril", [e], np.tril(e, 1), {"k": 1})
    case("cumsum", [e], np.cumsum(e, 0, np.int32), {"dim": 0})
    case("cumsum", [e], np.zeros_like(e) if shape[0] < 2 else np.concatenate([np.zeros_like(e[:1]), np.cumsum(e, 0, np.int32)[:-1]]), {"dim": 0, "exclusive": True})
case("tile", [x], np.tile(x, (0, 1, 2)), {"repeats": [0, 1, 2]})
case("tile", [np.int8(3)], np.int8(3), {"repeats": []})
for shift in (0, 1, -1, 4, -9, 2**40 + 1):
    case("roll", [x], np.roll(x, shift % 4, 2), {"shift": shift, "dim": 2})
for mode in MODES:
    for low, high in (([0, 0, 0], [0, 0, 0]), ([1, 2, 3], [1, 2, 3]), ([0, 0, 2], [0, 1, 0])):
        case("pad_extend", [x], np.pad(x, list(zip(low, high)), mode), {"low": low, "high": high, "mode": mode})
v = draw("i16", (3,))
case("pad_extend", [v], np.pad(v, (9, 11), "edge"), {"low": [9], "high": [11], "mode": "edge"})
case("pad_extend", [v], np.pad(v, (3, 3), "wrap"), {"low": [3], "high": [3], "mode": "wrap"})
case("pad_extend", [v], np.pad(v, (3, 3), "symmetric"), {"low": [3], "high": [3], "mode": "symmetric"})
case("pad_extend", [np.float32(1)], np.float32(1), {"low": [], "high": [], "mode": "wrap"})
for k in (-5, -2, 0, 1, 3, 100, -2**63, 2**63 - 1):
    near = max(min(k, 10), -10)
    case("tril", [x], np.tril(x, near), {"k": k})
    case("triu", [x], np.triu(x, near), {"k": k})
inf = np.array([[INF, NAN], [-INF, 1]], np.float32)
case("tril", [inf], np.array([[INF, 0], [-INF, 1]], np.float32), {})


def scan(f, start, x, dim, exclusive, reverse):
    dt = NAME[x.dtype]
    y = x.astype(np.float64 if dt in FLOATS else np.int64)
    if reverse:
        y = np.flip(y, dim)
    if exclusive:
        y = np.concatenate([np.full_like(np.take(y, [0], dim), start), np.take(y, range(y.shape[dim] - 1), dim)], dim)
    y = f(y, axis=dim)
    return (np.flip(y, dim) if reverse else y).astype(DT[dt])


for dt in NUMERIC:
    x = draw(dt, (2, 7, 3), -3, 3)
    for dim in (0, 1, 2):
        for exclusive, reverse in ((False, False), (True, False), (False, True), (True, True)):
            attrs = {"dim": dim, "exclusive": exclusive, "reverse": reverse}
            # Higham's bound: seven terms up to 3, and seven roundings of a product.
            case("cumsum", [x], scan(np.cumsum, 0, x, dim, exclusive, reverse), attrs, ulps=1 if dt in FLOATS else 0,
                 abs_=7 * 21 * 2.0**(-53 if dt == "f64" else -24) if dt in FLOATS else 0)
            case("cumprod", [x], scan(np.cumprod, 1, x, dim, exclusive, reverse), attrs, ulps=8 if dt in FLOATS else 0)
long = draw("i64", (1000,), -100, 100)
case("cumsum", [long], np.cumsum(long), {"dim": 0})

write("gen_shape.py")
