"""Computes in NumPy what a Llama gives whose layers all have a window, as Mistral's of 2023.

    go run ./test/families/writefamilies FOLDER
    window.py FOLDER testdata/window.json

It needs NumPy and the wheel gguf of interop/peers.lock. A Llama's file may say a window in
llama.attention.sliding_window. llama.cpp does not read that key for this architecture, prints
n_swa = 0 and gives the logits of the file without the key (xllamacpp 2026.10.11549), so that it
is no oracle past the window: the forward pass here is one, checked without a window against llama.cpp's logits of the same file. The mask is that of
Mistral 7B (Jiang et al. 2023): a token sees itself and the WINDOW - 1 before it.
"""

import json
import os
import sys

import gguf
import numpy

WINDOW = 5
LOGITS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "testdata", "logits.json")


def norm(x, weight, epsilon):
    return x / numpy.sqrt((x * x).mean(-1, keepdims=True) + epsilon) * weight


def turned(x, base):
    """Rotary positions of [T, H, D], whose pairs are adjacent elements."""
    size = x.shape[-1]
    angles = numpy.arange(len(x))[:, None, None] * base ** (-numpy.arange(0, size, 2) / size)
    a, b = x[..., 0::2], x[..., 1::2]
    out = numpy.empty_like(x)
    out[..., 0::2] = a * numpy.cos(angles) - b * numpy.sin(angles)
    out[..., 1::2] = a * numpy.sin(angles) + b * numpy.cos(angles)
    return out


def logits(path, tokens, window):
    reader = gguf.GGUFReader(path)
    key = lambda name: reader.fields["llama." + name].contents()
    weights = {t.name: numpy.array(t.data, numpy.float64).reshape(t.shape[::-1]) for t in reader.tensors}
    heads, groups, epsilon = key("attention.head_count"), key("attention.head_count_kv"), key("attention.layer_norm_rms_epsilon")
    n = len(tokens)
    distance = numpy.arange(n)[:, None] - numpy.arange(n)
    hidden = (distance < 0) | (distance >= window)
    x = weights["token_embd.weight"][tokens]
    for i in range(key("block_count")):
        w = lambda name: weights["blk.%d.%s.weight" % (i, name)]
        y = norm(x, w("attn_norm"), epsilon)
        q, k, v = ((y @ w("attn_" + name).T).reshape(n, count, -1) for name, count in (("q", heads), ("k", groups), ("v", groups)))
        q, k = turned(q, 10000.0), turned(k, 10000.0)
        k, v = (numpy.repeat(z, heads // groups, axis=1) for z in (k, v))
        scores = numpy.einsum("qhd,khd->hqk", q, k) / numpy.sqrt(q.shape[-1])
        scores[:, hidden] = -numpy.inf
        scores = numpy.exp(scores - scores.max(-1, keepdims=True))
        scores /= scores.sum(-1, keepdims=True)
        x = x + numpy.einsum("hqk,khd->qhd", scores, v).reshape(n, -1) @ w("attn_output").T
        y = norm(x, w("ffn_norm"), epsilon)
        gate = y @ w("ffn_gate").T
        x = x + (gate / (1 + numpy.exp(-gate)) * (y @ w("ffn_up").T)) @ w("ffn_down").T
    return norm(x, weights["output_norm.weight"], epsilon) @ weights["output.weight"].T


def main():
    folder, out = sys.argv[1:]
    path = os.path.join(folder, "llama.gguf")
    with open(LOGITS) as f:
        recorded = json.load(f)
    tokens = recorded["prompt"] + recorded["rest"]
    whole = numpy.abs(logits(path, tokens, len(tokens)) - recorded["cases"]["llama"]["logits"]).max()
    if not whole < 5e-3:
        sys.exit("without a window the logits are %g from llama.cpp's" % whole)
    rows = [[float("%.6g" % v) for v in row] for row in logits(path, tokens, WINDOW)]
    with open(out, "w") as f:
        f.write(json.dumps({"origin": "NumPy %s" % numpy.__version__, "window": WINDOW})[:-1] + ', "logits": [\n')
        f.write(",\n".join(json.dumps(row, separators=(",", ":")) for row in rows) + "\n]}\n")


if __name__ == "__main__":
    main()
