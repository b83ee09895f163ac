"""Writes sampling.json: with which probability a sampler chooses each token, by NumPy in float64.

    pip install numpy==2.4.6
    python3 gen_sampling.py > sampling.json

The order is that of llama.cpp: penalty, top-k, top-p, min-p, temperature.
"""
import json

import numpy as np

rng = np.random.default_rng(11)


def probabilities(logits, recent, temperature=1.0, top_k=0, top_p=1.0, min_p=0.0, repeat_penalty=1.0):
    x = np.array(logits, np.float64)
    for t in set(recent):
        x[t] = x[t] / repeat_penalty if x[t] > 0 else x[t] * repeat_penalty
    kept = np.ones(len(x), bool)
    if 0 < top_k < len(x):
        kept &= x >= np.sort(x)[-top_k]
    if top_p < 1:
        p = np.where(kept, np.exp(x - x.max()), 0)
        p /= p.sum()
        order = np.argsort(-p, kind="stable")
        last = order[np.searchsorted(np.cumsum(p[order]), top_p)]
        kept &= x >= x[last]
    if min_p > 0:
        kept &= x >= x.max() + np.log(min_p)
    p = np.where(kept, np.exp((x - x.max()) / temperature), 0)
    return p / p.sum()


logits = np.round(rng.standard_normal(40) * 2, 2).astype(np.float32)
logits[[7, 21, 30]] = np.sort(logits)[-4]  # four tokens are as likely as the fourth
recent = [int(t) for t in np.argsort(-logits)[:3]] + [int(np.argmin(logits))] * 2
cases = [dict(c, probabilities=[float(p) for p in probabilities(logits, recent, **c)]) for c in (
    dict(temperature=1.0),
    dict(temperature=0.5),
    dict(temperature=2.0),
    dict(temperature=1.0, top_k=5),
    dict(temperature=1.0, top_k=1),
    dict(temperature=1.0, top_k=40),
    dict(temperature=1.0, top_p=0.6),
    dict(temperature=1.0, top_p=0.001),
    dict(temperature=1.0, min_p=0.2),
    dict(temperature=1.0, repeat_penalty=1.5),
    dict(temperature=0.8, top_k=12, top_p=0.9, min_p=0.05, repeat_penalty=1.1),
)]
print(json.dumps({"origin": "NumPy %s, gen_sampling.py" % np.__version__, "logits": [float(v) for v in logits], "recent": recent, "cases": cases}))
