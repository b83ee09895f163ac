"""The Python package safetensors as an oracle for io/safetensors.

    safetensors_oracle.py write FOLDER   writes files and says what is in them
    safetensors_oracle.py read FILE      says what the package finds in a file

What is in a file is JSON: its metadata, and of each tensor, in order of names,
the type as the header spells it, the shape and the bytes in hexadecimal; of more
than 1024 bytes their SHA-256.
"""

import hashlib
import json
import os
import sys

import numpy
import safetensors
from safetensors import numpy as safetensors_numpy

# Types by the names that the package's writer takes, each with the bits of an element.
_TYPES = {
    "bool": ("BOOL", 8), "int8": ("I8", 8), "uint8": ("U8", 8), "int16": ("I16", 16), "uint16": ("U16", 16),
    "int32": ("I32", 32), "uint32": ("U32", 32), "int64": ("I64", 64), "uint64": ("U64", 64),
    "float16": ("F16", 16), "bfloat16": ("BF16", 16), "float32": ("F32", 32), "float64": ("F64", 64),
    "complex64": ("C64", 64), "float8_e4m3fn": ("F8_E4M3", 8), "float8_e5m2": ("F8_E5M2", 8),
    "float8_e8m0fnu": ("F8_E8M0", 8), "float8_e4m3fnuz": ("F8_E4M3FNUZ", 8), "float8_e5m2fnuz": ("F8_E5M2FNUZ", 8),
}
_SHAPES = [(), (7,), (3, 5), (2, 3, 4), (1, 1, 1, 9), (0,), (4, 0, 2)]

# What a JSON writer may escape or not, and what sorts in another way.
_NAMES = ["plain", "blk.0/attn_q.weight", "käse", "日本", "quote\"and\\", "tab\tnewline\n", "\u0001\u001f", "</script>", "😀",
          " ", "A" * 300, "{\"a\":1}", "\ufeffmark", "data_offsets", "\x7f"]


def tensor(dtype, shape, data):
    """A tensor as the low-level writer takes it; data must stay alive."""
    return safetensors.TensorSpec(dtype=dtype, shape=list(shape), data_ptr=data.ctypes.data, data_len=data.nbytes)


def shown(data):
    """The bytes of a tensor as text."""
    return data.hex() if len(data) <= 1024 else hashlib.sha256(data).hexdigest()


def described(tensors, metadata):
    return {
        "metadata": metadata or {},
        "tensors": [dict(t, name=n) for n, t in sorted(tensors.items())],
    }


class Files:
    """Writes files of random bytes and remembers what is in them."""

    def __init__(self, folder):
        self.folder, self.random, self.made = folder, numpy.random.default_rng(3), {}

    def write(self, name, entries, metadata=None):
        """Writes a file of {tensor name: (type of the writer, shape)}."""
        specs, alive, known = {}, [], {}
        for key, (dtype, shape) in entries.items():
            spelled, bits = _TYPES[dtype]
            data = self.random.integers(0, 2 if dtype == "bool" else 256, int(numpy.prod(shape)) * bits // 8, dtype=numpy.uint8)
            alive.append(data)
            specs[key] = tensor(dtype, shape, data)
            known[key] = {"dtype": spelled, "shape": list(shape), "data": shown(data.tobytes())}
        safetensors.serialize_file(specs, os.path.join(self.folder, name + ".safetensors"), metadata=metadata)
        self.made[name] = described(known, metadata)


def write(folder):
    files = Files(folder)
    files.write("types", {"%s %d" % (d, i): (d, s) for d in _TYPES for i, s in enumerate(_SHAPES)})
    files.write("names", {n: ("float32", (2,)) for n in _NAMES}, dict(zip(_NAMES, reversed(_NAMES))))
    files.write("one", {"w": ("float16", (3,))})
    files.write("empty", {})
    files.write("metadata", {}, {"format": "pt"})
    for i in range(20):
        n = int(files.random.integers(1, 40))
        files.write("random%d" % i, {
            "t%d" % k: (list(_TYPES)[int(files.random.integers(0, len(_TYPES)))],
                        tuple(int(x) for x in files.random.integers(0, 9, int(files.random.integers(0, 5)))))
            for k in range(n)
        }, {"k%d" % k: "v" * k for k in range(int(files.random.integers(0, 4)))} or None)
    return files.made


def read(path):
    with open(path, "rb") as f:
        content = f.read()
    tensors = {
        name: {"dtype": t["dtype"], "shape": t["shape"], "data": shown(bytes(t["data"]))}
        for name, t in safetensors.deserialize(content)
    }
    with safetensors.safe_open(path, framework="np") as f:
        metadata = f.metadata()
        if sorted(f.keys()) != sorted(tensors):
            sys.exit("safe_open and deserialize differ")
    # The way users go, for the types that NumPy knows by itself.
    arrays = safetensors_numpy.load_file(path) if all(t["dtype"] in safetensors_numpy._TYPES for t in tensors.values()) else {}
    for name, array in arrays.items():
        if (shown(array.tobytes()), list(array.shape)) != (tensors[name]["data"], tensors[name]["shape"]):
            sys.exit("load_file and deserialize differ on " + name)
    return described(tensors, metadata)


if __name__ == "__main__":
    what, argument = sys.argv[1:]
    json.dump({"write": write, "read": read}[what](argument), sys.stdout)
