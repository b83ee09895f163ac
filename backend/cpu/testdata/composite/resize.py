"""Cases of resize, of blocks of pixels, and of linear quantisation."""
import numpy as np
from onnx import helper
from onnx.reference.ops.op_resize import _cubic_coeffs, _interpolate_nd, _linear_coeffs, _nearest_coeffs

from case import FLOATS, INF, NAN, case, draw, onnx_op, tensor

assert helper


def resize(x, sizes, mode="nearest", coordinates="half_pixel", rounding="round_prefer_floor", coefficient=-0.75, exclude_outside=False, factors=None):
    """The reference evaluator's interpolation, without its rounding of scales to f32."""
    def coefficients(ratio, scale):
        if mode == "nearest":
            return _nearest_coeffs(ratio, mode=rounding)
        return _linear_coeffs(ratio) if mode == "linear" else _cubic_coeffs(ratio, scale, A=coefficient)
    return _interpolate_nd(x, lambda r, s: np.array(coefficients(r, s)), output_size=None if factors else list(sizes), scale_factors=factors,
                           coordinate_transformation_mode=coordinates, exclude_outside=exclude_outside).reshape(sizes)


SHAPES = (((5,), (8,)), ((7,), (3,)), ((4, 3), (4, 6)), ((1, 2, 3, 4), (1, 2, 6, 7)), ((3, 5), (1, 2)), ((2, 1), (3, 4)))
for shape, sizes in SHAPES:
    x = draw("f32", shape)
    for coordinates in ("half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric"):
        attrs = {"sizes": sizes, "coordinates": coordinates}
        for rounding in ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil"):
            case("resize", [x], lambda x: resize(x, sizes, coordinates=coordinates, rounding=rounding), {**attrs, "rounding": rounding}, oracle="onnx", exact=True)
        case("resize", [x], lambda x: resize(x, sizes, "linear", coordinates), {**attrs, "mode": "linear"}, oracle="onnx")
        if coordinates == "pytorch_half_pixel" and 1 in sizes and shape != (1, 2, 3, 4):
            continue  # the evaluator has -1/2 for the coordinate of a single element, where ONNX's text has 0
        for a, outside in ((-0.75, False), (-0.5, True)):
            case("resize", [x], lambda x: resize(x, sizes, "cubic", coordinates, coefficient=a, exclude_outside=outside),
                 {**attrs, "mode": "cubic", "coefficient": a, "exclude_outside": outside}, oracle="onnx")
for dt in FLOATS:
    x = draw(dt, (2, 4))
    for mode in ("linear", "cubic"):
        case("resize", [x], lambda x: resize(x, (2, 9), mode), {"sizes": (2, 9), "mode": mode}, oracle="onnx")
x = draw("f32", (6,))
for mode in ("nearest", "linear", "cubic"):
    case("resize", [x], lambda x: resize(x, (3,), mode, factors=[0.6]), {"sizes": (3,), "mode": mode, "scales": tensor(np.array([0.6]))}, oracle="onnx")
for dt in ("i8", "u8", "i64"):
    x = draw(dt, (3, 2), 0, 9)
    case("resize", [x], lambda x: np.repeat(x, 2, 0), {"sizes": (6, 2)})
x = draw("f32", (5,))
case("resize", [x], lambda x: x[:1], {"sizes": (1,), "mode": "cubic", "coordinates": "pytorch_half_pixel"})
# An infinity stays where it weighs something.
x = np.array([1, INF, 3, 4], np.float32)
case("resize", [x], lambda x: np.array([1, INF, INF, INF, 3, 3.5, 4]), {"sizes": (7,), "mode": "linear", "coordinates": "align_corners"})
case("resize", [x], lambda x: x[:0], {"sizes": (0,), "mode": "linear"})

for dt in ("f32", "u8", "bool"):
    x = draw(dt, (2, 12, 3, 2), 0, 1 if dt == "bool" else 9)
    for order in ("DCR", "CRD"):
        case("depth_to_space", [x], onnx_op("DepthToSpace", {"blocksize": 2, "mode": order}), {"block": 2, "order": order}, oracle="onnx", exact=True)
    x = draw(dt, (2, 3, 4, 6), 0, 1 if dt == "bool" else 9)
    case("space_to_depth", [x], onnx_op("SpaceToDepth", {"blocksize": 2}), {"block": 2}, oracle="onnx", exact=True)
    y = x.reshape(2, 3, 2, 2, 3, 2).transpose(0, 1, 3, 5, 2, 4).reshape(2, 12, 2, 3)
    case("space_to_depth", [x], lambda x: y, {"block": 2, "order": "CRD"}, exact=True)


def along(v, x, axis):
    return v if v.ndim == 0 else v.reshape([-1 if i == axis else 1 for i in range(x.ndim)])


BOUNDS = {"i8": (-128, 127), "u8": (0, 255), "i16": (-32768, 32767), "u16": (0, 65535)}
for dt in FLOATS:
    for kind, (low, high) in BOUNDS.items():
        # Quotients are exact: scales are powers of two.
        x, s = np.array([[0.25, 0.75, -1.25, 1e4], [NAN, -1e4, INF, -INF]]).astype(draw(dt, ()).dtype), np.array(0.5).astype(draw(dt, ()).dtype)
        for zero in (0, 5):
            z = np.array(zero).astype(draw(kind, (), 0, 1).dtype)
            case("quantize_linear", [x, s, z], lambda x, s, z: np.clip(np.rint(np.where(np.isnan(x), 0, x / s)) + z, low, high), out=kind)
    x, s, z = draw(dt, (3, 4), -40, 40), np.array([0.25, 0.5, 2]).astype(draw(dt, ()).dtype), draw("i8", (3,))
    case("quantize_linear", [x, s, z], lambda x, s, z: np.clip(np.rint(x / along(s, x, 0)) + along(z, x, 0), -128, 127), {"axis": 0}, out="i8")
    for kind in (*BOUNDS, "i32"):
        q, s, z = draw(kind, (3, 4), 0, 100), draw(dt, (4,), 0.1, 0.5), draw(kind, (4,), 0, 9)
        case("dequantize_linear", [q, s, z], lambda q, s, z: (q.astype(np.int64) - z.astype(np.int64)) * s, {"axis": 1}, size=64, out=dt)
        case("dequantize_linear", [q, s[0], z[0]], lambda q, s, z: (q.astype(np.int64) - z.astype(np.int64)) * s, size=64, out=dt)
