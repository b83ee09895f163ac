"""Makes cut.json: logits of the first two layers of SmolLM2 135M in NumPy, plain and with
each of two adapters merged into its weights.

    gen_cut.py SmolLM2-135M-Instruct.Q4_1.gguf poet clerk cut.json

poet and clerk are folders as PEFT saves adapters; //models/llama/adapters:poet and :clerk
make them. Weights are unpacked by gguf-py. Arithmetic is f64, but for keys and values,
which are rounded to f16 as the caches of the program are.
"""
import importlib.metadata
import json
import sys

import numpy as np
from gguf import GGUFReader, quants

LAYERS, EVERY = 2, 509
IDS = [504, 3575, 282, 4649, 314, 1, 1000, 49151]

reader = GGUFReader(sys.argv[1])
get = lambda k: reader.fields["llama." + k].contents()
W = {t.name: quants.dequantize(t.data, t.tensor_type).astype(np.float64) for t in reader.tensors
     if not t.name.startswith("blk.") or int(t.name.split(".")[1]) < LAYERS}
HEADS, GROUPS, WIDTH = get("attention.head_count"), get("attention.head_count_kv"), get("embedding_length")
SIZE = WIDTH // HEADS


def adapter(folder):
    """What PEFT computes: lora_alpha/r B A, for the layers of Hugging Face's model."""
    with open(folder + "/adapter_config.json") as f:
        config = json.load(f)
    with open(folder + "/adapter_model.safetensors", "rb") as f:
        data = f.read()
    n = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + n])
    t = {name: np.frombuffer(data[8 + n + v["data_offsets"][0] : 8 + n + v["data_offsets"][1]], np.float32).reshape(v["shape"]).astype(np.float64)
         for name, v in header.items() if name != "__metadata__"}
    scale = config["lora_alpha"] / config["r"]
    delta = lambda layer: scale * t[layer + ".lora_B.weight"] @ t[layer + ".lora_A.weight"]
    merged = dict(W)
    for i in range(LAYERS):
        key = f"base_model.model.model.layers.{i}.self_attn."
        # convert_hf_to_gguf.py permutes queries and keys so.
        q = delta(key + "q_proj").reshape(HEADS, 2, SIZE // 2, WIDTH).swapaxes(1, 2).reshape(HEADS * SIZE, WIDTH)
        merged[f"blk.{i}.attn_q.weight"] = W[f"blk.{i}.attn_q.weight"] + q
        merged[f"blk.{i}.attn_v.weight"] = W[f"blk.{i}.attn_v.weight"] + delta(key + "v_proj")
    return merged


def logits(w):
    norm = lambda x, name: x / np.sqrt((x**2).mean(-1, keepdims=True) + get("attention.layer_norm_rms_epsilon")) * w[name]
    at = np.arange(len(IDS))
    angle = at[:, None] * get("rope.freq_base") ** (-np.arange(0, SIZE, 2) / SIZE)
    cos, sin = np.cos(angle)[:, None], np.sin(angle)[:, None]

    def turn(x):
        a, b = x[..., 0::2], x[..., 1::2]
        return np.stack([a * cos - b * sin, b * cos + a * sin], -1).reshape(x.shape)

    x = w["token_embd.weight"][IDS]
    for i in range(LAYERS):
        b = lambda s: w[f"blk.{i}.{s}.weight"]
        h = norm(x, f"blk.{i}.attn_norm.weight")
        q, k, v = (h @ b(s).T for s in ("attn_q", "attn_k", "attn_v"))
        q, k = turn(q.reshape(len(IDS), HEADS, SIZE)), turn(k.reshape(len(IDS), GROUPS, SIZE))
        k, v = (t.reshape(len(IDS), GROUPS, SIZE).astype(np.float16).astype(np.float64).repeat(HEADS // GROUPS, 1) for t in (k, v))
        s = np.einsum("qhd,khd->hqk", q, k) / np.sqrt(SIZE)
        s = np.where(at[None] > at[:, None], -np.inf, s)
        s = np.exp(s - s.max(-1, keepdims=True))
        o = np.einsum("hqk,khd->qhd", s / s.sum(-1, keepdims=True), v).reshape(len(IDS), -1)
        x = x + o @ b("attn_output").T
        h = norm(x, f"blk.{i}.ffn_norm.weight")
        g = h @ b("ffn_gate").T
        x = x + (g / (1 + np.exp(-g)) * (h @ b("ffn_up").T)) @ b("ffn_down").T
    return norm(x, "output_norm.weight") @ w["token_embd.weight"].T


out = {"origin": "NumPy " + importlib.metadata.version("numpy") + ", gguf " + importlib.metadata.version("gguf"), "ids": IDS, "every": EVERY, "logits": {}}
for name, weights in {"": W, "poet": adapter(sys.argv[2]), "clerk": adapter(sys.argv[3])}.items():
    out["logits"][name] = np.round(logits(weights)[:, ::EVERY], 5).tolist()
json.dump(out, open(sys.argv[4], "w"), separators=(",", ":"))
