"""Makes small.json: what ml_dtypes 0.6.0 says of the floats of up to 8 bits.

Needs numpy and ml_dtypes. Run: python small.py > small.json

values: SHA-256 of the f32 values of all codes, NaNs as 0x7fc00000.
codes: SHA-256 of the codes of the f32 numbers that numbers() lists, which the
Go test makes the same way. Where a code is NaN, its sign is part of the hash.
Subnormal f32 numbers are left out for E8M0: ml_dtypes rounds 1.25 * 2^-127 to
2^-126, though 2^-127 is nearer.
"""

import hashlib
import json

import ml_dtypes
import numpy as np

TYPES = {
    "f4e2m1fn": (ml_dtypes.float4_e2m1fn, 4),
    "f6e2m3fn": (ml_dtypes.float6_e2m3fn, 6),
    "f6e3m2fn": (ml_dtypes.float6_e3m2fn, 6),
    "f8e4m3fn": (ml_dtypes.float8_e4m3fn, 8),
    "f8e4m3fnuz": (ml_dtypes.float8_e4m3fnuz, 8),
    "f8e5m2": (ml_dtypes.float8_e5m2, 8),
    "f8e5m2fnuz": (ml_dtypes.float8_e5m2fnuz, 8),
    "f8e8m0fnu": (ml_dtypes.float8_e8m0fnu, 8),
}


def numbers():
    """Every f32 whose low 12 bits are 0, 1, 0x800 or 0xfff: all exponents, and
    11 bits of mantissa with what breaks a tie up or down."""
    high = np.arange(1 << 20, dtype=np.uint32) << np.uint32(12)
    bits = (high[:, None] | np.array([0, 1, 0x800, 0xFFF], np.uint32)).reshape(-1)
    return bits.view(np.float32)


def digest(a):
    return hashlib.sha256(np.ascontiguousarray(a).tobytes()).hexdigest()


out = {}
x = numbers()
for name, (t, width) in TYPES.items():
    v = np.arange(1 << width, dtype=np.uint8).view(t).astype(np.float32)
    bits = v.view(np.uint32).copy()
    bits[np.isnan(v)] = 0x7FC00000
    subnormal = (x != 0) & (np.abs(x) < np.float32(2.0**-126))
    y = x[~subnormal] if name == "f8e8m0fnu" else x
    with np.errstate(all="ignore"):
        codes = y.astype(t).view(np.uint8)
    out[name] = {"values": digest(bits), "codes": digest(codes & ((1 << width) - 1))}
print(json.dumps(out, indent=1))
