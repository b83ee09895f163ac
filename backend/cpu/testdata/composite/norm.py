"""Cases of norms."""
import numpy as np

from case import FLOATS, INF, NAN, case, draw



def log_softmax(x, dim):
    x = x - x.max(dim, keepdims=True)
    return x - np.log(np.exp(x).sum(dim, keepdims=True))


def over(v, x):
    return v.reshape([-1] + [1] * (x.ndim - 2))


def grouped(x, g, b, n, epsilon):
    y = x.reshape(x.shape[0], n, -1)
    y = (y - y.mean(2, keepdims=True)) / np.sqrt(y.var(2, keepdims=True) + epsilon)
    return y.reshape(x.shape) * over(g, x) + over(b, x)


for dt in FLOATS:
    for shape, dim in (((2, 3, 4), 2), ((2, 3, 4), 1), ((5,), 0)):
        x = draw(dt, shape)
        case("log_softmax", [x], lambda x, d=dim: log_softmax(x, d), {"dim": dim})
    x, g = draw(dt, (2, 3, 8)), draw(dt, (8,))
    case("rms_norm", [x, g], lambda x, g: x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6) * g)
    case("rms_norm", [x, g], lambda x, g: x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-3) * (1 + g), {"epsilon": 1e-3, "offset": 1.0})
    case("l2_normalize", [x], lambda x: x / np.sqrt((x * x).sum(1, keepdims=True)), {"dim": 1})
    g, b, m, v = (draw(dt, (3,), lo, 4) for lo in (-4, -4, -4, 0.5))
    x = draw(dt, (2, 3, 4, 2))
    case("batch_norm", [x, g, b, m, v], lambda x, g, b, m, v: (x - over(m, x)) / np.sqrt(over(v, x) + 1e-5) * over(g, x) + over(b, x), size=64)
    case("instance_norm", [x, g, b], lambda x, g, b: grouped(x, g, b, 3, 1e-3), {"epsilon": 1e-3}, size=16)
    x, g, b = draw(dt, (2, 6, 4)), draw(dt, (6,)), draw(dt, (6,))
    for groups in (1, 2, 6):
        case("group_norm", [x, g, b], lambda x, g, b, n=groups: grouped(x, g, b, n, 1e-5), {"groups": groups}, size=16)
x = np.array([[-INF, 0, 1], [1000, 1001, -1000], [NAN, 0, 0]], np.float32)
case("log_softmax", [x], lambda x: log_softmax(x, 1), {"dim": 1}, size=2000)
case("l2_normalize", [np.zeros((2, 3), np.float32)], lambda x: x, {"dim": 1})
case("l2_normalize", [np.array([3, 4], np.float32)], lambda x: x / 10, {"dim": 0, "epsilon": 10.0})


def cosine_similarity(a, b, dim, epsilon=1e-8):
    length = lambda x: np.maximum(np.sqrt((x * x).sum(dim)), epsilon)
    return (a * b).sum(dim) / (length(a) * length(b))


for dt in FLOATS:
    for shape, dim in (((2, 3, 4), 2), ((2, 3, 4), 1), ((5,), 0)):
        a, b = draw(dt, shape), draw(dt, shape)
        case("cosine_similarity", [a, b], lambda a, b, d=dim: cosine_similarity(a, b, d), {"dim": dim})
zeros, unit = np.zeros((2, 3), np.float32), np.array([[3, 0, 4], [NAN, 0, 0]], np.float32)
case("cosine_similarity", [zeros, unit], lambda a, b: cosine_similarity(a, b, 1), {"dim": 1})
case("cosine_similarity", [unit, unit], lambda a, b: cosine_similarity(a, b, 1, 10.0), {"dim": 1, "epsilon": 10.0})
