"""Makes tiny.json, tiny_expect.json, and real_decode.json.

Run here: python3 gen_tokenizer.py TINY_EN_TOKENIZER_JSON BASE_TOKENIZER_JSON
(needs the Hugging Face package tokenizers 0.21)

tiny.json         a byte-level BPE of our own, trained on the few lines below
tiny_expect.json  what `tokenizers` decodes with it: ids, text, text with specials
real_decode.json  the same for the tokenizers of Systran/faster-whisper-tiny.en and
                  -base (MIT), ids and texts only; the vocabularies are not here
"""
import json
import random
import sys

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

LINES = [
    "And so my fellow Americans, ask not what your country can do for you.",
    " leading space, trailing space ",
    "tabs\tand\nnew lines\r\n\n",
    "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich.",
    "Voix ambiguë d'un cœur qui, au zéphyr, préfère les jattes de kiwis.",
    "El pingüino Wenceslao hizo kilómetros bajo exhaustiva lluvia.",
    "Pchnąć w tę łódź jeża lub ośm skrzyń fig.",
    "Příliš žluťoučký kůň úpěl ďábelské ódy.",
    "Съешь же ещё этих мягких французских булок, да выпей чаю.",
    "Жебракують філософи при ґанку церкви в Гадячі.",
    "Ξεσκεπάζω τὴν ψυχοφθόρα βδελυγμία.",
    "דג סקרן שט בים מאוכזב ולפתע מצא חברה.",
    "نص حكيم له سر قاطع وذو شأن عظيم.",
    "یک متن آزمایشی به زبان فارسی است.",
    "ऋषियों को सताने वाले दुष्ट राक्षसों के राजा रावण।",
    "আমি বাংলায় গান গাই।",
    "நான் தமிழ் பேசுகிறேன்.",
    "నేను తెలుగు మాట్లాడతాను.",
    "ข้าพเจ้ารักภาษาไทยมาก",
    "ພາສາລາວສວຍງາມ",
    "မြန်မာဘာသာစကား",
    "ქართული ენა უძველესია.",
    "Հայերեն լեզուն հին է։",
    "አማርኛ ቋንቋ ነው።",
    "いろはにほへと ちりぬるを。カタカナも漢字も。",
    "天地玄黃,宇宙洪荒。日月盈昃,辰宿列張。",
    "简体中文测试：今天天气很好！",
    "키스의 고유조건은 입술끼리 만나야 한다.",
    "Chữ quốc ngữ: tiếng Việt có nhiều dấu thanh.",
    "Türkçe: pijamalı hasta yağız şoföre çabucak güvendi.",
    "emoji: 😀 👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇺🇦 end",
    "math: ∑∫√≈≠ 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𝛼𝛽 x²",
    "music 𝄞 and old 𐍈𐌰 and 𓀀 and 𠜎",
    "combining: e\u0301 a\u0308 \u1e9e \ufb01",
    "quotes “double” ‘single’ «guillemets» — dash … dots",
    "zero\u200bwidth\u200djoiner\ufefftail",
    "numbers 0123456789 3.14159 1,000,000 ½ ⅓ Ⅷ",
    "code: for (int i = 0; i < n; ++i) { a[i] += b[i]; } // done",
    "<|not a special|> but <text> & more",
    "~!@#$%^&*()_+`-={}|[]\\:\";'<>?,./",
    "ALL CAPS AND MiXeD cAsE",
]
SPECIALS = ["<|endoftext|>", "<|startoftranscript|>", "<|en|>", "<|de|>", "<|translate|>", "<|transcribe|>",
            "<|startoflm|>", "<|startofprev|>", "<|nocaptions|>", "<|notimestamps|>"]


def cases(tok, seed):
    rnd = random.Random(seed)
    n = tok.get_vocab_size()
    seqs = [tok.encode(line, add_special_tokens=False).ids for line in LINES]
    s = tok.token_to_id("<|startoftranscript|>")
    e = tok.token_to_id("<|endoftext|>")
    seqs.append([s, tok.token_to_id("<|notimestamps|>")] + seqs[0] + [e])
    # Characters cut in two, put together wrongly, and interrupted by a special token.
    for line in (30, 31, 32, 24):
        ids = seqs[line]
        seqs += [ids[:k] for k in range(2, 8)] + [ids[k:] for k in (1, 2, 3)]
        seqs.append([i for k in ids for i in (k, e)])
        seqs.append(list(reversed(ids)))
    for _ in range(25):
        seqs.append([rnd.randrange(n) for _ in range(rnd.randrange(1, 12))])
        seqs.append([rnd.randrange(256) for _ in range(rnd.randrange(1, 12))])
    seqs += [[], [e]]
    return [{"ids": i, "text": tok.decode(i), "all": tok.decode(i, skip_special_tokens=False)} for i in seqs]


def dump(name, value):
    with open(name, "w", encoding="utf-8") as f:
        f.write("[\n" + ",\n".join(json.dumps(v, ensure_ascii=True, separators=(",", ":")) for v in value) + "\n]\n")


tok = Tokenizer(models.BPE())
tok.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
tok.decoder = decoders.ByteLevel()
tok.train_from_iterator(LINES, trainers.BpeTrainer(
    vocab_size=600, show_progress=False, initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet())))
tok.add_special_tokens(SPECIALS)
tok.save("tiny.json", pretty=False)
dump("tiny_expect.json", cases(tok, 1))
dump("real_decode.json", [
    {"model": model, **c}
    for model, path in (("tiny.en", sys.argv[1]), ("base", sys.argv[2]))
    for c in cases(Tokenizer.from_file(path), 2)
])
