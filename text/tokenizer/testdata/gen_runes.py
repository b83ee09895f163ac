"""Makes runes.json: a BPE of characters with the tokens of spm.json, and what llama.cpp makes of lines with it.

Run here: python3 gen_runes.py. Needs gguf 0.19.0, xllamacpp 2026.10.11549 and what gen_encode.py imports.

merges are all pairs of tokens whose texts make a token, the ones with the higher score first; cases are as in
encode_expect.json, of its lines.
"""
import json
import os

from gen_encode import case, peers, write_gguf


def main():
    with open("encode_expect.json", encoding="utf-8") as f:
        lines = json.load(f)["lines"]
    with open("spm.json", encoding="utf-8") as f:
        spm = json.load(f)
    tokens = {t: i for i, t in enumerate(spm["tokens"]) if spm["types"][i] in (1, 4)}
    pairs = []
    for whole, i in tokens.items():
        for at in range(1, len(whole)):
            if "\n" not in whole and whole[:at] in tokens and whole[at:] in tokens:
                pairs.append((-spm["scores"][i], i, whole[:at] + " " + whole[at:]))
    merges = [text for _, _, text in sorted(pairs)]
    cases = []
    for add in (False, True):
        write_gguf("x.gguf", "gemma4", spm["tokens"], spm["types"], spm["scores"], merges, bos_token_id=1, eos_token_id=2, unknown_token_id=0, add_bos_token=add)
        for options in ([], ["add"], ["literal"]):
            cases.append(case("-".join(["runes"] + (["bos"] if add else []) + options), peers.llama("x.gguf", lines, *options)))
    os.remove("x.gguf")
    with open("runes.json", "w", encoding="utf-8") as f:
        f.write('{"merges": ' + json.dumps(merges) + ', "cases": [\n' + ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases) + "\n]}\n")


main()
