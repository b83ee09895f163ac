"""Writes the golden files with gguf-py: python make.py FOLDER (gguf==0.19.0)."""

import sys
from pathlib import Path

import numpy as np
from gguf import GGML_QUANT_SIZES, GGMLQuantizationType as Q, GGUFEndian, GGUFValueType as V, GGUFWriter, quants

out = Path(sys.argv[1])

SCALARS = [
    ("u8", V.UINT8, 200), ("i8", V.INT8, -100), ("u16", V.UINT16, 60000), ("i16", V.INT16, -30000),
    ("u32", V.UINT32, 4000000000), ("i32", V.INT32, -2000000000), ("u64", V.UINT64, 2**64 - 1), ("i64", V.INT64, -(2**62)),
    ("f32", V.FLOAT32, 0.1), ("f64", V.FLOAT64, 0.1), ("true", V.BOOL, True), ("false", V.BOOL, False), ("string", V.STRING, "käse"),
]


def fill(w):
    for name, kind, value in SCALARS:
        w.add_key_value("one." + name, value, kind)
        if kind not in (V.STRING, V.BOOL):
            w.add_key_value("many." + name, [value, 1, 0], V.ARRAY, kind)
    w.add_array("many.bool", [True, False, True])
    w.add_array("many.string", ["a", "", "käse"])
    w.add_array("many.array", [[1, 2], [-3]])
    w.add_array("many.array_of_string", [["x"], ["y", "zz"]])
    w.add_token_list([b"<s>", b"\xff\xfe", "▁the".encode()])


def tensors(w, blocks=True):
    ramp = np.arange(-6, 6)
    for t in (np.float32, np.float16, np.float64, np.int8, np.int16, np.int32, np.int64):
        w.add_tensor("t." + np.dtype(t).name, ramp.astype(t).reshape(3, 4))
    w.add_tensor("t.four", np.arange(16, dtype=np.float32).reshape(2, 1, 4, 2))
    w.add_tensor("t.empty", np.zeros((3, 0), np.float32))
    if not blocks:
        return
    rows = (np.arange(128, dtype=np.float32) / 16 - 4).reshape(2, 64)
    for q in (Q.BF16, Q.Q4_0, Q.Q8_0, Q.MXFP4):
        w.add_tensor("t." + q.name, quants.quantize(rows, q), raw_dtype=q)


def close(w):
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.write_tensors_to_file()
    w.close()


for name, order in (("little", GGUFEndian.LITTLE), ("big", GGUFEndian.BIG)):
    w = GGUFWriter(out / f"{name}.gguf", "test", endianess=order)
    fill(w)
    tensors(w)
    close(w)

w = GGUFWriter(out / "aligned.gguf", "test")
w.add_custom_alignment(64)
tensors(w, blocks=False)
close(w)

w = GGUFWriter(out / "nothing.gguf", "test")
close(w)

w = GGUFWriter(out / "split.gguf", "test", split_max_size=200)
w.add_name("split")
tensors(w)
close(w)

with open(out / "types.txt", "w") as f:
    for q, (elements, size) in sorted(GGML_QUANT_SIZES.items()):
        print(int(q), q.name, elements, size, file=f)
