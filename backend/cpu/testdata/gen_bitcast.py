"""Writes bitcast.json: see gen_ops.py.

    python3 gen_bitcast.py > bitcast.json
"""
from opcases import *

for src, dst in (("f32", "i32"), ("f16", "i16"), ("f64", "i64"), ("i8", "u8"), ("u32", "i32")):
    x = draw(src, (2, 3), -90, 90) if src != "u32" else np.array([[0, 1, 2**31], [2**32 - 1, 7, 2**31 - 1]], np.uint32)
    case("bitcast", [x], x.view(DT[dst]), {"dtype": dst})
for dst, x in (("f32", np.array([0, 1, -1, 0x7F800000, -(2**31), 0x3FC00000], np.int32)),
               ("f16", np.array([0, 1, -32768, 0x7C00, 0x3E00, 0x03FF], np.int16)),
               ("f64", np.array([0, -(2**63), 0x3FF8 << 48], np.int64))):
    case("bitcast", [x], x.view(DT[dst]), {"dtype": dst})

write("gen_bitcast.py")
