"""Writes elementwise.json: see gen_ops.py, from which it takes everything but the operations.

    python3 gen_elementwise.py > elementwise.json
"""
import math

from opcases import *


def softplus(x):
    return np.logaddexp(x, 0)


def selu(x):
    scale, alpha = 1.0507009873554804934193349852946, 1.6732632423543772848170429916717
    return np.where(x > 0, scale * x, scale * alpha * np.expm1(x))


def gelu_tanh(x):
    # The formula by its logistic form: 1 + tanh(y) cancels for negative y.
    return x / (1 + np.exp(-2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def hardsigmoid(x):
    return np.clip(x / 6 + 0.5, 0, 1)


EXACT = {"ceil": np.ceil, "round": np.rint, "trunc": np.trunc}
FUNCTIONS = {"cbrt": np.cbrt, "expm1": np.expm1, "log1p": np.log1p, "log2": np.log2, "log10": np.log10, "tan": np.tan,
             "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "sinh": np.sinh, "cosh": np.cosh,
             "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh, "erfc": erfc,
             "reciprocal": np.reciprocal, "silu": lambda x: x / (1 + np.exp(-x)), "softplus": softplus,
             "mish": lambda x: x * np.tanh(softplus(x)), "selu": selu, "gelu_tanh": gelu_tanh,
             "hardsigmoid": hardsigmoid, "hardswish": lambda x: x * hardsigmoid(x)}
MORE = [0.25, 0.75, 1.5, 2.5, -0.5, -1.5, -2.5, 1e-4, -1e-4, 7.0]
for name, f in {**EXACT, **FUNCTIONS}.items():
    for dt in FLOATS:
        # asinh and acosh differ by a few roundings of float64 between libraries.
        ulps = 0 if name in EXACT else 16 if dt == "f64" else 1
        for x in (np.array(SPECIAL + MORE).astype(DT[dt]), *((draw(dt, (2, 3, 1, 2)), draw(dt, ()), draw(dt, (0, 2))) if dt == "f32" else ())):
            case(name, [x], rounded(f, dt, x), ulps=ulps)
for dt in NUMERIC:
    x = draw(dt, (3, 4), -100, 100)
    case("sign", [x], np.sign(x))
    case("square", [x], x * x)
    case("relu", [x], np.maximum(x, DT[dt](0)))
    case("relu6", [x], np.minimum(np.maximum(x, DT[dt](0)), DT[dt](6)))
for dt in FLOATS:
    x = np.array(SPECIAL + MORE).astype(DT[dt])
    case("sign", [x], np.where(x == 0, x, np.sign(x)))
    case("is_nan", [x], np.isnan(x))
    case("is_inf", [x], np.isinf(x))
    case("is_finite", [x], np.isfinite(x))
    x = np.array([v for v in SPECIAL + MORE if v == v and v]).astype(DT[dt])
    case("relu", [x], np.maximum(x, DT[dt](0)))  # the sign of a zero is nobody's concern
    for slope in (0.01, 0.2, -1.0):
        case("leaky_relu", [x], rounded(lambda v: np.where(v < 0, slope * v, v), dt, x), {"slope": slope})
    for alpha in (1.0, 0.5):
        case("elu", [x], rounded(lambda v: np.where(v > 0, v, alpha * np.expm1(v)), dt, x), {"alpha": alpha},
             ulps=8 if dt == "f64" else 1)
case("leaky_relu", [np.array([-100, 3, NAN], np.float32)], np.array([-100 * 0.01, 3, NAN], np.float32))
case("elu", [np.array([-1, 3, NAN], np.float32)], np.array([math.expm1(-1), 3, NAN], np.float32), ulps=1)
case("square", [np.array([2**62 + 3, -1], np.int64)], np.array([((2**62 + 3)**2 + 2**63) % 2**64 - 2**63, 1], np.int64))
case("relu", [np.zeros((0, 2), np.int8)], np.zeros((0, 2), np.int8))

for dt in ["bool"] + INTS:
    a, b = draw(dt, (2, 5), -100, 100), draw(dt, (2, 5), -100, 100)
    case("xor", [a, b], a ^ b)
for dt in INTS:
    bits = np.iinfo(DT[dt]).bits
    a = np.array([1, 3, 100, np.iinfo(DT[dt]).max, np.iinfo(DT[dt]).min, 5], DT[dt])
    b = np.array([0, bits - 1, 1, 2, 3, bits - 2], DT[dt])
    case("shift_left", [a, b], np.left_shift(a, b))
    case("shift_right", [a, b], np.right_shift(a, b))
    c = np.full((6,), bits, DT[dt])
    case("shift_left", [a, c], np.zeros((6,), DT[dt]))
    case("shift_right", [a, c], np.where(a < 0, -1, 0).astype(DT[dt]) if dt[0] == "i" else np.zeros((6,), DT[dt]))
    a = np.array([7, 100, 0, 5, np.iinfo(DT[dt]).max, 9] if dt[0] == "u" else [7, -7, -7, 7, np.iinfo(DT[dt]).min, -9], DT[dt])
    b = np.array([2, 7, 3, 9, 10, 3] if dt[0] == "u" else [-2, 2, -2, 2, 10, 3], DT[dt])
    case("remainder", [a, b], np.fmod(a, b))
    case("modulo", [a, b], np.mod(a, b))
    z = np.zeros((6,), DT[dt])
    case("remainder", [a, z], a)
    case("modulo", [a, z], a)
low, minus = np.array([-2**31, 5], np.int32), np.array([-1, -1], np.int32)
case("remainder", [low, minus], np.zeros((2,), np.int32))
case("shift_left", [low, minus], np.zeros((2,), np.int32))
case("shift_right", [low, minus], np.array([-1, 0], np.int32))
for dt in FLOATS:
    a = np.array([7, -7, 7, -7, 5.5, -0.0, 6, -6, INF, 1, -1, NAN, 3]).astype(DT[dt])
    b = np.array([2, 2, -2, -2, 1.25, 3, -3, 3, 2, INF, -INF, 1, 0]).astype(DT[dt])
    case("remainder", [a, b], rounded(np.fmod, dt, a, b))
    # By zero NumPy gives NaN in every type; for -1 modulo an infinity of the other sign it gives that infinity.
    case("modulo", [a, b], rounded(np.mod, dt, a, b))
    a, b = draw(dt, (3, 4)), draw(dt, (3, 4))
    case("remainder", [a, b], rounded(np.fmod, dt, a, b))
    case("modulo", [a, b], rounded(np.mod, dt, a, b), ulps=1)
    case("atan2", [a, b], rounded(np.arctan2, dt, a, b), ulps=8 if dt == "f64" else 1)
    a = np.array([0, -0.0, 0, -0.0, 1, -1, INF, -INF, NAN]).astype(DT[dt])
    b = np.array([1, 1, -1, -1, 0, -0.0, INF, -INF, 1]).astype(DT[dt])
    case("atan2", [a, b], rounded(np.arctan2, dt, a, b), ulps=1)
for dt in NUMERIC:
    x, lo, hi = draw(dt, (2, 5), -9, 9), draw(dt, (2, 5), -5, 0), draw(dt, (2, 5), 1, 5)
    case("clamp", [lo, x, hi], np.minimum(np.maximum(x, lo), hi))
    case("clamp", [lo[0, 0], x, hi[0, 0]], np.minimum(np.maximum(x, lo[0, 0]), hi[0, 0]))
x = np.array([NAN, 5, -5, 0], np.float32)
case("clamp", [np.float32(-1), x, np.float32(1)], np.array([NAN, 1, -1, 0], np.float32))
case("clamp", [np.float32(NAN), x, np.float32(1)], np.full((4,), NAN, np.float32))
case("clamp", [np.float32(2), x, np.float32(1)], np.array([NAN, 1, 1, 1], np.float32))
case("clamp", [np.float32(2), np.zeros((0,), np.float32), np.float32(3)], np.zeros((0,), np.float32))
for dt in FLOATS:
    for x in (np.array(SPECIAL + MORE).astype(DT[dt]), draw(dt, (2, 3, 1, 2)), draw(dt, (0, 2))):
        case("softsign", [x], rounded(lambda v: v / (1 + np.abs(v)), dt, x))

write("gen_elementwise.py")
