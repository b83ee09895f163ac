"""Makes unigram.json and unigram_expect.json.

Run here: python3 gen_unigram.py. Needs sentencepiece 0.2.1, protobuf, gguf 0.19.0, xllamacpp 2026.10.11549.

unigram.json         a unigram model of our own, trained by SentencePiece on the lines of gen_tokenizer.py, with a small
                     map of characters: tokens, scores, types and the compiled map in hexadecimal
unigram_expect.json  what llama.cpp makes of the lines of encode_expect.json, and of LINES: the first ids whole, then the
                     SHA-256 of those of all lines
"""
import io
import json
import os

import gguf
import sentencepiece
from sentencepiece import sentencepiece_model_pb2

from gen_encode import case, peers, train_lines

# What is replaced, and by what.
RULES = {"\t": " ", "\u00a0": " ", "\u3000": " ", "\ufb01": "fi", "\u00e9": "e\u0301", "e\u0301\u0302": "E", "\u00bd": "1/2", "\u200b": "",
         "\uff21": "A", "\uff42": "b", "\u2026": "...", "\ufdfa": "one two three", "ab": "ba", "abc": "cab", "\r\n": " ", "\n": " "}
LINES = ["  two  spaces ", "a\tb\u00a0c", "\ufb01ne \ufb01", "abcab ab abc", "\ufdfa\ufdfa", "e\u0301 e\u0301\u0302 \u00e9", "\u200b", "x\u200by",
         "<b>  </b> a<b>b", "\U0001f600\U0001f601 z\U0001f600", "\u2581a \u2581\u2581b", "<s>", "</s> a", "<unk>", "\u4e2d\u6587\u4e2d"]


def train(lines):
    with open("x.tsv", "w", encoding="utf-8") as f:
        for source, target in RULES.items():
            f.write(" ".join("%X" % ord(c) for c in source) + "\t" + " ".join("%X" % ord(c) for c in target) + "\n")
    out = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines * 4), model_writer=out, vocab_size=700, model_type="unigram", hard_vocab_limit=False,
        character_coverage=0.98, normalization_rule_tsv="x.tsv", user_defined_symbols=["<b>", "</b>"], control_symbols=["<end_of_turn>"],
        pad_id=0, eos_id=1, unk_id=2, bos_id=3, minloglevel=2)
    os.remove("x.tsv")
    proto = sentencepiece_model_pb2.ModelProto.FromString(out.getvalue())
    return {
        "tokens": [p.piece for p in proto.pieces], "scores": [p.score for p in proto.pieces], "types": [p.type for p in proto.pieces],
        "charmap": proto.normalizer_spec.precompiled_charsmap.hex(),
    }


def write(path, model, **keys):
    w = gguf.GGUFWriter(path, "t5")
    w.add_tokenizer_model("t5")
    w.add_token_list(model["tokens"])
    w.add_token_types(model["types"])
    w.add_token_scores(model["scores"])
    w.add_precompiled_charsmap(bytes.fromhex(model["charmap"]))
    for key, value in keys.items():
        (w.add_bool if isinstance(value, bool) else w.add_uint32)("tokenizer.ggml." + key, value)
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.close()


def main():
    with open("encode_expect.json", encoding="utf-8") as f:
        lines = json.load(f)["lines"] + LINES
    model = train(train_lines())
    with open("unigram.json", "w", encoding="utf-8") as f:
        json.dump(model, f, ensure_ascii=True, separators=(",", ":"))
    cases = []
    for prefix in (False, True):
        for merge in (False, True):
            write("x.gguf", model, add_space_prefix=prefix, remove_extra_whitespaces=merge, bos_token_id=3, eos_token_id=1, unknown_token_id=2)
            for options in ([], ["add"], ["literal"]):
                name = "-".join(["unigram"] + (["prefix"] if prefix else []) + (["merge"] if merge else []) + options)
                cases.append(case(name, peers.llama("x.gguf", lines, *options)))
    os.remove("x.gguf")
    with open("unigram_expect.json", "w", encoding="utf-8") as f:
        f.write('{"lines": ' + json.dumps(LINES) + ', "cases": [\n' + ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases) + "\n]}\n")


main()
