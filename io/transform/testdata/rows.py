"""Makes rows.txt with NumPy 2: python3 rows.py > rows.txt

A line is a row of f32 as 8-bit integers: the bits of its scale, then the bits of
each element and its integer.
"""

import numpy as np

r = np.random.default_rng(5)
rows = [r.standard_normal(9) * s for s in (1, 1e-3, 1e20, 1e-38, 1e-44)]
rows += [np.zeros(9), np.full(9, -2.0), np.arange(9) - 4, [127, 0.5, 1.5, 2.5, -0.5, -1.5, 126.5, 1e-9, -127]]
for row in np.array(rows, dtype=np.float32):
    scale = np.float32(np.abs(row).max() / np.float32(127))
    with np.errstate(divide="ignore", invalid="ignore"):
        q = np.rint(row.astype(np.float64) / np.float64(scale))
    q = np.where(scale == 0, 0, np.clip(q, -127, 127)).astype(np.int8)
    print("%08x" % scale.view(np.uint32), " ".join("%08x:%d" % (x.view(np.uint32), i) for x, i in zip(row, q)))
