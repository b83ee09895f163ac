"""Writes products.json: products of vectors with quantised matrices.

Bytes are unpacked by libgguf (0.2.2), which holds ggml's C code, and multiplied
by NumPy in float64. Bytes and vectors are made by splitmix64 (Steele, Lea, Flood
2014), which packed_test.go has too. "size" is the product of absolute values,
which rounding errors are in proportion to.

    python3 testdata/products.py > testdata/products.json
"""

import json
import sys

import libgguf
import numpy as np
from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType as Type

ROWS, COLS, VECTORS = 5, 768, 3

# Byte offsets of the high bytes of a block's f16 scales; without bit 6 they are
# below 2 in magnitude.
HALVES = {
    "Q4_0": [1], "Q4_1": [1, 3], "Q5_0": [1], "Q5_1": [1, 3], "Q8_0": [1], "Q2_K": [81, 83], "Q3_K": [109], "Q4_K": [1, 3],
    "Q5_K": [1, 3], "Q6_K": [209], "IQ4_NL": [1], "IQ4_XS": [1],
}


def splitmix(seed, n):
    """The first n numbers of the sequence of a seed, as u64."""
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + np.arange(1, n + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def main():
    x = (splitmix(1, VECTORS * COLS) >> np.uint64(40)).astype(np.float64).reshape(VECTORS, COLS) / 2**23 - 1
    products = {}
    for name, offsets in HALVES.items():
        elements, size = GGML_QUANT_SIZES[Type[name]]
        n = ROWS * COLS // elements
        b = splitmix(2, -(-n * size // 8)).astype("<u8").view(np.uint8)[: n * size].reshape(n, size).copy()
        for offset in offsets:
            b[:, offset] &= 0xBF
        w = libgguf.dequantize_rows(b, Type[name]).reshape(ROWS, COLS).astype(np.float64)
        products[name] = {"product": (x @ w.T).tolist(), "size": (np.abs(x) @ np.abs(w.T)).tolist()}
    json.dump({"rows": ROWS, "cols": COLS, "vectors": VECTORS, "products": products}, sys.stdout, indent=1)
    print()


main()
