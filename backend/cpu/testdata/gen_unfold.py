"""Writes unfold.json: windows, columns, padding between elements, and powers of
integers.

    pip install numpy==2.4.6 ml_dtypes==0.6.0
    python3 gen_unfold.py > unfold.json

Windows are those of NumPy's sliding_window_view. Powers are Python's, of whole
numbers without bounds, cut to the type. The form is that of ops.json.
"""
import itertools

from opcases import *

view = np.lib.stride_tricks.sliding_window_view


def im2col(x, kernel, strides, low, high, dilation):
    r = len(kernel)
    x = np.pad(x, [(0, 0), (0, 0)] + list(zip(low, high)))
    w = view(x, [d * (k - 1) + 1 for k, d in zip(kernel, dilation)], axis=tuple(range(2, 2 + r)))
    w = w[(slice(None), slice(None)) + tuple(slice(None, None, s) for s in strides) + tuple(slice(None, None, d) for d in dilation)]
    n, c, count = w.shape[0], w.shape[1], w.shape[2:2 + r]
    w = np.transpose(w, (0, 1) + tuple(range(2 + r, 2 + 2 * r)) + tuple(range(2, 2 + r)))
    return w.reshape(n, c * math.prod(kernel), math.prod(count))


def col2im(y, sizes, kernel, strides, low, high, dilation):
    """Adds one column after the other."""
    padded = [s + a + b for s, a, b in zip(sizes, low, high)]
    counts = [(p - d * (k - 1) - 1) // s + 1 for p, k, s, d in zip(padded, kernel, strides, dilation)]
    n, c = y.shape[0], y.shape[1] // math.prod(kernel)
    y = y.reshape([n, c] + kernel + counts)
    out = np.zeros([n, c] + padded, np.float64 if y.dtype.kind == "f" else y.dtype)
    for tap in itertools.product(*map(range, kernel)):
        for at in itertools.product(*map(range, counts)):
            place = tuple(a * s + t * d for a, s, t, d in zip(at, strides, tap, dilation))
            out[(slice(None), slice(None)) + place] += y[(slice(None), slice(None)) + tap + at]
    return out[(slice(None), slice(None)) + tuple(slice(a, a + s) for a, s in zip(low, sizes))].astype(y.dtype)


for dt in ("f32", "i16", "bool"):
    x = draw(dt, (2, 7, 3), -9, 9) if dt != "bool" else draw("i8", (2, 7, 3), -1, 0) < 0
    for dim, size, step in ((1, 3, 2), (1, 7, 1), (2, 1, 1), (0, 2, 1), (1, 2, 3)):
        w = np.take(view(x, size, axis=dim), np.arange(0, x.shape[dim] - size + 1, step), axis=dim)
        case("unfold", [x], w, {"dim": dim, "size": size, "step": step})

WINDOWS = [
    ((2, 3, 5, 6), [2, 3], [1, 1], [0, 0], [0, 0], [1, 1]),
    ((1, 2, 5, 6), [3, 2], [2, 3], [1, 0], [2, 1], [1, 1]),
    ((1, 2, 7, 6), [2, 2], [1, 2], [0, 2], [0, 0], [3, 2]),
    ((2, 2, 9), [3], [2], [1], [0], [2]),
    ((1, 1, 3, 4, 3), [2, 2, 1], [1, 2, 1], [0, 1, 0], [1, 0, 0], [1, 1, 1]),
]
for dt in ("f32", "f16", "i32"):
    for shape, *window in WINDOWS:
        x = draw(dt, shape, -9, 9)
        y = im2col(x, *window)
        attrs = dict(zip(("kernel", "strides", "low", "high", "dilation"), window))
        case("im2col", [x], y, attrs)
        y = draw(dt, y.shape, -9, 9)
        # Up to six terms of nine: a few roundings to f32, and one to the type.
        case("col2im", [y], col2im(y, list(shape[2:]), *window), attrs | {"sizes": list(shape[2:])},
             **({} if dt == "i32" else {"ulps": 1, "abs_": 4e-6}))

for dt in ("f32", "u8"):
    for shape, low, high, between in (((2, 3), [1, 0], [0, 2], [0, 2]), ((4,), [0], [0], [3]), ((1, 2), [2, 1], [0, 0], [4, 1]),
                                      ((0, 3), [1, 0], [0, 0], [2, 1]), ((), [], [], [])):
        x, value = draw(dt, shape, 0, 9), np.array(7, DT[dt])
        y = np.full([max((n - 1) * (b + 1) + 1, 0) + l + h for n, l, h, b in zip(shape, low, high, between)], 7, DT[dt])
        y[tuple(slice(l, l + max((n - 1) * (b + 1) + 1, 0), b + 1) for n, l, b in zip(shape, low, between))] = x
        case("pad_interior", [x, value], y, {"low": low, "high": high, "interior": between})


def power(a, b, bits, signed):
    a, b = int(a), int(b)
    if b < 0:
        return {1: 1, -1: -1 if b % 2 else 1}.get(a, 0)
    r = pow(a, b, 2 ** bits)
    return r - 2 ** bits if signed and r >= 2 ** (bits - 1) else r


for dt in INTS:
    info = np.iinfo(DT[dt])
    pairs = list(itertools.product((0, 1, 2, 3, 5, 7, info.max, info.max - 1, info.min), (0, 1, 2, 3, 6, 13, 63, 100, info.max)))
    if info.min < 0:
        pairs += list(itertools.product((0, 1, -1, 2, -2, 3, info.min), (-1, -2, -3, info.min)))
        pairs += list(itertools.product((-1, -2, -3), (0, 1, 2, 3, 9, 64)))
    a, b = (np.array(v, DT[dt]) for v in zip(*pairs))
    want = [power(x, y, info.bits, info.min < 0) for x, y in pairs]
    case("integer_power", [a, b], np.array(want, DT[dt]))

write("gen_unfold.py")
