"""Writes oracle.json: what gguf and libgguf make of made bytes and elements.

Both are other people's implementations: gguf (0.19.0) is llama.cpp's in NumPy,
libgguf (0.2.2) holds ggml's C code. A sum is written only where the two agree
bit for bit; "by" names those that know the type. Where none does, "definition"
is the layout's formula, written here in NumPy once more.

The inputs are made by splitmix64 (Steele, Lea, Flood 2014), which oracle_test.go
has too. A sum is SHA-256 of the output bytes, little endian.

    python3 testdata/oracle.py > testdata/oracle.json
"""

import hashlib
import importlib.metadata
import json
import sys

import gguf
import libgguf
import numpy as np
from gguf import quants
from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType as Type

ELEMENTS = 1 << 20
ROW = 4096

# Byte offsets of the high bytes of a block's f16 scales; without bit 6 they
# are below 2 in magnitude, subnormals included.
HALVES = {
    "Q4_0": [1], "Q4_1": [1, 3], "Q5_0": [1], "Q5_1": [1, 3], "Q8_0": [1], "Q8_1": [1, 3], "Q1_0": [1],
    "Q2_K": [81, 83], "Q3_K": [109], "Q4_K": [1, 3], "Q5_K": [1, 3], "Q6_K": [209], "Q8_K": [3],
    "IQ1_S": [1], "IQ1_M": [55], "IQ2_XXS": [1], "IQ2_XS": [1], "IQ2_S": [1], "IQ3_XXS": [1], "IQ3_S": [1],
    "IQ4_NL": [1], "IQ4_XS": [1], "TQ1_0": [53], "TQ2_0": [65], "MXFP4": [], "NVFP4": [],
}
# ggml's block of Q8_1 has been 36 bytes since 2023; gguf's table was not told.
SIZES = {t.name: GGML_QUANT_SIZES[t] for t in Type} | {"Q8_1": (32, 36)}
PACKED = ["Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "TQ1_0", "TQ2_0", "MXFP4"]


def splitmix(seed, n):
    """The first n numbers of the sequence of a seed, as u64."""
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + np.arange(1, n + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def blocks(name, n, seed):
    """n blocks of random bytes."""
    size = SIZES[name][1]
    raw = splitmix(seed, -(-n * size // 8)).astype("<u8").view(np.uint8)
    return raw[: n * size].reshape(n, size).copy()


def finite_blocks(name):
    b = blocks(name, ELEMENTS // SIZES[name][0], int(Type[name]))
    for offset in HALVES[name]:
        b[:, offset] &= 0xBF
    return b


def special_blocks(name):
    """64 blocks whose scales are every eighth pattern of the high byte of an
    f16: infinities, NaNs, the largest and the smallest among them."""
    b = blocks(name, 64, 1000 + int(Type[name]))
    for i in range(64):
        for offset in HALVES[name]:
            b[i, offset] = i * 4 + 3
            b[i, offset - 1] = [0, 255][i % 2]
    return b


def elements():
    """ELEMENTS values of several kinds, 256 at a time; all exact in f32."""
    u = splitmix(1, ELEMENTS).reshape(-1, 256)
    n = len(u)
    exponents = (splitmix(2, n) % np.uint64(25)).astype(np.int64) - 12
    uniform = (u >> np.uint64(40)).astype(np.float64) / 2**23 - 1
    coarse = ((u % np.uint64(33)).astype(np.float64) - 16) / 4  # ties of rounding
    sparse = np.where(u % np.uint64(8) == 0, uniform, 0.0)
    parts = sum(((u >> np.uint64(s)) & np.uint64(0xFFFF)).astype(np.float64) for s in (0, 16, 32, 48))
    bell = (parts - 131070) / 2**17
    x = np.where((np.arange(n) % 4 == 0)[:, None], uniform, 0.0)
    x = np.where((np.arange(n) % 4 == 1)[:, None], coarse, x)
    x = np.where((np.arange(n) % 4 == 2)[:, None], sparse, x)
    x = np.where((np.arange(n) % 4 == 3)[:, None], bell, x)
    x = x * (2.0 ** exponents)[:, None]
    x[0] = 0
    return x.astype(np.float32)


def edges():
    """Blocks of MXFP4 whose largest elements are next to powers of two."""
    x = np.zeros((253, 8, 32), np.uint32)
    for k in range(253):
        for j in range(8):
            x[k, j, 5] = ((k + 2) << 23) - j
    return x.view(np.float32).reshape(-1, 32)


def definition(name, b):
    if name == "Q8_1":
        d = b[:, 0:2].copy().view("<f2").astype(np.float32)
        return d * b[:, 4:].view(np.int8).astype(np.float32)
    if name == "Q8_K":
        return b[:, 0:4].copy().view("<f4") * b[:, 4:260].view(np.int8).astype(np.float32)
    raise KeyError(name)


def canonical(a):
    """One pattern for every NaN."""
    a = np.ascontiguousarray(a, np.float32).reshape(-1)
    return np.where(np.isnan(a), np.uint32(0x7FC00000), a.view(np.uint32))


def digest(a):
    return hashlib.sha256(np.ascontiguousarray(a).tobytes()).hexdigest()


def agreed(name, results):
    first = next(iter(results.values()))
    for who, result in results.items():
        if not np.array_equal(result, first):
            where = np.flatnonzero(result != first)
            sys.exit(f"{name}: {who} differs in {len(where)} of {first.size} places, first {where[0]}")
    return {"by": list(results), "sha256": digest(first)}


def unpacked(name, b):
    """The bits of the elements of blocks, by all who know the type."""
    qtype, results = Type[name], {}
    if qtype in quants._type_traits:
        results["gguf"] = canonical(quants.dequantize(b, qtype))
    if libgguf.row_size(int(qtype), SIZES[name][0]) > 0:
        results["libgguf"] = canonical(libgguf.dequantize_rows(b, qtype))
    return results or {"definition": canonical(definition(name, b))}


def packed(name, x):
    qtype = Type[name]
    return {
        "gguf": quants.quantize(x, qtype).view(np.uint8).reshape(-1),
        "libgguf": libgguf.quantize_rows(x, qtype).view(np.uint8).reshape(-1),
    }


def main():
    np.seterr(all="ignore")
    names = sorted(HALVES)
    x = elements().reshape(-1, ROW)
    bits = splitmix(3, ELEMENTS // 2).astype("<u8").view("<u4")
    numbers = bits.view("<f4")[np.isfinite(bits.view("<f4"))]
    halves = np.arange(65536, dtype=np.uint16).view(np.float16).astype(np.float32)
    out = {
        "origin": "testdata/oracle.py",
        "versions": {p: importlib.metadata.version(p) for p in ("gguf", "libgguf", "numpy")},
        "elements": ELEMENTS,
        "unpack": {n: agreed(n, unpacked(n, finite_blocks(n))) for n in names},
        "special": {n: agreed(n, unpacked(n, special_blocks(n))) for n in names},
        "pack": {n: agreed(n, packed(n, x)) for n in PACKED}
        | {"MXFP4 edges": agreed("MXFP4", packed("MXFP4", edges()))}
        | {n: agreed(n, packed(n, numbers.reshape(1, -1))) for n in ("F16", "BF16")},
        "halves": {"by": ["numpy"], "sha256": digest(canonical(halves))},
        "grids": {},
    }
    for cls in (quants.IQ1_S, quants.IQ2_XXS, quants.IQ2_XS, quants.IQ2_S, quants.IQ3_XXS, quants.IQ3_S):
        cls.init_grid()
        points = cls.grid.reshape(cls.grid_shape).astype(np.int8)
        out["grids"][cls.qtype.name] = {"by": ["gguf"], "sha256": digest(points)}
    json.dump(out, sys.stdout, indent=1)
    print()


main()
