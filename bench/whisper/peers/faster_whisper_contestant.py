"""faster-whisper as a contestant of the benchmark.

    faster_whisper_contestant.py MODEL_FOLDER CLIP.wav COMPUTE_TYPE

MODEL_FOLDER holds model.bin, config.json and tokenizer.json of a CTranslate2 model.
"""

import sys

import ctranslate2
import faster_whisper
from faster_whisper.audio import pad_or_trim

import contestant


def main():
    folder, clip, compute_type = sys.argv[1:]
    samples = contestant.samples(clip)
    model = faster_whisper.WhisperModel(
        folder, device="cpu", compute_type=compute_type, cpu_threads=1, num_workers=1, local_files_only=True)

    def transcribe():
        segments, _ = model.transcribe(
            samples, language="en", beam_size=1, best_of=1, temperature=0, without_timestamps=True,
            condition_on_previous_text=False, vad_filter=False)
        return "".join(s.text for s in segments)

    # As transcribe does it: the features of the samples alone, zeros up to 30 s.
    def mel():
        features = model.feature_extractor(samples[:contestant.WINDOW])
        return pad_or_trim(features[..., :-1], model.feature_extractor.nb_max_frames)

    contestant.serve(
        "faster-whisper %s, CTranslate2 %s" % (faster_whisper.__version__, ctranslate2.__version__),
        transcribe, mel, model.encode)


if __name__ == "__main__":
    main()
