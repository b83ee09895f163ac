"""Writes reduce.json: see gen_ops.py.

    python3 gen_reduce.py > reduce.json
"""
import warnings

from opcases import *

warnings.simplefilter("ignore")


def logsumexp(x, axis, keepdims):
    return np.logaddexp.reduce(x, axis=axis, keepdims=keepdims, initial=-INF)


DIMS = (([1], False), ([0, 2], True), ([], False), ([0, 1, 2], False))
for dt in FLOATS:
    x = draw(dt, (2, 3, 2), -5, 5)
    # In float32 the terms are rounded, their sum and the quotient: abs allows for eight of that for terms up to 25.
    abs_ = 8 * 25 * 2.0**(-53 if dt == "f64" else -24)
    for dims, keep in DIMS:
        axes, attrs = tuple(dims), {"dims": dims, "keepdims": keep}
        case("reduce_mean", [x], rounded(lambda v: v.mean(axis=axes, keepdims=keep), dt, x), attrs, ulps=1, abs_=abs_)
        case("reduce_log_sum_exp", [x], rounded(lambda v: np.log(np.exp(v).sum(axis=axes, keepdims=keep)), dt, x), attrs, ulps=1, abs_=abs_)
        case("reduce_variance", [x], rounded(lambda v: v.var(axis=axes, keepdims=keep), dt, x), attrs, ulps=1, abs_=2 * abs_)
        # Products of twelve factors: a rounding each.
        case("reduce_prod", [x], rounded(lambda v: v.prod(axis=axes, keepdims=keep), dt, x), attrs, ulps=13)
    case("reduce_variance", [x], rounded(lambda v: v.var(axis=1, ddof=1), dt, x), {"dims": [1], "correction": 1}, ulps=1, abs_=2 * abs_)
    e = np.zeros((2, 0), DT[dt])
    case("reduce_mean", [e], np.full((2,), NAN, DT[dt]), {"dims": [1]})
    case("reduce_log_sum_exp", [e], np.full((2,), -INF, DT[dt]), {"dims": [1]})
    case("reduce_prod", [e], np.ones((2,), DT[dt]), {"dims": [1]})
    n = np.array([[1, NAN, 5], [-INF, -INF, -INF], [INF, 2, 3], [80, 81, 79]]).astype(DT[dt])
    case("reduce_log_sum_exp", [n], rounded(lambda v: logsumexp(v, 1, False), dt, n), {"dims": [1]}, ulps=8 if dt == "f64" else 1)
    case("argmin", [n], n.astype(np.float64).argmin(1).astype(np.int32), {"dim": 1})
    # A mean far from zero keeps the variance's digits.
    far = (draw(dt, (64,), -1, 1).astype(np.float64) + (1000 if dt[0] == "f" and dt != "f16" else 8)).astype(DT[dt])
    case("reduce_variance", [far], rounded(np.var, dt, far), {"dims": [0]}, ulps=1, abs_=1e-6 if dt != "f64" else 1e-12)
case("reduce_mean", [np.float32(2.5)], np.float32(2.5), {"dims": []})
case("reduce_variance", [np.float32(2.5)], np.float32(0), {"dims": []})
case("reduce_log_sum_exp", [np.float64(2.5)], np.float64(2.5), {"dims": []})
for dt in INTS:
    x = draw(dt, (2, 3, 2), -5, 5)
    for dims, keep in DIMS:
        total = x.astype(np.int64).prod(axis=tuple(dims), keepdims=keep)
        case("reduce_prod", [x], np.asarray(total).astype(DT[dt]), {"dims": dims, "keepdims": keep})
for dt in NUMERIC:
    x = draw(dt, (2, 3, 2), -2, 2)
    case("argmin", [x], x.argmin(0).astype(np.int32), {"dim": 0})
    case("argmin", [x], x.argmin(2).astype(np.int32), {"dim": 2})
ends = np.array([5, -2**31, 2**31 - 1, -2**31], np.int32)
case("argmin", [ends], np.int32(1), {"dim": 0})
case("argmin", [np.array([2**64 - 1, 2**63, 2**63], np.uint64)], np.int32(1), {"dim": 0})
x = draw("bool", (2, 3, 2))
for dims, keep in DIMS:
    attrs = {"dims": dims, "keepdims": keep}
    for v in (x, np.zeros_like(x), np.ones_like(x)):
        case("reduce_any", [v], v.any(axis=tuple(dims), keepdims=keep), attrs)
        case("reduce_all", [v], v.all(axis=tuple(dims), keepdims=keep), attrs)
e = np.zeros((2, 0), np.bool_)
case("reduce_any", [e], e.any(1), {"dims": [1]})
case("reduce_all", [e], e.all(1), {"dims": [1]})

write("gen_reduce.py")
