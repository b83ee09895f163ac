"""Cases of convolutions and pools: each element by its definition."""
import itertools

import numpy as np

from case import FLOATS, INF, NAN, case, draw


def conv(x, k, strides, low, high, dilation, groups):
    n = x.ndim - 2
    x = np.pad(x, [(0, 0), (0, 0)] + list(zip(low, high)))
    out = [(x.shape[2 + i] - dilation[i] * (k.shape[2 + i] - 1) - 1) // strides[i] + 1 for i in range(n)]
    y = np.zeros([x.shape[0], k.shape[0]] + out)
    per, feats = k.shape[1], k.shape[0] // groups
    for o in range(k.shape[0]):
        g = o // feats
        for at in itertools.product(*map(range, out)):
            for tap in itertools.product(*map(range, k.shape[2:])):
                p = tuple(a * s + t * d for a, s, t, d in zip(at, strides, tap, dilation))
                y[(slice(None), o) + at] += (x[(slice(None), slice(g * per, (g + 1) * per)) + p] * k[(o, slice(None)) + tap]).sum(1)
    return y


def transposed(x, k, strides, low, high, dilation, groups, extra):
    n = x.ndim - 2
    full = [(x.shape[2 + i] - 1) * strides[i] + dilation[i] * (k.shape[2 + i] - 1) + 1 + extra[i] for i in range(n)]
    y = np.zeros([x.shape[0], k.shape[1] * groups] + full)
    per = x.shape[1] // groups
    for c in range(x.shape[1]):
        g = c // per
        feats = slice(g * k.shape[1], (g + 1) * k.shape[1])
        for at in itertools.product(*map(range, x.shape[2:])):
            for tap in itertools.product(*map(range, k.shape[2:])):
                p = tuple(a * s + t * d for a, s, t, d in zip(at, strides, tap, dilation))
                y[(slice(None), feats) + p] += x[(slice(None), c) + at][:, None] * k[(c, slice(None)) + tap]
    return y[(slice(None), slice(None)) + tuple(slice(l, f - h) for l, f, h in zip(low, full, high))]


for dt, sx, sk, strides, low, high, dilation, groups in (
        ("f32", (2, 4, 9), (6, 4, 3), [1], [1], [1], [1], 1), ("f64", (2, 4, 9), (6, 2, 3), [2], [0], [2], [2], 2),
        ("f16", (1, 2, 6, 5), (3, 2, 3, 2), [1, 1], [0, 0], [0, 0], [1, 1], 1), ("bf16", (1, 2, 6, 5), (3, 2, 3, 2), [1, 2], [1, 1], [0, 1], [1, 1], 1),
        ("f32", (2, 3, 7, 6), (4, 3, 3, 3), [2, 2], [1, 1], [1, 1], [1, 1], 1), ("f32", (1, 4, 7, 8), (4, 1, 3, 2), [1, 1], [2, 0], [2, 1], [2, 3], 4),
        ("f32", (1, 6, 5, 5), (4, 3, 1, 1), [1, 1], [0, 0], [0, 0], [1, 1], 2), ("f32", (1, 2, 4, 5, 3), (3, 2, 2, 3, 2), [1, 2, 1], [1, 0, 0], [0, 1, 1], [1, 1, 2], 1),
        ("f64", (1, 4, 3, 3, 3), (4, 2, 2, 2, 2), [1, 1, 1], [1, 1, 1], [1, 1, 1], [1, 1, 1], 2), ("f32", (0, 2, 3, 3), (2, 2, 2, 2), [1, 1], [0, 0], [0, 0], [1, 1], 1)):
    x, k = draw(dt, sx, -1, 1), draw(dt, sk, -1, 1)
    case("convolution", [x, k], lambda x, k: conv(x, k, strides, low, high, dilation, groups),
         {"strides": strides, "low": low, "high": high, "dilation": dilation, "groups": groups})
x, k = draw("f32", (1, 2, 5)), draw("f32", (2, 2, 2))
case("convolution", [x, k], lambda x, k: conv(x, k, [1], [0], [0], [1], 1))
x = np.array([[[1, INF, 3, NAN, 5]]], np.float32)
case("convolution", [x, np.ones((1, 1, 1), np.float32)], lambda x, k: x)

for dt, sx, sk, strides, low, high, dilation, groups, extra in (
        ("f32", (2, 4, 5), (4, 3, 3), [2], [1], [1], [1], 1, [1]), ("f64", (1, 4, 5), (4, 1, 4), [3], [0], [2], [2], 2, [2]),
        ("f16", (1, 2, 3, 4), (2, 3, 3, 2), [1, 2], [0, 0], [0, 0], [1, 1], 1, [0, 0]), ("bf16", (1, 2, 3, 4), (2, 3, 3, 2), [2, 2], [1, 1], [1, 0], [1, 1], 1, [1, 1]),
        ("f32", (1, 4, 3, 3), (4, 2, 3, 3), [2, 2], [1, 1], [1, 1], [1, 1], 2, [1, 0]), ("f32", (1, 3, 4, 4), (3, 1, 2, 2), [1, 1], [0, 1], [1, 0], [2, 1], 3, [1, 0]),
        ("f32", (1, 2, 3, 2, 3), (2, 2, 2, 3, 2), [1, 2, 1], [0, 1, 0], [0, 1, 1], [1, 1, 2], 1, [0, 1, 0]),
        ("f32", (1, 1, 4), (1, 1, 1), [2], [1], [2], [1], 1, [0])):
    x, k = draw(dt, sx, -1, 1), draw(dt, sk, -1, 1)
    case("conv_transpose", [x, k], lambda x, k: transposed(x, k, strides, low, high, dilation, groups, extra),
         {"strides": strides, "low": low, "high": high, "dilation": dilation, "groups": groups, "output_padding": extra})
x, k = draw("f32", (1, 2, 5)), draw("f32", (2, 2, 2))
case("conv_transpose", [x, k], lambda x, k: transposed(x, k, [1], [0], [0], [1], 1, [0]))


def pool(x, kernel, strides, low, high, dilation, ceil, f):
    """f gets the elements of a window that are in the operand, and how many
    places are in the padded one."""
    n, out = len(kernel), []
    for i in range(n):
        size = x.shape[2 + i]
        room = size + low[i] + high[i] - dilation[i] * (kernel[i] - 1) - 1
        m = (-(-room // strides[i]) if ceil else room // strides[i]) + 1
        if (m - 1) * strides[i] >= size + low[i]:
            m -= 1
        out.append(m)
    y = np.zeros(list(x.shape[:2]) + out)
    for at in itertools.product(*map(range, out)):
        taps = [[a * s - l + t * d for t in range(k)] for a, s, l, k, d in zip(at, strides, low, kernel, dilation)]
        inside = [[p for p in ps if 0 <= p < size] for ps, size in zip(taps, x.shape[2:])]
        padded = [[p for p in ps if -l <= p < size + h] for ps, size, l, h in zip(taps, x.shape[2:], low, high)]
        grid = x[np.ix_(range(x.shape[0]), range(x.shape[1]), *inside)]
        y[(slice(None), slice(None)) + at] = f(grid.reshape(x.shape[0], x.shape[1], -1), int(np.prod([len(p) for p in padded])))
    return y


for dt, sx, kernel, strides, low, high, dilation, ceil in (
        ("f32", (2, 3, 9), [3], [2], [1], [1], [1], False), ("f64", (1, 2, 10), [3], [3], [0], [0], [2], True),
        ("f16", (1, 2, 6, 5), [2, 2], [2, 2], [0, 0], [0, 0], [1, 1], False), ("bf16", (1, 2, 6, 5), [3, 2], [2, 2], [1, 0], [1, 1], [1, 1], True),
        ("f32", (2, 2, 7, 7), [3, 3], [2, 2], [1, 1], [1, 1], [1, 1], True), ("f32", (1, 1, 4, 4), [2, 2], [3, 3], [0, 0], [0, 0], [1, 1], True),
        ("f32", (1, 1, 3), [2], [3], [1], [1], [1], True), ("f32", (1, 2, 4, 5, 3), [2, 3, 2], [1, 2, 1], [1, 0, 0], [0, 1, 1], [1, 1, 2], False)):
    x = draw(dt, sx)
    attrs = {"kernel": kernel, "strides": strides, "low": low, "high": high, "dilation": dilation, "ceil": ceil}
    case("max_pool", [x], lambda x: pool(x, kernel, strides, low, high, dilation, ceil, lambda v, n: v.max(2)), attrs, exact=True)
    for count in (False, True):
        case("avg_pool", [x], lambda x: pool(x, kernel, strides, low, high, dilation, ceil, lambda v, n: v.sum(2) / (n if count else max(v.shape[2], 1))),
             {**attrs, "count_include_pad": count})
for dt in ("i8", "u8", "i32"):
    x = draw(dt, (1, 2, 5), 0, 100)
    case("max_pool", [x], lambda x: np.maximum(x[..., :-1], x[..., 1:]), {"kernel": [2]})
case("max_pool", [np.array([[[1, NAN, 2, 3]]], np.float32)], lambda x: np.maximum(x[..., :-1], x[..., 1:]), {"kernel": [2]})
case("max_pool", [np.zeros((1, 1, 1), np.float32)], lambda x: np.array([[[-INF, 0, -INF]]]), {"kernel": [1], "low": [1], "high": [1]})
case("avg_pool", [np.ones((1, 1, 1), np.float32)], lambda x: np.array([[[0, 1, 0]]]), {"kernel": [1], "low": [1], "high": [1]})


def adaptive(x, sizes, f):
    for i, n in enumerate(sizes):
        s = x.shape[2 + i]
        x = np.concatenate([f(x.take(range(j * s // n, -(-(j + 1) * s // n)), 2 + i), 2 + i) for j in range(n)], 2 + i)
    return x


def mean(v, d):
    return v.mean(d, keepdims=True)


def top(v, d):
    return v.max(d, keepdims=True)


for dt in FLOATS:
    for shape, sizes in (((1, 2, 7), [3]), ((2, 2, 5, 6), [2, 6]), ((1, 1, 3, 2), [5, 1]), ((1, 2, 4, 3, 5), [2, 2, 2])):
        x = draw(dt, shape)
        axes = tuple(range(2, len(shape)))
        case("adaptive_max_pool", [x], lambda x: adaptive(x, sizes, top), {"sizes": sizes}, exact=True)
        case("adaptive_avg_pool", [x], lambda x: adaptive(x, sizes, mean), {"sizes": sizes})
        case("global_max_pool", [x], lambda x: x.max(axes, keepdims=True), exact=True)
        case("global_avg_pool", [x], lambda x: x.mean(axes, keepdims=True))
