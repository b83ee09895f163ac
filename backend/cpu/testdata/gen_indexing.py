"""Writes indexing.json: see gen_ops.py.

    python3 gen_indexing.py > indexing.json
"""
from opcases import *

ALL = ["bool"] + NUMERIC
IDX = np.array([[0, 4, 2], [-3, 99, 1]])


def clip(i, n):
    return np.clip(i.astype(np.int64), 0, n - 1)


for dt in ALL:
    x = draw(dt, (2, 5, 3))
    i = IDX.astype(np.int32)
    case("gather", [x, i], np.take(x, clip(i, 5), 1), {"dim": 1})
    a = np.array([[0, 1], [2, -1]], np.int32).reshape(2, 2, 1).repeat(3, 2)
    case("take_along", [x, a], np.take_along_axis(x, clip(a, 5), 1), {"dim": 1})
    nd = np.array([[0, 4], [1, 9], [-1, 2]], np.int32)
    case("gather_nd", [x, nd], x[clip(nd[:, 0], 2), clip(nd[:, 1], 5)])
x = draw("f32", (2, 5, 3))
for it in ("i8", "u8", "u16", "i64", "u64"):
    i = (IDX if it[0] == "i" else np.abs(IDX)).astype(DT[it])
    for dim, n in ((0, 2), (1, 5), (2, 3)):
        case("gather", [x, i], np.take(x, clip(i, n), dim), {"dim": dim})
case("gather", [x, np.array([2**64 - 1], np.uint64)], x[:, 4:], {"dim": 1})
case("gather", [x, np.int32(2)], x[:, 2], {"dim": 1})
case("gather", [x, np.zeros((0, 4), np.int32)], np.zeros((2, 0, 4, 3), np.float32), {"dim": 1})
big = np.arange(300, dtype=np.int32)
case("gather", [big, np.array([-128, 127], np.int8)], big[[0, 127]], {})
case("take_along", [big, np.array([200, 255, 0], np.uint8)], big[[200, 255, 0]], {"dim": 0})
case("take_along", [x, np.zeros((2, 5, 0), np.int32)], np.zeros((2, 5, 0), np.float32), {"dim": 2})
case("gather_nd", [x, np.array([1, 4, 9], np.uint8)], x[1, 4, 2])
case("gather_nd", [x, np.array([[[1]], [[0]]], np.int64)], x[[[1], [0]]])
case("gather_nd", [x, np.zeros((0, 2), np.int32)], np.zeros((0, 3), np.float32))

MODES = {"set": None, "add": np.add, "mul": np.multiply, "min": np.minimum, "max": np.maximum}


def scatter(mode, x, at, u):
    y = x.copy()
    with np.errstate(all="ignore"):
        if MODES[mode] is None:
            y[at] = u
        else:
            MODES[mode].at(y, at, u)
    return y


for dt in NUMERIC:
    x, u = draw(dt, (5, 2)), draw(dt, (4, 2))
    i = np.array([0, 9, 2, -1], np.int32)
    for mode in MODES:
        at = np.array([0, 3, 2, 1], np.int32)  # no place twice: which update stays is not stated, nor the order of sums
        case("scatter", [x, at, u], scatter(mode, x, at, u), {"mode": mode})
    twice = np.array([2, 9, 2, -1], np.int32)
    for mode in ("min", "max") if dt in FLOATS else ("add", "mul", "min", "max"):
        case("scatter", [x, twice, u], scatter(mode, x, clip(twice, 5), u), {"mode": mode})
    y, v = draw(dt, (2, 5)), draw(dt, (2, 2))
    a = np.array([[0, 4], [3, 1]], np.int64)
    for mode in ("set", "add"):
        case("scatter_along", [y, a, v], scatter(mode, y, (np.arange(2)[:, None], a), v), {"mode": mode, "dim": 1})
        nd = np.array([[1, 0], [0, 3]], np.int32)
        case("scatter_nd", [y, nd, v[0]], scatter(mode, y, (nd[:, 0], nd[:, 1]), v[0]), {"mode": mode})
case("scatter", [x, np.int32(7), u[0]], scatter("set", x, 4, u[0]), {})
case("scatter", [x, np.zeros((0,), np.int32), np.zeros((0, 2), x.dtype)], x, {})
case("scatter_nd", [x, np.array([[1], [3]], np.int32), u[:2]], scatter("set", x, [1, 3], u[:2]), {})
n = np.array([1, NAN, 3], np.float32)
case("scatter", [n, np.array([0, 1, 2], np.int32), np.array([NAN, 1, 9], np.float32)], np.array([NAN, NAN, 9], np.float32), {"mode": "max"})


def argsort(x, dim, descending):
    """Stable in both directions; NumPy sorts NaN last."""
    if not descending:
        return np.argsort(x, dim, kind="stable").astype(np.int32)
    n = x.shape[dim]
    return (n - 1 - np.flip(np.argsort(np.flip(x, dim), dim, kind="stable"), dim)).astype(np.int32)


for dt in NUMERIC:
    x = draw(dt, (3, 7, 2), -3, 3)
    for dim in (0, 1, 2):
        for down in (False, True):
            attrs = {"dim": dim, "descending": down}
            wide = x.astype(np.float64) if dt in FLOATS else x
            order = argsort(wide, dim, down)
            case("argsort", [x], order, attrs)
            case("sort", [x], np.take_along_axis(x, order, dim), attrs)
s = np.array([3, NAN, 3, -INF, NAN, INF, 0, 1, -0.0, 0, 1, -1], np.float32)
for down in (False, True):
    case("argsort", [s], argsort(s, 0, down), {"dim": 0, "descending": down})
    case("sort", [s], s[argsort(s, 0, down)], {"dim": 0, "descending": down})
case("argsort", [np.zeros((2, 0), np.int8)], np.zeros((2, 0), np.int32), {"dim": 1})
case("argsort", [np.zeros((0, 2), np.int8)], np.zeros((0, 2), np.int32), {"dim": 1})
case("sort", [np.zeros((2, 0), np.int8)], np.zeros((2, 0), np.int8), {"dim": 1})
case("sort", [np.array([2**64 - 1, 2**63, 1], np.uint64)], np.array([1, 2**63, 2**64 - 1], np.uint64), {"dim": 0})

for it in INTS:
    i = np.array([[0, 3], [1, 7]], DT[it])
    hot = (i[..., None] == np.arange(5)).astype(np.float32)
    case("one_hot", [i], hot, {"depth": 5})
    case("one_hot", [i], hot.astype(np.int8), {"depth": 5, "dtype": "i8"})
case("one_hot", [np.array([-1, 2], np.int32)], np.array([[0, 0, 0], [0, 0, 1]], np.bool_), {"depth": 3, "dtype": "bool"})
case("one_hot", [np.uint8(200)], (np.arange(300) == 200).astype(np.float32), {"depth": 300})
case("one_hot", [np.zeros((0,), np.int32)], np.zeros((0, 3), np.float32), {"depth": 3})

write("gen_indexing.py")
