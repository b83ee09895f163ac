"""Cases of attention, rotary embedding and recurrent cells."""
import itertools

import numpy as np

from case import FLOATS, INF, case, draw, onnx_op


def attention(q, k, v, mask=None, scale=None, causal=False, window=0, offset=0, soft_cap=0.0):
    b, h, tq, d = q.shape
    y = np.zeros((b, h, tq, v.shape[3]))
    if mask is not None:
        mask = np.broadcast_to(mask, (b, h, tq, k.shape[2]))
    for n, head, i in itertools.product(range(b), range(h), range(tq)):
        g = head * k.shape[1] // h
        s = k[n, g] @ q[n, head, i] * (scale or d ** -0.5)
        if soft_cap:
            s = soft_cap * np.tanh(s / soft_cap)
        if mask is not None:
            s = s + mask[n, head, i]
        seen = [j for j in range(len(s)) if (not (causal or window) or j <= i + offset) and (not window or j > i + offset - window) and s[j] > -INF]
        if seen:
            e = np.exp(s[seen] - s[seen].max())
            y[n, head, i] = e @ v[n, g, seen] / e.sum()
    return y


for dt in FLOATS:
    for sq, groups, keys, width, options in (
            ((2, 2, 3, 4), 2, 5, 4, {}), ((1, 4, 6, 8), 2, 6, 3, {"causal": True}), ((1, 4, 6, 8), 1, 6, 8, {"window": 2}),
            ((1, 2, 3, 4), 2, 6, 4, {"causal": True, "offset": 3}), ((1, 2, 3, 4), 2, 5, 4, {"soft_cap": 2.0, "scale": 0.7, "window": 4, "offset": 1}),
            ((1, 2, 4, 4), 2, 5, 4, {"causal": True, "offset": -2})):
        q, k, v = draw(dt, sq, -2, 2), draw(dt, (sq[0], groups, keys, sq[3]), -2, 2), draw(dt, (sq[0], groups, keys, width))
        case("attention", [q, k, v], lambda q, k, v: attention(q, k, v, **options), options)
    q, k, v = draw(dt, (2, 2, 3, 4)), draw(dt, (2, 2, 5, 4)), draw(dt, (2, 2, 5, 4))
    for m in (draw(dt, (3, 5)), draw(dt, (2, 1, 1, 5)), np.where(draw("i32", (2, 2, 3, 5), 0, 2) > 0, 0, -INF).astype(q.dtype)):
        case("attention", [q, k, v, m], lambda q, k, v, m: attention(q, k, v, m, soft_cap=5.0), {"soft_cap": 5.0})
    hidden = np.full((3, 5), -INF).astype(q.dtype)
    case("attention", [q, k, v, hidden], lambda q, k, v, m: np.zeros(q.shape))
case("attention", [q, k[:, :, :0], v[:, :, :0]], lambda q, k, v: np.zeros(q.shape))


def rotary(x, p, dims=0, interleaved=False, base=10000.0, factor=1.0, denominator=0):
    y, r = np.array(x), dims or x.shape[-1]
    for i in range(r // 2):
        a, b = (2 * i, 2 * i + 1) if interleaved else (i, i + r // 2)
        angle = p / factor * base ** (-2 * i / (denominator or r))
        if p.ndim == 2:
            angle = angle.reshape([p.shape[0]] + [1] * (x.ndim - 3) + [-1])
        z = (x[..., a] + 1j * x[..., b]) * np.exp(1j * angle)
        y[..., a], y[..., b] = z.real, z.imag
    return y


for dt in FLOATS:
    for shape, options in (((2, 3, 4, 8), {}), ((4, 6), {"interleaved": True}), ((2, 4, 8), {"dims": 4, "base": 500.0, "factor": 2.0}),
                           ((2, 4, 8), {"dims": 6, "interleaved": True, "denominator": 8}), ((1, 4, 2), {})):
        x = draw(dt, shape)
        # Positions are small: angles are in f32, also of f64 operands.
        p = np.array([0, 1, 5, 7], np.int32)
        case("rotary", [x, p], lambda x, p: rotary(x, p, **options), options)
        if dt == "f64":
            from case import cases
            cases[-1]["abs"] = 4 * 7 * 2.0**-22  # the angles are rounded to f32
p = np.array([[0, 3, 1, 9], [2, 3, 4, 5]], np.int64)
case("rotary", [draw("f32", (2, 2, 4, 8)), p], lambda x, p: rotary(x, p))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def gru(x, h, w, r, b, before=False):
    n = h.shape[1]
    wz, wr, wn, rz, rr, rn = (m[i * n:(i + 1) * n] for m in (w, r) for i in range(3))
    bz, br, bn, cz, cr, cn = (b[i * n:(i + 1) * n] for i in range(6))
    z = sigmoid(x @ wz.T + bz + h @ rz.T + cz)
    g = sigmoid(x @ wr.T + br + h @ rr.T + cr)
    t = np.tanh(x @ wn.T + bn + (g * (h @ rn.T + cn) if before else (g * h) @ rn.T + cn))
    return (1 - z) * t + z * h


def lstm(x, h, c, w, r, b):
    n = h.shape[1]
    i, o, f, g = (x @ w[k * n:(k + 1) * n].T + b[k * n:(k + 1) * n] + h @ r[k * n:(k + 1) * n].T + b[(k + 4) * n:(k + 5) * n] for k in range(4))
    c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    return sigmoid(o) * np.tanh(c), c


for dt in FLOATS:
    for batch, inputs, n in ((2, 3, 4), (1, 5, 1)):
        x, h, c = draw(dt, (batch, inputs), -1, 1), draw(dt, (batch, n), -1, 1), draw(dt, (batch, n), -1, 1)
        w, r, b = draw(dt, (3 * n, inputs), -1, 1), draw(dt, (3 * n, n), -1, 1), draw(dt, (6 * n,), -1, 1)
        for before in (False, True):
            case("gru_cell", [x, h, w, r, b], lambda *a: gru(*a, before=before), {"linear_before_reset": before})
        w, r, b = draw(dt, (4 * n, inputs), -1, 1), draw(dt, (4 * n, n), -1, 1), draw(dt, (8 * n,), -1, 1)
        case("lstm_cell", [x, h, c, w, r, b], lstm)
        if dt == "f32":  # the order of the gates is ONNX's
            def steps(x, h, c, w, r, b):
                y = onnx_op("LSTM", {"hidden_size": n}, outputs=3)(*[a.astype(np.float32) for a in (x[None], w[None], r[None], b[None])], None, h[None].astype(np.float32), c[None].astype(np.float32))
                return y[1][0], lstm(x, h, c, w, r, b)[1]
            case("lstm_cell", [x, h, c, w, r, b], steps, oracle="onnx")
            w, r, b = draw(dt, (3 * n, inputs), -1, 1), draw(dt, (3 * n, n), -1, 1), draw(dt, (6 * n,), -1, 1)
            for before in (False, True):
                case("gru_cell", [x, h, w, r, b], lambda x, h, w, r, b: onnx_op("GRU", {"hidden_size": n, "linear_before_reset": int(before)}, outputs=2)(
                    *[a.astype(np.float32) for a in (x[None], w[None], r[None], b[None])], None, h[None].astype(np.float32))[1][0],
                    {"linear_before_reset": before}, oracle="onnx")
