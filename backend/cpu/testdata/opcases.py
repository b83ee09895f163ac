"""What the generators of this folder share: cases of an operation, written as JSON."""
import base64
import json
import math
import sys

import ml_dtypes
import numpy as np

DT = {"bool": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
      "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64,
      "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}
NAME = {np.dtype(v): k for k, v in DT.items()}
FLOATS = ["f16", "bf16", "f32", "f64"]
INTS = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"]
NUMERIC = FLOATS + INTS
INF, NAN = np.inf, np.nan
rng = np.random.default_rng(20260729)
cases = []


def typ(a):
    return NAME[a.dtype] + "[" + ("x".join(map(str, a.shape)) or "scalar") + "]"


def tensor(a):
    return typ(a) + " " + base64.b64encode(np.ascontiguousarray(a).tobytes()).decode()


def case(op, ins, out, attrs=None, ulps=0, abs_=0.0, params=None):
    c = {"op": op, "in": [tensor(np.asarray(i)) for i in ins], "out": tensor(np.asarray(out))}
    if attrs:
        c["attrs"] = attrs
    if ulps:
        c["ulps"] = ulps
    if abs_ and math.isfinite(abs_):
        c["abs"] = float("%.2e" % abs_)
    if params is not None:
        c["params"] = params
    cases.append(c)


def draw(dt, shape, lo=-4, hi=4):
    if dt == "bool":
        return rng.integers(0, 2, shape).astype(np.bool_)
    if dt in INTS:
        return rng.integers(max(lo, 0) if dt[0] == "u" else lo, hi + 1, shape).astype(DT[dt])
    return np.asarray(rng.uniform(lo, hi, shape), np.float64).astype(DT[dt])


def rounded(f, dt, *xs):
    """f in float64, rounded once to dt."""
    with np.errstate(all="ignore"):
        return np.asarray(f(*[np.asarray(x, np.float64) for x in xs])).astype(DT[dt])


SPECIAL = [0.0, -0.0, INF, -INF, NAN, 1.0, -1.0, 0.5, 1e-3, 30.0, -30.0, 3.25]
erf, erfc = np.vectorize(math.erf, otypes=[float]), np.vectorize(math.erfc, otypes=[float])


def write(name):
    origin = f"{name}, NumPy {np.__version__}, ml_dtypes {ml_dtypes.__version__}, Python {sys.version.split()[0]}"
    print('{"origin": %s, "cases": [' % json.dumps(origin))
    print(",\n".join(json.dumps(c, separators=(",", ":")) for c in cases))
    print("]}")
