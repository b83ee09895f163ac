"""Makes narrow.txt with NumPy 1.26.4 and ml_dtypes 0.5.4: python3 narrow.py > narrow.txt

A line has the bits of an f64 and of what NumPy rounds it to: f32, f16, bf16.
bf16 is rounded from the exact value with integers, since ml_dtypes rounds an f64
to f32 first.
"""

from fractions import Fraction

import ml_dtypes
import numpy as np

r = np.random.default_rng(4)
d = r.standard_normal(160) * 2.0 ** r.integers(-30, 18, 160)
ties = [1 + 2.0**-11, 1 + 2.0**-11 + 2.0**-40, 1 + 3 * 2.0**-11 - 2.0**-40, 2.0**-25, 2.0**-25 + 2.0**-60,
        1 + 2.0**-8, 1 + 2.0**-8 + 2.0**-40, 1 + 3 * 2.0**-8 - 2.0**-40, 65504, 65519.999999999, 65520,
        3.0e38, 3.3895313892515355e38, 3.4e38, 2.0**-133, 2.0**-134, 2.0**-134 + 2.0**-180, 1e-320]
d = np.concatenate([d, ties, [-t for t in ties], [0.0, -0.0, np.inf, -np.inf]])

all_bf16 = np.arange(0x7F80, dtype=np.uint16)
values = [Fraction(float(v)) for v in all_bf16.view(ml_dtypes.bfloat16)]
LIMIT = Fraction(2) ** 128  # one step beyond the largest


def bf16(x):
    sign = 0x8000 if np.signbit(x) else 0
    if np.isinf(x):
        return sign | 0x7F80
    x = abs(Fraction(float(x)))
    low, high = 0, 0x7F80
    while high - low > 1:
        mid = (low + high) // 2
        low, high = (mid, high) if values[mid] <= x else (low, mid)
    above = LIMIT if high == 0x7F80 else values[high]
    down, up = x - values[low], above - x
    return sign | (low if down < up or down == up and low % 2 == 0 else high)


with np.errstate(over="ignore"):
    for x, f, h in zip(d, d.astype(np.float32), d.astype(np.float16)):
        print("%016x %08x %04x %04x" % (x.view(np.uint64), f.view(np.uint32), h.view(np.uint16), bf16(x)))
