"""The benchmark's protocol for contestants in Python: see bench/whisper/contestant.

A contestant loads once. For each line of its standard input it transcribes the
clip once and writes one line of JSON.
"""

import json
import os
import resource
import sys
import time
import wave

import numpy

# Samples that the encoder takes: 30 s.
WINDOW = 30 * 16000


def cpu():
    """CPU seconds of this process, user and system, all threads."""
    u = resource.getrusage(resource.RUSAGE_SELF)
    return u.ru_utime + u.ru_stime


def samples(path):
    """The samples of a WAV file of 16 kHz, 16 bits, one channel."""
    with wave.open(path) as w:
        if (w.getframerate(), w.getsampwidth(), w.getnchannels()) != (16000, 2, 1):
            sys.exit("%s: want 16 kHz, 16 bits, one channel" % path)
        return numpy.frombuffer(w.readframes(w.getnframes()), "<i2").astype(numpy.float32) / 32768


def cost(work):
    """Runs work; gives its result and its CPU seconds."""
    before = cpu()
    result = work()
    return result, cpu() - before


def serve(version, transcribe, mel, encode):
    """Answers the benchmark.

    Args:
      version: what is measured.
      transcribe: gives the text of the clip; this is what is measured.
      mel: gives the features of the first 30 s of the clip.
      encode: takes what mel gave through the encoder.
    """
    # What libraries print must not come between the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def send(answer):
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

    send({"version": version, "load_seconds": cpu()})
    for _ in sys.stdin:
        start = time.monotonic()
        text, spent = cost(transcribe)
        wall = time.monotonic() - start
        features, in_mel = cost(mel)
        _, in_encode = cost(lambda: encode(features))
        send({
            "text": text, "cpu_seconds": spent, "wall_seconds": wall,
            "parts": {"mel": in_mel, "encode": in_encode},
        })
