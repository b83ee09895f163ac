"""Makes scipy.json: resample_poly of SciPy on a noise-free sum of low tones.

Run here: python3 gen_resample.py   (needs numpy, scipy)
The signal is written as a formula in resample_test.go (tones below 3 kHz, which both
filters pass flat), so two right resamplers agree to their passband ripple.
"""
import json
from math import gcd

import numpy as np
from scipy.signal import firwin, resample_poly

out = {}
for rate in (8000, 11025, 22050, 44100, 48000, 96000):
    n = rate // 4
    t = np.arange(n) / rate
    x = 0.5 * np.sin(2 * np.pi * 440 * t) + 0.3 * np.cos(2 * np.pi * 1250 * t) - 0.1 * np.sin(2 * np.pi * 2900 * t)
    x = x * np.sin(np.pi * np.arange(n) / n) ** 2
    x = x.astype(np.float32).astype(np.float64)
    g = gcd(rate, 16000)
    up, down = 16000 // g, rate // g
    m = max(up, down)
    y = resample_poly(x, up, down, window=firwin(2 * 60 * m + 1, 0.95 / m, window=("kaiser", 9.0)))
    out[str(rate)] = {"len": len(y), "every17": [round(float(v), 7) for v in y[::17]]}
with open("scipy.json", "w") as f:
    json.dump(out, f, separators=(",", ":"))
    f.write("\n")
