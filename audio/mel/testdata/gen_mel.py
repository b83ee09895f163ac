"""Makes logmel.json, filters.json and jfk_mel80.json.

Run here: python3 gen_mel.py MEL_FILTERS_NPZ REFERENCE_NPZ
(needs numpy and transformers 4.48.3; no torch)

logmel.json   selected frames of transformers' WhisperFeatureExtractor (NumPy path)
              on signals that mel_test.go makes by the same integer formulas
filters.json  the non-zero weights of a few rows of openai-whisper 20250625's
              whisper/assets/mel_filters.npz (MIT), which librosa computed
jfk_mel80.json selected frames of the spectrogram that transformers' Flax Whisper
              was fed in the numeric reference run on whisper.cpp's samples/jfk.wav
              (sha256 59dfb9a4acb36fe2a2affc14bacbee2920ff435cb13cc314a08c13f66ba7860e)
"""
import json
import sys

import numpy as np
from transformers import WhisperFeatureExtractor


def lcg(n):
    """Noise and a 1000 Hz triangle whose levels change, in integers."""
    s, x = 12345, np.empty(n, np.int64)
    for i in range(n):
        s = (s * 1103515245 + 12345) & 0x7FFFFFFF
        noise = (s >> 16) % 2001 - 1000
        tri = abs(i % 16 - 8) * 2000 - 8000
        x[i] = noise * (i // 4000 % 5) // 4 + tri * (i // 7000 % 3) // 2
    return (x / 32768).astype(np.float32)


def dump(name, value):
    with open(name, "w") as f:
        json.dump(value, f, separators=(",", ":"))
        f.write("\n")


def columns(mel, frames):
    return [[round(float(v), 6) for v in mel[:, i]] for i in frames]


cases = []
for mels, samples, frames in (
    (80, 37000, [0, 1, 2, 3, 50, 100, 150, 229, 230, 231, 232, 233, 1500, 2999]),
    (80, 480000, [0, 1, 1234, 2990, 2997, 2998, 2999]),
    (128, 37000, [0, 1, 77, 231, 232, 2999]),
    (80, 0, [0, 2999]),
):
    x = lcg(samples) if samples else np.zeros(16000, np.float32)
    mel = WhisperFeatureExtractor(feature_size=mels)(x, sampling_rate=16000, return_tensors="np").input_features[0]
    assert mel.shape == (mels, 3000)
    cases.append({"mels": mels, "samples": samples, "frames": frames, "columns": columns(mel, frames)})
dump("logmel.json", cases)

z = np.load(sys.argv[1])
rows = []
for mels, picks in ((80, [0, 1, 24, 25, 50, 79]), (128, [0, 3, 64, 127])):
    for r in picks:
        w = z[f"mel_{mels}"][r]
        nz = np.nonzero(w)[0]
        first = int(nz[0])
        rows.append({"mels": mels, "row": r, "first": first, "weights": [float(f"{v:.9g}") for v in w[first : nz[-1] + 1]]})
dump("filters.json", rows)

mel = np.load(sys.argv[2])["mel"][0]
frames = [0, 1, 30, 100, 333, 500, 777, 1000, 1098, 1099, 1100, 1101, 1102, 2999]
dump("jfk_mel80.json", {"frames": frames, "columns": columns(mel, frames)})
