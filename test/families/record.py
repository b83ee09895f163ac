"""Records what llama.cpp computes for the files of this package.

    go run ./test/families/writefamilies FOLDER
    record.py FOLDER testdata/logits.json

It needs the wheel xllamacpp of bench/text/peers.lock, whose library has llama.cpp's C
interface: the keys and values of the caches are f16, as ours, and attention is the plain
one. The first eight tokens are given at once, the others one at a time.
"""

import ctypes
import hashlib
import importlib.metadata
import json
import os
import struct
import sys

import xllamacpp

PROMPT = [3, 1, 4, 1, 5, 9, 2, 6]
REST = [5, 35, 8, 47, 0, 9, 32, 3]
CONTEXT = 256


class Params(ctypes.Structure):
    """More than the parameters of any version: structures are passed on the stack."""

    _fields_ = [("bytes", ctypes.c_uint8 * 512)]


class Batch(ctypes.Structure):
    _fields_ = [("n_tokens", ctypes.c_int32), ("token", ctypes.POINTER(ctypes.c_int32)), ("embd", ctypes.c_void_p),
                ("pos", ctypes.POINTER(ctypes.c_int32)), ("n_seq_id", ctypes.POINTER(ctypes.c_int32)),
                ("seq_id", ctypes.POINTER(ctypes.POINTER(ctypes.c_int32))), ("logits", ctypes.POINTER(ctypes.c_int8))]


lib = ctypes.CDLL(os.path.join(xllamacpp.__path__[0], "xllamacpp.abi3.so"))
for name, result in {
    "llama_model_default_params": Params, "llama_context_default_params": Params, "llama_batch_init": Batch,
    "llama_model_load_from_file": ctypes.c_void_p, "llama_init_from_model": ctypes.c_void_p, "llama_model_get_vocab": ctypes.c_void_p,
    "llama_get_logits_ith": ctypes.POINTER(ctypes.c_float), "llama_get_embeddings_seq": ctypes.POINTER(ctypes.c_float),
}.items():
    getattr(lib, name).restype = result


def context_params(pooling):
    p = lib.llama_context_default_params()
    words = struct.unpack("<22i", bytes(p.bytes)[:88])
    if (words[0], words[1], words[9:14]) != (512, 2048, (0, -1, -1, -1, -1)):
        sys.exit("another layout of llama_context_params: %s" % (words,))
    for at, v in {0: CONTEXT, 6: 0, 7: 1, 8: 1, 11: pooling, 13: 0, 26: 0, 27: 0}.items():
        struct.pack_into("<i", p.bytes, 4 * at, v)
    return p


class Model:
    def __init__(self, path, pooling=-1):
        self.model = ctypes.c_void_p(lib.llama_model_load_from_file(path.encode(), lib.llama_model_default_params()))
        if not self.model:
            sys.exit("llama.cpp does not load %s" % path)
        self.context = ctypes.c_void_p(lib.llama_init_from_model(self.model, context_params(pooling)))
        if lib.llama_n_ctx(self.context) != CONTEXT:
            sys.exit("the context is %d" % lib.llama_n_ctx(self.context))

    def batch(self, tokens, at):
        b = lib.llama_batch_init(len(tokens), 0, 1)
        b.n_tokens = len(tokens)
        for i, t in enumerate(tokens):
            b.token[i], b.pos[i], b.n_seq_id[i], b.logits[i] = t, at + i, 1, 1
            b.seq_id[i][0] = 0
        return b

    def logits(self, tokens, at):
        b = self.batch(tokens, at)
        if lib.llama_decode(self.context, b):
            sys.exit("llama_decode failed")
        v = lib.llama_vocab_n_tokens(ctypes.c_void_p(lib.llama_model_get_vocab(self.model)))
        return [[float("%.6g" % x) for x in lib.llama_get_logits_ith(self.context, i)[:v]] for i in range(len(tokens))]

    def vector(self, tokens):
        lib.llama_set_embeddings(self.context, True)
        if lib.llama_encode(self.context, self.batch(tokens, 0)):
            sys.exit("llama_encode failed")
        v = [x for x in lib.llama_get_embeddings_seq(self.context, 0)[:lib.llama_model_n_embd(self.model)]]
        length = sum(x * x for x in v) ** 0.5
        return [float("%.6g" % (x / length)) for x in v]


def main():
    folder, out = sys.argv[1:]
    cases = {}
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        with open(path, "rb") as f:
            digest = hashlib.sha256(f.read()).hexdigest()
        m = Model(path)
        case = cases[name.removesuffix(".gguf")] = {"sha256": digest}
        if any(part in name for part in ("bert", "embedding", "llama-embed")):
            case["vectors"] = [m.vector(PROMPT), m.vector(PROMPT + REST)]
            continue
        rows = m.logits(PROMPT, 0)
        for i, t in enumerate(REST):
            rows += m.logits([t], len(PROMPT) + i)
        case["logits"] = rows
    with open(out, "w") as f:
        head = {"origin": "llama.cpp, xllamacpp %s" % importlib.metadata.version("xllamacpp"), "prompt": PROMPT, "rest": REST}
        f.write(json.dumps(head)[:-1] + ', "cases": {')
        f.write(",".join("\n%s: %s" % (json.dumps(k), json.dumps(v, separators=(",", ":"))) for k, v in cases.items()))
        f.write("\n}}\n")


if __name__ == "__main__":
    main()
