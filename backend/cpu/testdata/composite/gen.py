"""Writes cases.json: results of other implementations for the composite
operations of compile/op.

    pip install numpy==2.4.6 ml_dtypes==0.6.0 onnx==1.23.2
    python3 gen.py > cases.json

The oracle of a case is NumPy's arithmetic in float64, or the reference evaluator
of the onnx package in float64. Results are rounded once to the element type. The
file's form is that of ops.json, with a list of results.

Tolerance: operations compute in f32 (f64 for f64) and results here are of the
size of ten or less, so a result may be off by some roundings of the terms that it
is made of: "abs" is 64 of them (the sums have up to some tens of terms) and
"ulps" one rounding to the element type.
"""
import json
import sys

import ml_dtypes
import numpy as np
import onnx

import attention
import conv
import resize
import norm  # the cases, by families
from case import cases

origin = f"gen.py, NumPy {np.__version__}, ml_dtypes {ml_dtypes.__version__}, onnx {onnx.__version__}, Python {sys.version.split()[0]}"
assert attention and conv and norm and resize
print('{"origin": %s, "cases": [' % json.dumps(origin))
print(",\n".join(json.dumps(c, separators=(",", ":")) for c in cases))
print("]}")
