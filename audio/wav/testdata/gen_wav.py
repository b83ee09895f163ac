"""Makes the WAVE files of this folder, expect.json and g711.json.

The files are written and read back by libsndfile (package soundfile 0.13), an
implementation that is not ours; g711 values come from Python's own audioop (3.11).
Run here: python3 gen_wav.py   (needs numpy, soundfile, Python 3.11)
"""
import audioop
import json

import numpy as np
import soundfile as sf

n = 37
t = np.arange(n)
left = np.round(20000 * np.sin(t * 0.7)).astype(np.int16)
right = np.round(9000 * np.cos(t * 0.31) - 3000).astype(np.int16)
left[3], left[4] = 32767, -32768

cases = [  # file, container, subtype, rate, channels
    ("u8_mono_8000.wav", "WAV", "PCM_U8", 8000, 1),
    ("s16_stereo_44100.wav", "WAV", "PCM_16", 44100, 2),
    ("s24_stereo_48000.wav", "WAV", "PCM_24", 48000, 2),
    ("s32_mono_96000.wav", "WAV", "PCM_32", 96000, 1),
    ("f32_stereo_22050.wav", "WAV", "FLOAT", 22050, 2),
    ("f64_mono_16000.wav", "WAV", "DOUBLE", 16000, 1),
    ("alaw_mono_8000.wav", "WAV", "ALAW", 8000, 1),
    ("ulaw_stereo_8000.wav", "WAV", "ULAW", 8000, 2),
    ("s16_ext_6ch_48000.wav", "WAVEX", "PCM_16", 48000, 6),
    ("f32_ext_mono_16000.wav", "WAVEX", "FLOAT", 16000, 1),
    ("s16_rf64_mono_16000.wav", "RF64", "PCM_16", 16000, 1),
]
out = {}
for name, container, subtype, rate, ch in cases:
    cols = [left if c % 2 == 0 else right for c in range(ch)]
    x = np.stack([np.roll(c, i) for i, c in enumerate(cols)], 1)
    sf.write(name, x, rate, subtype=subtype, format=container)
    y, got = sf.read(name, dtype="float64", always_2d=True)
    assert got == rate
    out[name] = {"rate": rate, "channels": ch, "mono": [float(v) for v in y.mean(1)]}
with open("expect.json", "w") as f:
    json.dump(out, f, separators=(",", ":"))
    f.write("\n")

b = bytes(range(256))
with open("g711.json", "w") as f:
    json.dump({
        "alaw": np.frombuffer(audioop.alaw2lin(b, 2), np.int16).tolist(),
        "ulaw": np.frombuffer(audioop.ulaw2lin(b, 2), np.int16).tolist(),
    }, f, separators=(",", ":"))
    f.write("\n")
