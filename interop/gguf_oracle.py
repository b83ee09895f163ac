"""The Python package gguf as an oracle for io/gguf.

    gguf_oracle.py write FOLDER   writes files and says what is in them
    gguf_oracle.py read FILE      says what the package finds in a file

What is in a file is JSON. Types are the format's numbers. A value is text: of
an integer its decimal digits, of a float the bits in hexadecimal, of a bool
true or false; of an array a list of these, in which the reader of this package
has no inner lists. Of a tensor's bytes there are number, place and the SHA-256, of
elements in little endian.
"""

import hashlib
import json
import os
import struct
import sys

import gguf
import numpy
from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType, GGUFEndian, GGUFValueType as T

_RANGES = {T.UINT8: (0, 2**8 - 1), T.INT8: (-2**7, 2**7 - 1), T.UINT16: (0, 2**16 - 1), T.INT16: (-2**15, 2**15 - 1),
           T.UINT32: (0, 2**32 - 1), T.INT32: (-2**31, 2**31 - 1), T.UINT64: (0, 2**64 - 1), T.INT64: (-2**63, 2**63 - 1)}
_FLOATS = [0.0, -0.0, 1.0, -2.5, 0.1, 3.0e38, 1e-40, float("inf"), float("-inf"), float("nan")]
_STRINGS = ["x", "käse 日本 😀", "two\nlines\tand \\ \"", "\u0001", "long " * 2000, " "]

# Types of tensors: dense ones by NumPy's name, and all that come in blocks. Not
# Q8_1, an encoding of activations: gguf 0.19 gives its block 40 bytes, as ggml
# once had it; ggml and libgguf give it 36.
_DENSE = ["float32", "float16", "float64", "int8", "int16", "int32", "int64"]
_BLOCKS = [q for q in GGMLQuantizationType if GGML_QUANT_SIZES[q][0] > 1 and q.name != "Q8_1"] + [GGMLQuantizationType.BF16]


def text(value, kind):
    """A value, or a list of values, as in the description of a file."""
    if isinstance(value, (list, tuple)):
        return [text(v, kind) for v in value]
    if kind == T.STRING:
        return value
    if kind == T.BOOL:
        return "true" if value else "false"
    if kind in (T.FLOAT32, T.FLOAT64):
        return struct.pack(">f" if kind == T.FLOAT32 else ">d", value).hex()
    return str(int(value))


class File:
    """A file that is written, and what is in it."""

    def __init__(self, path, **options):
        self.path, self.writer = path, gguf.GGUFWriter(path, "test", **options)
        self.random = numpy.random.default_rng(5)
        self.big = options.get("endianess") == GGUFEndian.BIG
        self.fields = [{"key": "general.architecture", "types": [int(T.STRING)], "value": "test"}]
        self.tensors, self.alignment = [], 32

    def align(self, n):
        self.writer.add_custom_alignment(n)
        self.alignment = n
        self.fields.append({"key": "general.alignment", "types": [int(T.UINT32)], "value": str(n)})

    def value(self, key, value, *types):
        self.writer.add_key_value(key, value, types[0], types[1] if types[0] == T.ARRAY and types[1] != T.ARRAY else None)
        self.fields.append({"key": key, "types": [int(t) for t in types], "value": text(value, types[-1])})

    def dense(self, name, dtype, shape):
        self.tensor(name, numpy.frombuffer(self.random.bytes(int(numpy.prod(shape)) * numpy.dtype(dtype).itemsize), dtype).reshape(shape), None)

    def blocks(self, name, kind, shape):
        block, size = GGML_QUANT_SIZES[kind]
        raw = self.random.integers(0, 256, tuple(shape[:-1]) + (shape[-1] * size,), dtype=numpy.uint8)
        self.tensor(name, raw, kind, list(shape[:-1]) + [shape[-1] * block])

    def tensor(self, name, array, kind, shape=None):
        self.writer.add_tensor(name, array, raw_dtype=kind)
        number = kind if kind is not None else self.writer.tensors[-1][name].dtype
        self.tensors.append({
            "name": name, "type": int(number), "shape": [int(n) for n in (shape or array.shape)],
            "bytes": array.nbytes, "sha256": hashlib.sha256(array.tobytes()).hexdigest(),
        })

    def close(self):
        self.writer.write_header_to_file()
        self.writer.write_kv_data_to_file()
        self.writer.write_tensors_to_file()
        self.writer.close()
        return {"version": 3, "big": self.big, "alignment": self.alignment, "fields": self.fields, "tensors": self.tensors}


def values(f):
    for t, (low, high) in _RANGES.items():
        f.value("low.%d" % t, low, t)
        f.value("high.%d" % t, high, t)
        f.value("array.%d" % t, [low, min(high, 2**63 - 1), 0, 7], T.ARRAY, t)
    for t in (T.FLOAT32, T.FLOAT64):
        for i, v in enumerate(_FLOATS):
            f.value("float.%d.%d" % (t, i), v, t)
        f.value("array.%d" % t, _FLOATS, T.ARRAY, t)
    f.value("double", 0.1, T.FLOAT64)
    f.value("yes", True, T.BOOL)
    f.value("no", False, T.BOOL)
    f.value("array.bool", [True, False, True], T.ARRAY, T.BOOL)
    for i, v in enumerate(_STRINGS):
        f.value("string.%d" % i, v, T.STRING)
    f.value("array.string", _STRINGS, T.ARRAY, T.STRING)
    f.value("array.long", list(range(100000)), T.ARRAY, T.INT32)


def tensors(f, blocks):
    for i, dtype in enumerate(_DENSE):
        for k, shape in enumerate([(1,), (7,), (3, 5), (2, 3, 4), (2, 1, 3, 5)]):
            f.dense("dense.%d.%d" % (i, k), dtype, shape)
    if blocks:
        for kind in _BLOCKS:
            for k, shape in enumerate([(1,), (3, 2), (2, 2, 3)]):
                f.blocks("blocks.%s.%d" % (kind.name, k), kind, shape)


def write(folder):
    made = {}

    def file(name, fill, **options):
        f = File(os.path.join(folder, name), **options)
        fill(f)
        made[name] = f.close()

    def nested(f):
        f.value("nested", [[1, 2, 3], [4], [5, 6]], T.ARRAY, T.ARRAY, T.INT32)
        f.value("strings", [["a", "b"], ["ü"]], T.ARRAY, T.ARRAY, T.STRING)

    def aligned(n):
        def fill(f):
            f.align(n)
            tensors(f, True)
        return fill

    def legal(f):
        f.dense("empty", "float32", (0,))
        f.dense("empty.2", "float16", (3, 0))
        f.dense("scalar", "float32", ())

    file("values.gguf", values)
    file("nested.gguf", nested)
    file("tensors.gguf", lambda f: tensors(f, True))
    file("nothing.gguf", lambda f: None)
    file("legal.gguf", legal)
    for n in (8, 64, 4096):
        file("aligned%d.gguf" % n, aligned(n))
    # In a file of the other order this package swaps dense elements but no
    # fields of blocks, so there are none here.
    file("big.gguf", lambda f: (values(f), tensors(f, False)), endianess=GGUFEndian.BIG)
    # Split, and what is in all of its files together.
    file("split.gguf", lambda f: tensors(f, True), split_max_tensors=20)
    # Version 2 is laid out as version 3.
    file("v2.gguf", lambda f: (values(f), tensors(f, True)))
    made["v2.gguf"]["version"] = 2
    with open(os.path.join(folder, "v2.gguf"), "r+b") as f:
        f.seek(4)
        f.write(struct.pack("<I", 2))
    return made


def read(path):
    r = gguf.GGUFReader(path)
    fields = []
    for key, field in r.fields.items():
        if key.startswith("GGUF."):
            continue
        kind = field.types[-1]
        fields.append({"key": key, "types": [int(t) for t in field.types], "value": text(contents(field), kind)})
    return {
        "version": int(r.fields["GGUF.version"].contents()) & 0xffff if r.byte_order == "I" else int(r.fields["GGUF.version"].parts[0][0]),
        "big": r.endianess == GGUFEndian.BIG,
        "alignment": int(r.alignment),
        "fields": fields,
        "tensors": [{
            "name": t.name, "type": int(t.tensor_type), "shape": [int(n) for n in reversed(t.shape.tolist())],
            "offset": t.data_offset, "bytes": t.n_bytes, "sha256": hashlib.sha256(t.data.astype(t.data.dtype.newbyteorder("<")).tobytes()).hexdigest(),
        } for t in r.tensors],
    }


def contents(field):
    """The field's value; the package's own method is slow for long arrays of strings."""
    if field.types == [T.ARRAY, T.STRING]:
        return [bytes(field.parts[i]).decode() for i in field.data]
    return field.contents()


if __name__ == "__main__":
    what, argument = sys.argv[1:]
    json.dump({"write": write, "read": read}[what](argument), sys.stdout)
