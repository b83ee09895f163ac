"""Writes long.json: the tokens of a text of 300 words as sentence-transformers cuts it.

    pip install tokenizers==0.23.3
    python3 gen_long.py TOKENIZER_JSON SENTENCE_BERT_CONFIG_JSON > long.json

Both files are all-MiniLM-L6-v2's. sentence-transformers gives the tokenizer the
max_seq_length of the configuration, in place of the length in tokenizer.json.
"""
import json
import sys

from tokenizers import Tokenizer

WORDS = "the quick brown fox jumps over a lazy dog while seven wizards brew potent elixirs beneath unquenchable moonlight".split()
text = " ".join(WORDS[i * i % len(WORDS)] for i in range(300))
tok = Tokenizer.from_file(sys.argv[1])
tok.no_padding()
with open(sys.argv[2], encoding="utf-8") as f:
    tok.enable_truncation(json.load(f)["max_seq_length"])
cut = tok.encode(text).ids
tok.no_truncation()
print(json.dumps({"text": text, "ids": cut, "all": len(tok.encode(text).ids)}))
