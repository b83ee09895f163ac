"""Other tokenizers, to compare ours with: llama.cpp, Hugging Face's tokenizers, SentencePiece.

    peers.py llama FILE.gguf LINES.json [add] [literal]
    peers.py hf TOKENIZER.json LINES.json [add]
    peers.py sentencepiece PIECES.json LINES.json

LINES.json is a list of texts. Printed is {"ids": [[...], ...]}, of llama also "stop" (the
tokens that end a generation), "bos", "eos", "eot" and "text": what llama.cpp makes of the
ids again, in hexadecimal. PIECES.json has "tokens", "scores" and "types" as GGUF has them,
and "prefix": whether a space is put before a text.

llama.cpp is the one inside the package xllamacpp, by its C interface: struct
llama_model_params is 80 bytes long there, and vocab_only is at 72.
"""

import ctypes
import glob
import importlib.util
import json
import os
import struct
import sys
import time


class Params(ctypes.Structure):
    _fields_ = [("head", ctypes.c_char * 72), ("vocab_only", ctypes.c_bool), ("tail", ctypes.c_char * 7)]


class Llama:
    """The tokenizer of a GGUF file in llama.cpp."""

    def __init__(self, path):
        folder = os.path.dirname(importlib.util.find_spec("xllamacpp").origin)
        lib = ctypes.CDLL(glob.glob(os.path.join(folder, "xllamacpp*.so"))[0])
        lib.llama_model_default_params.restype = Params
        lib.llama_model_load_from_file.restype = ctypes.c_void_p
        lib.llama_model_load_from_file.argtypes = [ctypes.c_char_p, Params]
        lib.llama_model_get_vocab.restype = ctypes.c_void_p
        lib.llama_model_get_vocab.argtypes = [ctypes.c_void_p]
        lib.llama_tokenize.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int32, ctypes.c_void_p, ctypes.c_int32, ctypes.c_bool, ctypes.c_bool]
        lib.llama_token_to_piece.argtypes = [ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p, ctypes.c_int32, ctypes.c_int32, ctypes.c_bool]
        lib.llama_vocab_is_eog.argtypes = [ctypes.c_void_p, ctypes.c_int32]
        lib.llama_vocab_is_eog.restype = ctypes.c_bool
        for name in ("n_tokens", "bos", "eos", "eot"):
            getattr(lib, "llama_vocab_" + name).argtypes = [ctypes.c_void_p]
        self.log = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)(lambda *_: None)
        lib.llama_log_set(self.log, None)
        params = lib.llama_model_default_params()
        params.vocab_only = True
        model = lib.llama_model_load_from_file(path.encode(), params)
        if not model:
            sys.exit("llama.cpp does not load " + path)
        self.lib, self.vocab = lib, lib.llama_model_get_vocab(model)
        self.buffer = (ctypes.c_int32 * (1 << 21))()
        self.bytes = ctypes.create_string_buffer(1 << 16)

    def encode(self, text, add, parse):
        data = text.encode()
        n = self.lib.llama_tokenize(self.vocab, data, len(data), self.buffer, len(self.buffer), add, parse)
        return self.buffer[:n]

    def piece(self, token):
        n = self.lib.llama_token_to_piece(self.vocab, token, self.bytes, len(self.bytes), 0, False)
        return self.bytes.raw[:n]


def llama(path, lines, *options):
    peer = Llama(path)
    start = time.perf_counter()
    ids = [peer.encode(line, "add" in options, "literal" not in options) for line in lines]
    seconds = time.perf_counter() - start
    vocab, lib = peer.vocab, peer.lib
    return {
        "ids": ids,
        "seconds": seconds,
        "text": [b"".join(peer.piece(i) for i in line).hex() for line in ids],
        "stop": [i for i in range(lib.llama_vocab_n_tokens(vocab)) if lib.llama_vocab_is_eog(vocab, i)],
        "bos": lib.llama_vocab_bos(vocab), "eos": lib.llama_vocab_eos(vocab), "eot": lib.llama_vocab_eot(vocab),
    }


def hf(path, lines, *options):
    from tokenizers import Tokenizer
    peer = Tokenizer.from_file(path)
    peer.no_truncation()
    peer.no_padding()
    start = time.perf_counter()
    ids = [peer.encode(line, add_special_tokens="add" in options).ids for line in lines]
    return {"ids": ids, "seconds": time.perf_counter() - start, "decoded": peer.decode_batch(ids)}


def _field(number, wire, value):
    return _varint(number << 3 | wire) + value


def _varint(n):
    out = b""
    while n >= 0x80:
        out, n = out + bytes([n & 0x7f | 0x80]), n >> 7
    return out + bytes([n])


def _bytes(number, value):
    return _field(number, 2, _varint(len(value)) + value)


def model_proto(pieces):
    """A sentencepiece.ModelProto (sentencepiece_model.proto) of the tokens of a GGUF file."""
    out = []
    for token, score, kind in zip(pieces["tokens"], pieces["scores"], pieces["types"]):
        if kind == 4:  # GGUF has the tokens of a user as they are found in a text
            token = token.replace(" ", "\u2581")
        out.append(_bytes(1, _bytes(1, token.encode()) + _field(2, 5, struct.pack("<f", score)) + _field(3, 0, _varint(kind))))
    first = {k: pieces["types"].index(k) for k in (2,)}
    trainer = _field(3, 0, _varint(2)) + _field(35, 0, _varint(1)) + _field(40, 0, _varint(first[2]))  # BPE, byte fallback, unknown
    normalizer = _bytes(1, b"identity") + _field(3, 0, _varint(int(pieces["prefix"]))) + _field(4, 0, _varint(0)) + _field(5, 0, _varint(1))
    return b"".join(out) + _bytes(2, trainer) + _bytes(3, normalizer)


def sentencepiece(path, lines):
    import sentencepiece as sp
    with open(path, encoding="utf-8") as f:
        proto = model_proto(json.load(f))
    peer = sp.SentencePieceProcessor()
    peer.LoadFromSerializedProto(proto)
    start = time.perf_counter()
    ids = [peer.EncodeAsIds(line) for line in lines]
    return {"ids": ids, "seconds": time.perf_counter() - start}


if __name__ == "__main__":
    kind, file, texts = sys.argv[1:4]
    with open(texts, encoding="utf-8") as f:
        json.dump({"llama": llama, "hf": hf, "sentencepiece": sentencepiece}[kind](file, json.load(f), *sys.argv[4:]), sys.stdout)
