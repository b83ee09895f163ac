"""whisper.cpp as a contestant of the benchmark, through pywhispercpp.

    whisper_cpp_contestant.py MODEL.ggml CLIP.wav
"""

import sys

import _pywhispercpp as whisper
import pywhispercpp.model

import contestant


def main():
    path, clip = sys.argv[1:]
    samples = contestant.samples(clip)
    first = samples[:contestant.WINDOW]
    model = pywhispercpp.model.Model(
        path, redirect_whispercpp_logs_to=None, n_threads=1, language="en", no_timestamps=True, single_segment=True,
        print_progress=False, print_realtime=False, temperature=0.0, temperature_inc=0.0, greedy={"best_of": 1})
    context = model._ctx

    def transcribe():
        return "".join(s.text for s in model.transcribe(samples))

    def mel():
        if whisper.whisper_pcm_to_mel(context, first, len(first), 1):
            sys.exit("whisper_pcm_to_mel failed")

    def encode(_):
        if whisper.whisper_encode(context, 0, 1):
            sys.exit("whisper_encode failed")

    used = [f.split(" = ")[0].strip() for f in whisper.whisper_print_system_info().split(":")[-1].split("|") if "= 1" in f]
    contestant.serve("pywhispercpp %s (%s)" % (pywhispercpp.model.__version__, " ".join(used)), transcribe, mel, encode)


if __name__ == "__main__":
    main()
