"""Makes spm.json, wordpiece.json and encode_expect.json.

Run here: python3 gen_encode.py LINES.json, where LINES.json is what
`bazel run //test/tokenlines/print -- "$PWD/tiny.json" 3 400` prints.
Needs tokenizers 0.23.3, sentencepiece 0.2.3, gguf 0.19.0, xllamacpp 2026.10.11549.

spm.json            a SentencePiece BPE of our own, 600 pieces with byte fallback: tokens, scores, types
wordpiece.json      a WordPiece of our own, 600 tokens, as Hugging Face's tokenizers saves it
encode_expect.json  lines, and what llama.cpp (for GGUF), tokenizers and SentencePiece make of
                    them: of each vocabulary the first ids whole, then the SHA-256 of those of all lines
"""
import hashlib
import io
import json
import os
import re
import sys

import gguf
import sentencepiece
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
import peers  # noqa: E402

EXTRA = ["", " ", "<end_of_turn>", "a<end_of_turn>\n\n\n<b>x</b> </b>", "<s>hello</s> world", "<unk> x", "<b><b>", "\n\n\n\n\n",
         "[CLS] x [MASK].", "[UNK][SEP]", "a [PAD]b", "<|endoftext|><|en|>", " <|endoftext|> <|endofte", "<0x41>", "a" * 300, "ab" * 100]
SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WHOLE = 40


def train_lines():
    """The lines of gen_tokenizer.py."""
    with open("gen_tokenizer.py", encoding="utf-8") as f:
        source = f.read()
    scope = {}
    exec(source[source.index("LINES = ["):source.index("SPECIALS = [")], scope)  # noqa: S102
    return scope["LINES"]


def spm(lines):
    out = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines * 4), model_writer=out, vocab_size=900, model_type="bpe", byte_fallback=True,
        character_coverage=0.98, normalization_rule_name="identity", remove_extra_whitespaces=False,
        user_defined_symbols=["<b>", "</b>", "\n\n"], control_symbols=["<end_of_turn>"], minloglevel=2)
    peer = sentencepiece.SentencePieceProcessor(model_proto=out.getvalue())
    pieces = {"tokens": [], "scores": [], "types": []}
    for i in range(peer.get_piece_size()):
        kind = 2 if peer.is_unknown(i) else 3 if peer.is_control(i) else 6 if peer.is_byte(i) else 1
        piece = peer.id_to_piece(i)
        if piece in ("<b>", "</b>", "\n\n"):
            kind = 4
        pieces["tokens"].append(piece)
        pieces["scores"].append(peer.get_score(i))
        pieces["types"].append(kind)
    return pieces


def wordpiece(lines):
    t = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    t.normalizer = normalizers.BertNormalizer()
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    t.decoder = decoders.WordPiece()
    t.train_from_iterator(lines, trainers.WordPieceTrainer(vocab_size=700, show_progress=False, special_tokens=SPECIALS))
    t.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[(s, t.token_to_id(s)) for s in ("[CLS]", "[SEP]")])
    return t


def write_gguf(path, model, tokens, types, scores=None, merges=None, **keys):
    w = gguf.GGUFWriter(path, "bert" if model == "bert" else "llama")
    w.add_tokenizer_model(model)
    w.add_token_list(tokens)
    w.add_token_types(types)
    if scores:
        w.add_token_scores(scores)
    if merges:
        w.add_token_merges(merges)
    for key, value in keys.items():
        add = w.add_bool if isinstance(value, bool) else w.add_string if isinstance(value, str) else w.add_uint32
        add("tokenizer.ggml." + key, value)
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.close()


def digest(ids):
    return hashlib.sha256("\n".join(" ".join(map(str, line)) for line in ids).encode()).hexdigest()


def case(name, answer):
    print(name, sum(map(len, answer["ids"])))
    keep = {k: answer[k] for k in ("stop", "bos", "eos", "eot") if k in answer}
    return {"name": name, "whole": answer["ids"][:WHOLE], "sha256": digest(answer["ids"]), **keep}


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        lines = json.load(f) + EXTRA
    train = train_lines()
    cases = []

    pieces = spm(train)
    with open("spm.json", "w", encoding="utf-8") as f:
        json.dump(pieces, f, ensure_ascii=True, separators=(",", ":"))
    for prefix in (False, True):
        write_gguf("x.gguf", "llama", pieces["tokens"], pieces["types"], pieces["scores"], bos_token_id=1, eos_token_id=2,
                   unknown_token_id=0, add_space_prefix=prefix)
        for options in ([], ["add"], ["literal"]):
            cases.append(case("-".join(["spm"] + (["prefix"] if prefix else []) + options), peers.llama("x.gguf", lines, *options)))
    with open("x.json", "w", encoding="utf-8") as f:
        json.dump(pieces | {"prefix": False}, f)
    # It does not look for control tokens in a text, and takes U+2581 for a space.
    plain = [i for i, line in enumerate(lines) if not any(t in line for t in ("\u2581", "<s>", "</s>", "<unk>", "<end_of_turn>"))]
    answer = peers.sentencepiece("x.json", [lines[i] for i in plain])
    cases.append(case("sentencepiece", answer) | {"lines": plain})

    with open("tiny.json", encoding="utf-8") as f:
        tiny = json.load(f)
    vocab = tiny["model"]["vocab"] | {t["content"]: t["id"] for t in tiny["added_tokens"]}
    tokens = sorted(vocab, key=vocab.get)
    special = {t["content"] for t in tiny["added_tokens"]}
    merges = [m if isinstance(m, str) else " ".join(m) for m in tiny["model"]["merges"]]
    for pre in ("gpt-2", "default", "smollm", "llama-bpe", "dbrx", "minicpm5", "qwen2", "qwen35", "falcon", "deepseek-llm",
                "deepseek-coder", "deepseek-v3", "bloom", "viking", "seed-coder", "bailingmoe"):
        write_gguf("x.gguf", "gpt2", tokens, [3 if t in special else 1 for t in tokens], merges=merges, pre=pre,
                   bos_token_id=601, eos_token_id=600)
        cases.append(case("bpe-" + pre, peers.llama("x.gguf", lines)))
    # Ours knows the timestamps of Whisper too, which are not in the file.
    plain = [i for i, line in enumerate(lines) if not re.search(r"<\|\d", line)]
    cases.append(case("bpe-hf", peers.hf("tiny.json", [lines[i] for i in plain])) | {"lines": plain})

    t = wordpiece(train)
    t.save("wordpiece.json", pretty=False)
    cases.append(case("wordpiece-hf", peers.hf("wordpiece.json", lines, "add")))
    vocab = t.get_vocab()
    tokens = sorted(vocab, key=vocab.get)
    marked = [x if x in SPECIALS else x[2:] if x.startswith("##") else "\u2581" + x for x in tokens]
    write_gguf("x.gguf", "bert", marked, [3 if x in SPECIALS else 1 for x in tokens],
               **{k + "_token_id": vocab["[%s]" % n] for k, n in
                  {"bos": "CLS", "seperator": "SEP", "unknown": "UNK", "padding": "PAD", "mask": "MASK"}.items()})
    cases.append(case("wordpiece-gguf", peers.llama("x.gguf", lines, "add")))
    for name in ("x.gguf", "x.json"):
        os.remove(name)
    with open("encode_expect.json", "w", encoding="utf-8") as f:
        f.write('{"lines": [\n' + ",\n".join(json.dumps(line) for line in lines) + '\n], "cases": [\n')
        f.write(",\n".join(json.dumps(c, separators=(",", ":")) for c in cases) + "\n]}\n")


if __name__ == "__main__":
    main()
