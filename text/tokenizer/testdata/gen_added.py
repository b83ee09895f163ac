"""Writes added.json: what Hugging Face's tokenizers makes of texts with added tokens
made of letters of the byte alphabet.

    pip install tokenizers==0.23.3
    python3 gen_added.py > added.json

The ids are those of tokenizers, which has no right text for them: its ByteLevel
decoder takes an added token for bytes.
"""
import json

from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers

cases = []


def case(texts, added, without="", more=(), merges=(), normalizer=None, whole=False, lost=""):
    letters = [c for c in sorted(pre_tokenizers.ByteLevel.alphabet()) if c not in without] + list(more)
    tok = Tokenizer(models.BPE({c: i for i, c in enumerate(letters)}, list(merges), ignore_merges=whole))
    tok.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tok.decoder = decoders.ByteLevel()
    if normalizer is not None:
        tok.normalizer = normalizer
    tok.add_tokens([AddedToken(a, normalized=normalizer is None or normalizer == EMPTY) if isinstance(a, str) else a for a in added])
    cases.append({"tokenizer": tok.to_str(), "texts": {t: tok.encode(t).ids for t in texts}, "lost": lost})


EMPTY = normalizers.Sequence([])
case(["põe", "õ", "õõ né"], ["õ"], without="õ")
case(["né x", "une née", "鐘"], ["né", "Ñandú", "aĠ"])
case(["aĠb aĠ", "Ñandú!", "a b"], ["né", "Ñandú", "aĠ"])
case(["põe", "x ÿ"], ["õ", "ÿ"], without="õÿ", normalizer=EMPTY)
case(["põe"], ["õ"], without="õ", normalizer=normalizers.Sequence([EMPTY, EMPTY]))
case(["põe", "e\u0301"], ["õ"], without="õ", normalizer=normalizers.Sequence([EMPTY, normalizers.NFC()]))
case(["né", "néné"], ["né"], more=["né"])
case(["né", " né"], ["né"], more=["né"], without="é")
case(["ab é", "鐘"], ["é"], without="é", lost="鐘")  # the letter would be its first byte
case(["né", "Ġ né"], ["né"], more=["ĠÃ", "Ã©"], merges=[("Ã", "©")], whole=True)
print("[\n" + ",\n".join(json.dumps(c, ensure_ascii=False) for c in cases) + "\n]")
