"""Writes cases.json: weights in blocks, unpacked by libgguf, and products with
them in float64 by NumPy.

    python3 gen.py > cases.json

Needs numpy, libgguf and gguf, whose unpackers must agree to the bit.
"""

import base64
import json
import sys
from importlib.metadata import version

import gguf
import libgguf
import numpy as np

# The offsets of the high bytes of a block's f16 scales.
HALVES = {
    "Q4_0": [1], "Q4_1": [1, 3], "Q5_0": [1], "Q5_1": [1, 3], "Q8_0": [1], "IQ4_NL": [1],
    "Q2_K": [81, 83], "Q3_K": [109], "Q4_K": [1, 3], "Q5_K": [1, 3], "Q6_K": [209], "IQ4_XS": [1], "TQ2_0": [65],
}
ROWS = 2


def b64(a):
    return base64.b64encode(np.ascontiguousarray(a).tobytes()).decode()


def main():
    rng = np.random.default_rng(6)
    cases = []
    for name, highs in HALVES.items():
        kind = gguf.GGMLQuantizationType[name]
        elements, size = gguf.GGML_QUANT_SIZES[kind]
        blocks = 1 if elements == 256 else 4
        raw = rng.integers(0, 256, (ROWS, blocks, size), dtype=np.uint8)
        for at in highs:  # finite scales below 4, of both signs; one a subnormal half
            raw[:, :, at] = raw[:, :, at] & 0x83 | 0x2C
        raw[0, 0, highs[0]] &= 0x83
        flat = raw.reshape(ROWS, -1)
        w = gguf.dequantize(flat, kind).astype(np.float32).reshape(ROWS, -1)
        other = np.asarray(libgguf.dequantize_rows(flat, kind), np.float32).reshape(w.shape)
        assert np.isfinite(w).all() and w.tobytes() == other.tobytes(), name
        x = rng.standard_normal((2, w.shape[1])).astype(np.float32)
        cases.append({
            "encoding": name, "blocks": blocks, "bytes": size, "raw": b64(raw), "w": b64(w), "x": b64(x),
            "y": b64(x.astype(np.float64) @ w.astype(np.float64).T),
        })
    origin = f"gguf {version('gguf')}, libgguf {version('libgguf')}, NumPy {np.__version__}, by gen.py"
    json.dump({"origin": origin, "cases": cases}, sys.stdout, indent=1)
    print()


main()
