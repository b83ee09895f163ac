"""Makes causal.json: logits of small decoder-only transformers, in NumPy, and
adapters.json: those of two of them with low-rank adapters merged into the weights.

    gen_causal.py causal.json adapters.json

Arithmetic is f64, but for keys and values, which are rounded to f16 as the caches
of the graph are. Weights are numbers that the tests make too, from their names.
"""
import importlib.metadata
import json
import sys

import numpy as np

BASE = dict(NumLayers=3, HiddenSize=12, Heads=4, KVHeads=2, HeadDim=6, IntermediateSize=16, VocabSize=23, Context=16,
            Epsilon=1e-5, EmbeddingScale=1.0, AttentionScale=6**-0.5, AttnLogitSoftcap=0.0, FinalLogitSoftcap=0.0,
            GlobalEvery=1, Window=0, GlobalBase=10000.0, GlobalFactor=1.0, LocalBase=0.0,
            Activation="silu", RopeInterleaved=False, QKNorm=False, PostNorm=False, RopeFreqFactors=False, OutputKey="token_embd.weight")

CASES = {
    "gemma": BASE | dict(NumLayers=7, GlobalEvery=3, Window=4, GlobalBase=1000000.0, GlobalFactor=8.0, LocalBase=10000.0,
                         Activation="gelu_tanh", QKNorm=True, PostNorm=True, EmbeddingScale=12**0.5, Epsilon=1e-6),
    "gemma with caps": BASE | dict(NumLayers=2, GlobalEvery=2, Window=3, GlobalBase=10000.0, LocalBase=500.0, KVHeads=1,
                                   Activation="gelu_tanh", PostNorm=True, AttnLogitSoftcap=1.5, FinalLogitSoftcap=2.0),
    "llama": BASE | dict(RopeInterleaved=True),
    "llama with a head of its own": BASE | dict(RopeInterleaved=True, RopeFreqFactors=True, KVHeads=4, OutputKey="output.weight"),
}
# Each of another factor and of numbers of its own, all of one rank on these layers.
RANK, LAYERS, ADAPTERS = 2, ["attn_q", "attn_k", "attn_v", "ffn_down"], {"poet": 0.25, "clerk": -0.125}
TRAINED = {"attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj", "ffn_down": "mlp.down_proj"}
IDS = [3, 1, 4, 1, 5, 9, 2, 6, 22, 0, 7]


def numbers(name, shape):
    """-1 to 1 by a hash of name and place (the last steps are those of MurmurHash3)."""
    h = 2166136261
    for b in name.encode():
        h = (h ^ b) * 16777619 & 0xFFFFFFFF
    n = int(np.prod(shape))
    x = (np.arange(n, dtype=np.uint64) * 2654435761 + h) & 0xFFFFFFFF
    x ^= x >> 16
    x = x * 0x85EBCA6B & 0xFFFFFFFF
    x ^= x >> 13
    x = x * 0xC2B2AE35 & 0xFFFFFFFF
    x ^= x >> 16
    return ((x.astype(np.float64) / 2**31) - 1).astype(np.float32).reshape(shape)


def weight(name, *shape):
    """Norms are about 1, others about as large as keeps their products so."""
    w = numbers(name, shape).astype(np.float64)
    if len(shape) == 1:
        return (1 + np.float32(0.25) * w.astype(np.float32)).astype(np.float64)
    return w


def softmax(s):
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def cap(x, c):
    return c * np.tanh(x / c) if c else x


def update(c, adapter, block, layer, out, width):
    """s B A, with rows in the order of the weights: PEFT trains on Hugging Face's model,
    of which converters to GGUF reorder queries and keys where rotary pairs are adjacent."""
    key = f"base_model.model.model.layers.{block}.{TRAINED[layer]}"
    a = numbers(f"{adapter}/{key}.lora_A.weight", (RANK, width)).astype(np.float64)
    b = numbers(f"{adapter}/{key}.lora_B.weight", (out, RANK)).astype(np.float64)
    w = ADAPTERS[adapter] * (b @ a)
    if layer in ("attn_q", "attn_k") and c["RopeInterleaved"]:
        w = w.reshape(-1, 2, c["HeadDim"] // 2, width).swapaxes(1, 2).reshape(out, width)
    return w


def logits(c, ids, adapter=None):
    n, at, d = len(ids), np.arange(len(ids)), c["HeadDim"]
    norm = lambda x, name: x / np.sqrt((x**2).mean(-1, keepdims=True) + c["Epsilon"]) * weight(name, x.shape[-1])
    act = {"silu": lambda x: x / (1 + np.exp(-x)),
           "gelu_tanh": lambda x: 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))}[c["Activation"]]

    def turn(x, base, factor):
        f = base ** (-np.arange(0, d, 2) / d) / factor
        if c["RopeFreqFactors"]:
            f = f / weight("rope_freqs.weight", d // 2)
        a = at[:, None] * f
        cos, sin = np.cos(a)[:, None], np.sin(a)[:, None]
        y = np.empty_like(x)
        l, r = (np.s_[..., 0::2], np.s_[..., 1::2]) if c["RopeInterleaved"] else (np.s_[..., : d // 2], np.s_[..., d // 2 :])
        y[l], y[r] = x[l] * cos - x[r] * sin, x[r] * cos + x[l] * sin
        return y

    x = weight("token_embd.weight", c["VocabSize"], c["HiddenSize"])[ids] * c["EmbeddingScale"]
    for i in range(c["NumLayers"]):
        name = lambda s: f"blk.{i}.{s}.weight"
        everywhere = (i + 1) % c["GlobalEvery"] == 0
        base, factor = (c["GlobalBase"], c["GlobalFactor"]) if everywhere else (c["LocalBase"], 1.0)
        merged = lambda s, out, width: weight(name(s), out, width) + (update(c, adapter, i, s, out, width) if adapter and s in LAYERS else 0)
        lin = lambda s, x, out: x @ merged(s, out, x.shape[-1]).T
        h = norm(x, name("attn_norm"))
        q = lin("attn_q", h, c["Heads"] * d).reshape(n, -1, d)
        k = lin("attn_k", h, c["KVHeads"] * d).reshape(n, -1, d)
        v = lin("attn_v", h, c["KVHeads"] * d).reshape(n, -1, d)
        if c["QKNorm"]:
            q, k = norm(q, name("attn_q_norm")), norm(k, name("attn_k_norm"))
        q, k = turn(q, base, factor), turn(k, base, factor)
        k, v = (t.astype(np.float16).astype(np.float64).repeat(c["Heads"] // c["KVHeads"], 1) for t in (k, v))
        s = cap(np.einsum("qhd,khd->hqk", q, k) * c["AttentionScale"], c["AttnLogitSoftcap"])
        hide = at[None] > at[:, None]
        if not everywhere and c["Window"]:
            hide |= at[:, None] - at[None] >= c["Window"]
        o = np.einsum("hqk,khd->qhd", softmax(np.where(hide, -np.inf, s)), v).reshape(n, -1)
        o = lin("attn_output", o, c["HiddenSize"])
        x = x + (norm(o, name("post_attention_norm")) if c["PostNorm"] else o)
        h = norm(x, name("ffn_norm"))
        g = lin("ffn_down", act(lin("ffn_gate", h, c["IntermediateSize"])) * lin("ffn_up", h, c["IntermediateSize"]), c["HiddenSize"])
        x = x + (norm(g, name("post_ffw_norm")) if c["PostNorm"] else g)
    y = norm(x, "output_norm.weight") @ weight(c["OutputKey"], c["VocabSize"], c["HiddenSize"]).T
    return cap(y, c["FinalLogitSoftcap"])


json.dump({
    "origin": "NumPy " + importlib.metadata.version("numpy"), "ids": IDS,
    "cases": {name: {"config": c, "logits": np.round(logits(c, IDS), 6).tolist()} for name, c in CASES.items()},
}, open(sys.argv[1], "w"), separators=(",", ":"))
json.dump({
    "origin": "NumPy " + importlib.metadata.version("numpy"), "rank": RANK, "layers": LAYERS, "scales": ADAPTERS,
    "cases": {name: {a: np.round(logits(CASES[name], IDS, a), 6).tolist() for a in ADAPTERS} for name in ("gemma", "llama")},
}, open(sys.argv[2], "w"), separators=(",", ":"))
