"""Writes halves.json: what NumPy's float16 makes of the inputs of halves_test.go.

    python3 halves.py > halves.json

widened: all 65536 halves as float32. rounded: float32 as halves, for all of the 19
bits of sign, exponent and the digits that a half has, with six endings of 13 bits:
the numbers around each half and around each tie between two of them. A NaN is
written as 0x7fc00000 or 0x7e00. Digests are of little-endian elements.
"""

import hashlib
import json

import numpy as np

np.seterr(all="ignore")


def digest(x):
    return hashlib.sha256(x.astype(x.dtype.newbyteorder("<")).tobytes()).hexdigest()


wide = np.arange(1 << 16, dtype=np.uint32).astype(np.uint16).view(np.float16).astype(np.float32)
widened = wide.view(np.uint32).copy()
widened[np.isnan(wide)] = 0x7FC00000

endings = np.array([0, 1, 0xFFF, 0x1000, 0x1001, 0x1FFF], dtype=np.uint32)
bits = (np.arange(1 << 19, dtype=np.uint32) << 13)[None, :] | endings[:, None]
narrow = bits.view(np.float32).astype(np.float16)
rounded = narrow.view(np.uint16).copy()
rounded[np.isnan(narrow)] = 0x7E00

print(json.dumps({"numpy": np.__version__, "widened": digest(widened), "rounded": digest(rounded)}, indent=1))
