"""Writes nn.json: what the layers of lang/nn give, by NumPy in float64.

    pip install numpy==2.4.6
    python3 gen_nn.py > nn.json

Each case has the layer's weights and inputs as [sizes, elements], and the
result rounded to float32.
"""
import json
import sys

import numpy as np

rng = np.random.default_rng(3)
cases = {}


def draw(*shape):
    return rng.standard_normal(shape).astype(np.float32)


def tensor(a):
    return [list(a.shape), [float(v) for v in np.asarray(a, np.float32).ravel()]]


def case(name, inputs, weights, want):
    cases[name] = {"inputs": {k: tensor(v) for k, v in inputs.items()},
                   "weights": {k: tensor(v) for k, v in weights.items()}, "want": tensor(want)}


x, w, b = draw(3, 5), draw(4, 5), draw(4)
wide = [v.astype(np.float64) for v in (x, w, b)]
case("linear", {"x": x}, {"l/weight": w, "l/bias": b}, wide[0] @ wide[1].T + wide[2])
case("linear_no_bias", {"x": x}, {"l/weight": w}, wide[0] @ wide[1].T)

x, g, b = draw(3, 8) * 3 + 5, draw(8), draw(8)
d = x.astype(np.float64)
case("layer_norm", {"x": x}, {"n/gamma": g, "n/beta": b},
     (d - d.mean(-1, keepdims=True)) / np.sqrt(d.var(-1, keepdims=True) + 1e-5) * g + b)


def conv(x, w, b, stride, padding):
    x = np.pad(x.astype(np.float64), [(padding, padding), (0, 0)])
    taps = w.shape[2]
    n = (x.shape[0] - taps) // stride + 1
    return np.stack([np.einsum("kc,ock->o", x[i * stride:i * stride + taps], w.astype(np.float64)) + b for i in range(n)])


x, w, b = draw(9, 3), draw(4, 3, 3), draw(4)
case("conv1d", {"x": x}, {"c/weight": w, "c/bias": b}, conv(x, w, b, 1, 1))
case("conv1d_stride", {"x": x}, {"c/weight": w, "c/bias": b}, conv(x, w, b, 2, 1))
case("conv1d_bare", {"x": x}, {"c/weight": w, "c/bias": b}, conv(x, w, b, 1, 0))

table = draw(6, 4).astype(np.float16)
indices = np.array([5, 0, 3, 3], np.int32)
case("embedding", {"indices": indices}, {"e": table}, table[indices])


def attention(q, k, v, mask=None):
    s = np.einsum("htd,hsd->hts", q.astype(np.float64), k.astype(np.float64)) / np.sqrt(q.shape[2])
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    e = np.exp(s - s.max(-1, keepdims=True))
    return np.einsum("hts,hsd->htd", e / e.sum(-1, keepdims=True), v.astype(np.float64))


q, k, v = draw(2, 6, 4), draw(2, 6, 4), draw(2, 6, 4)
case("attention", {"q": q, "k": k, "v": v}, {}, attention(q, k, v))
case("attention_causal", {"q": q, "k": k, "v": v}, {}, attention(q, k, v, np.tril(np.ones((6, 6), bool))))
case("heads", {"x": (x := draw(3, 8))}, {}, x.reshape(3, 2, 4).transpose(1, 0, 2))

json.dump({"origin": f"gen_nn.py, NumPy {np.__version__}, Python {sys.version.split()[0]}", "cases": cases}, sys.stdout, separators=(",", ":"))
print()
