"""What the Python package safetensors 0.8.0 writes and reads; needs numpy too.

    python peer.py make DIR    writes DIR/every.safetensors, DIR/empty.safetensors
                               and DIR/metadata.safetensors
    python peer.py read FILE   prints, as JSON, what the package reads from FILE

every.safetensors holds a tensor of every element type that the package can
write. Byte i of tensor k is (31 i + 7 k + i i) mod 256, of a bool mod 2.
"""

import hashlib
import json
import os
import sys

import numpy as np
import safetensors
from safetensors.numpy import _TYPES

# The package's names, and the bytes of an element (of two, for the last one).
TYPES = [
    ("bool", 1), ("uint8", 1), ("int8", 1), ("uint16", 2), ("int16", 2),
    ("uint32", 4), ("int32", 4), ("uint64", 8), ("int64", 8), ("float16", 2),
    ("bfloat16", 2), ("float32", 4), ("float64", 8), ("complex64", 8),
    ("float8_e4m3fn", 1), ("float8_e4m3fnuz", 1), ("float8_e5m2", 1),
    ("float8_e5m2fnuz", 1), ("float8_e8m0fnu", 1), ("float4_e2m1fn_x2", 1),
]
NAMES = {3: "layer.0/\u00e9\u2028\U0001f600", 5: 'quotes " and \\', 11: "a\tb\n\x01\x1f\x7f"}
METADATA = {"format": "pt \u00e9\"\\\n\x00"}


def data(k, n, kind):
    i = np.arange(n)
    return ((31 * i + 7 * k + i * i) % (2 if kind == "bool" else 256)).astype(np.uint8)


def make(folder):
    tensors, keep = {}, []
    for k, (kind, size) in enumerate(TYPES):
        for suffix, shape in (("", [3, 2]), (".empty", [0, 4]), (".scalar", [])):
            if kind == "float4_e2m1fn_x2" and not shape:
                continue  # the package doubles the last dimension
            b = data(k, size * int(np.prod(shape)), kind)
            keep.append(b)
            tensors[NAMES.get(k, kind) + suffix] = safetensors.TensorSpec(
                dtype=kind, shape=shape, data_ptr=b.ctypes.data, data_len=b.nbytes)
    save = lambda name, t, m: safetensors.serialize_file(t, os.path.join(folder, name), m)
    save("every.safetensors", tensors, METADATA)
    save("empty.safetensors", {}, None)
    save("metadata.safetensors", {}, METADATA)


def read(path):
    with open(path, "rb") as f:
        tensors = safetensors.deserialize(f.read())
    with safetensors.safe_open(path, framework="np") as f:
        metadata = f.metadata()
        for name, t in tensors:
            if t["dtype"] in _TYPES:  # those that NumPy has, as arrays
                assert f.get_tensor(name).tobytes() == bytes(t["data"]), name
                assert list(f.get_tensor(name).shape) == t["shape"], name
    out = [{"name": n, "dtype": t["dtype"], "shape": t["shape"],
            "sha256": hashlib.sha256(bytes(t["data"])).hexdigest()} for n, t in tensors]
    print(json.dumps({"metadata": metadata, "tensors": sorted(out, key=lambda t: t["name"])}, indent=1))


if __name__ == "__main__":
    {"make": make, "read": read}[sys.argv[1]](sys.argv[2])
