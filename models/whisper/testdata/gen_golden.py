"""Makes flax_tiny_en.json.

Run here: python3 gen_golden.py REFERENCE_NPZ REFERENCE_JSON (needs numpy)

The reference is transformers 4.48.3's Flax Whisper on jax 0.4.38 (CPU, float32)
with the weights of Systran/faster-whisper-tiny.en (MIT), the same values that
@whisper_tiny_en holds, on whisper.cpp's samples/jfk.wav
(sha256 59dfb9a4acb36fe2a2affc14bacbee2920ff435cb13cc314a08c13f66ba7860e):
greedy, without timestamps. Kept are

prompt, ids, text  what it was given, what it said until the end of text
rows, encoded      frames of the encoder's output [1500, 384], rounded to 1e-6
tokens, logits     the 50 largest logits of the first step and 200 others
"""
import json
import sys

import numpy as np

z = np.load(sys.argv[1])
with open(sys.argv[2]) as f:
    info = json.load(f)

encoded = z["enc"][0]
assert encoded.shape == (1500, 384)
# The ends, the edges of the encoder's blocks of 96 rows, the end of the speech.
rows = [0, 1, 2, 50, 95, 96, 191, 192, 300, 432, 549, 550, 551, 700, 900, 1151, 1152, 1300, 1498, 1499]

logits = z["first_logits"]
assert logits.shape == (51864,)
order = np.argsort(-logits)
tokens = list(order[:50]) + sorted(np.random.default_rng(1).choice(order[50:], 200, replace=False))
assert [int(t) for t in tokens[:5]] == [t for t, _ in info["first_step_top5"]]

n = len(info["prompt"])
assert info["greedy_ids"][:n] == info["prompt"] and info["greedy_ids"][-1] == 50256
with open("flax_tiny_en.json", "w") as f:
    json.dump({
        "prompt": info["prompt"],
        "ids": info["greedy_ids"][n:-1],
        "text": info["text"].strip(),
        "rows": rows,
        "encoded": [[round(float(v), 6) for v in encoded[r]] for r in rows],
        "tokens": [int(t) for t in tokens],
        "logits": [round(float(logits[t]), 6) for t in tokens],
    }, f, separators=(",", ":"))
    f.write("\n")
