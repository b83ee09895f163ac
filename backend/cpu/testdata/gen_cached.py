"""Writes cached.json: see gen_ops.py.

    python3 gen_cached.py > cached.json
"""
from opcases import *

for dt in ["bool", "i8", "i32", "u64"] + FLOATS:
    x = draw(dt, (6, 2, 3))
    for t, start in ((1, 0), (1, 5), (2, 3), (3, 9), (2, -4), (6, 0), (8, 2), (0, 4)):
        u = draw(dt, (t, 2, 3))
        y, n = x.copy(), min(t, 6)
        at = min(max(start, 0), 6 - n)
        y[at:at + n] = u[:n]
        case("update_rows", [x, u, np.int32(start)], y)
case("update_rows", [np.arange(3, dtype=np.int32), np.array([9], np.int32), np.int32(2**31 - 1)], np.array([0, 1, 9], np.int32))


def attend(q, k, v, start, scale=0.0, window=0, soft_cap=0.0):
    """One query and head at a time, in float64, over the rows that it sees."""
    q, k, v = (a.astype(np.float64) for a in (q, k, v))
    tokens, heads, depth = q.shape
    rows, groups, _ = k.shape
    start = min(max(start, 0), max(rows - tokens, 0))
    y = np.zeros(q.shape)
    for t in range(tokens):
        for h in range(heads):
            g = h // (heads // groups)
            seen = [j for j in range(rows) if j <= start + t and (window == 0 or j > start + t - window)]
            if not seen:
                continue
            s = (scale or 1 / np.sqrt(depth)) * (k[seen, g] @ q[t, h])
            if soft_cap:
                s = soft_cap * np.tanh(s / soft_cap)
            w = np.exp(s - s.max())
            y[t, h] = w @ v[seen, g] / w.sum()
    return y.astype(np.float32)


# A sum of up to 100 products of f32 below 16 is within 1e-5 in any order, and so is what
# weights of that error make of values below 4.
def attention(dt, tokens, heads, depth, rows, groups, start, of="f32", **attrs):
    q, k, v = draw(of, (tokens, heads, depth)), draw(dt, (rows, groups, depth)), draw(dt, (rows, groups, depth))
    case("cached_attention", [q, k, v, np.int32(start)], attend(q, k, v, start, **attrs).astype(DT[of]), attrs, ulps=4, abs_=2e-5)


for dt in ("f32", "f16"):
    for tokens in (1, 3):
        for start in (0, 7, 20 - tokens):  # the first, middle and last row
            for heads, groups in ((4, 1), (4, 2), (2, 2)):
                attention(dt, tokens, heads, 8, 20, groups, start)
                attention(dt, tokens, heads, 8, 20, groups, start, scale=0.25, window=4, soft_cap=2.0)
    attention(dt, 70, 2, 4, 100, 1, 19)  # more tokens than a block
    attention(dt, 70, 2, 4, 100, 1, 19, window=33)
for of in ("f16", "bf16"):
    attention(of, 2, 4, 8, 20, 2, 9, of=of)
    attention("f32", 2, 4, 8, 20, 2, 9, of=of)
for window in range(1, 9):  # edges: of one row, of all that there are, of one more
    attention("f32", 3, 1, 4, 10, 1, 4, window=window)
attention("f32", 1, 2, 16, 70, 1, 69, scale=0.7, window=512)
attention("f32", 2, 2, 4, 6, 1, 40)  # clamped
attention("f32", 2, 2, 4, 6, 1, -40)
attention("f32", 5, 2, 4, 3, 1, 1)  # more tokens than rows
attention("f32", 5, 2, 4, 3, 1, 0, window=1)  # the last see none
attention("f32", 0, 2, 4, 3, 1, 0)
case("cached_attention", [np.ones((1, 1, 2), np.float32), np.array([[[200, 0]], [[-200, 0]]], np.float16), np.array([[[1, 2]], [[3, 4]]], np.float16), np.int32(1)],
     np.array([[[1, 2]]], np.float32), {"scale": 1.0})  # no overflow


# Angles within 1e-6 turn elements below 4 by 8e-6 at most; in f32, they would be wrong by
# 2e-3 at the end of a long context.
for base in (1e4, 1e6):
    x, p = draw("f32", (6, 64)), np.array([0, 1, 2047, 8191, 32767, 1000003], np.int32)
    a = p[:, None] * base ** (-2 * np.arange(32) / 64)
    l, r = x[:, :32].astype(np.float64), x[:, 32:].astype(np.float64)
    y = np.concatenate([l * np.cos(a) - r * np.sin(a), r * np.cos(a) + l * np.sin(a)], 1)
    case("rotary", [x, p], y.astype(np.float32), {"base": base}, abs_=8e-6)
write("gen_cached.py")
