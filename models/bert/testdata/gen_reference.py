"""Makes reference.json: sentence embeddings of all-MiniLM-L6-v2 in NumPy, f32.

Run here: python3 gen_reference.py FOLDER, with model.safetensors and tokenizer.json of
the model in FOLDER (needs numpy 2.4.6, safetensors 0.8.0, tokenizers 0.23.3).

Its first three embeddings are those of Hugging Face's FlaxBertModel (transformers 4.48.3,
jax 0.4.38) with mean pooling, to 1.5e-7.
"""
import json
import math
import os
import sys

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

SENTENCES = [
    "The capital of France is Paris.",
    "A cat sits on the mat.",
    "Paris is the largest city in France.",
    "Ein Kätzchen liegt auf dem Teppich.",
    "for (int i = 0; i < n; ++i) { sum += a[i]; }",
    "東京は日本の首都です。",
    "x",
]
HEADS, LAYERS, EPSILON = 12, 6, 1e-12
ERF = np.vectorize(math.erf, otypes=[np.float64])


def norm(w, key, x):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) / np.sqrt(((x - mean) ** 2).mean(-1, keepdims=True) + np.float32(EPSILON)) * w[key + ".weight"] + w[key + ".bias"]


def linear(w, key, x):
    return x @ w[key + ".weight"].T + w[key + ".bias"]


def gelu(x):
    return x * (0.5 * (1 + ERF(x / math.sqrt(2)))).astype(np.float32)


def embed(w, ids):
    t = len(ids)
    x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][:t] + w["embeddings.token_type_embeddings.weight"][0]
    x = norm(w, "embeddings.LayerNorm", x)
    for i in range(LAYERS):
        key = "encoder.layer.%d" % i
        q, k, v = (linear(w, "%s.attention.self.%s" % (key, n), x).reshape(t, HEADS, -1).transpose(1, 0, 2) for n in ("query", "key", "value"))
        scores = q @ k.transpose(0, 2, 1) / np.float32(math.sqrt(q.shape[-1]))
        e = np.exp(scores - scores.max(-1, keepdims=True))
        a = (e / e.sum(-1, keepdims=True)) @ v
        x = norm(w, key + ".attention.output.LayerNorm", x + linear(w, key + ".attention.output.dense", a.transpose(1, 0, 2).reshape(t, -1)))
        h = gelu(linear(w, key + ".intermediate.dense", x))
        x = norm(w, key + ".output.LayerNorm", x + linear(w, key + ".output.dense", h))
    mean = x.mean(0)
    return mean / np.linalg.norm(mean)


def main():
    w = load_file(os.path.join(sys.argv[1], "model.safetensors"))
    t = Tokenizer.from_file(os.path.join(sys.argv[1], "tokenizer.json"))
    t.no_padding()
    t.no_truncation()
    ids = [t.encode(s).ids for s in SENTENCES]
    vectors = [embed(w, i) for i in ids]
    assert all(v.dtype == np.float32 for v in vectors)
    with open("reference.json", "w", encoding="utf-8") as f:
        rows = [json.dumps({"text": s, "ids": i, "embedding": [float("%.7g" % x) for x in v]}, ensure_ascii=True) for s, i, v in zip(SENTENCES, ids, vectors)]
        f.write("[\n" + ",\n".join(rows) + "\n]\n")


main()
