"""How gen.py writes a case, and the oracle of ONNX."""
import base64

import ml_dtypes
import numpy as np
import onnx
from onnx import helper
from onnx.reference import ReferenceEvaluator

DT = {"bool": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
      "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64,
      "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}
NAME = {np.dtype(v): k for k, v in DT.items()}
FLOATS = ["f16", "bf16", "f32", "f64"]
INF, NAN = np.inf, np.nan
rng = np.random.default_rng(20260730)
cases = []


def tensor(a):
    a = np.asarray(a)
    head = NAME[a.dtype] + "[" + ("x".join(map(str, a.shape)) or "scalar") + "]"
    return head + " " + base64.b64encode(np.ascontiguousarray(a).tobytes()).decode()


def draw(dt, shape, lo=-4, hi=4):
    if dt in FLOATS:
        return np.asarray(rng.uniform(lo, hi, shape), np.float64).astype(DT[dt])
    return rng.integers(lo, hi + 1, shape).astype(DT[dt])


def wide(x):
    x = np.asarray(x)
    return x.astype(np.float64) if NAME[x.dtype] in FLOATS else x


def case(op, ins, f, attrs=None, oracle="NumPy", size=8, exact=False, out=None):
    """f takes the operands widened to float64; results get the first operand's
    element type, or out's. size is that of the largest term."""
    dt = NAME[np.asarray(ins[0]).dtype]
    with np.errstate(all="ignore"):
        r = f(*[wide(x) for x in ins])
    outs = [np.asarray(y).astype(DT[out or dt]) for y in (r if isinstance(r, (tuple, list)) else [r])]
    c = {"op": op, "in": [tensor(x) for x in ins], "outs": [tensor(y) for y in outs], "oracle": oracle}
    if attrs:
        c["attrs"] = attrs
    if not exact and (out or dt) in FLOATS:
        c["ulps"], c["abs"] = 1, float("%.2e" % (64 * size * 2.0 ** (-53 if dt == "f64" else -24)))
    cases.append(c)


def onnx_op(name, attrs=None, outputs=1, opset=22):
    """The operation of ONNX as a function."""
    def run(*xs):
        ins = [f"x{i}" if x is not None else "" for i, x in enumerate(xs)]
        outs = [f"y{i}" for i in range(outputs)]
        node = helper.make_node(name, ins, outs, **(attrs or {}))
        infos = [helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(np.asarray(x).dtype), np.asarray(x).shape)
                 for n, x in zip(ins, xs) if n]
        graph = helper.make_graph([node], "g", infos, [helper.make_empty_tensor_value_info(o) for o in outs])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
        r = ReferenceEvaluator(model).run(None, {n: np.asarray(x) for n, x in zip(ins, xs) if n})
        return r if outputs > 1 else r[0]
    return run


assert onnx
