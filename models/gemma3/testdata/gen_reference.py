"""Makes reference.json: what two other implementations give for Gemma 3 270M, or for
SmolLM2 135M (models/llama).

    gen_reference.py gemma-3-270m-q4_k_m.gguf gemma-3-270m-f32.gguf reference.json

The first file is the one that the tests run, the second the same weights as f32
(skainet convert --dtype "*=f32", or llama.cpp's quantize with ALL_F32).

* logits: a forward pass in NumPy, in f32 with norms in f64, over weights that
  gguf-py unpacked; at the positions named, the largest eight and every 512th.
* greedy: 64 tokens by the same with a cache of keys and values in f32, and by
  llama.cpp (xllamacpp) on the f32 file. Prompts are kept where no step's two best
  logits are closer than MARGIN, which is more than the rounding of a cache in f16
  changes them; the least of these differences is in the file.
* ids of the texts are llama.cpp's.

The versions that made the file are in it.
"""
import importlib.metadata
import json
import sys
import urllib.request

import numpy as np
import xllamacpp
from gguf import GGUFReader, quants

MARGIN = 0.02
POSITIONS = [1, 6, 511, 512, 513, 1024]
STRIDE = 512
TOKENS = 64

PROMPTS = {
    "English": "The capital of France is",
    "story": "Once upon a time, in a small village by the sea, there lived",
    "Go": "package main\n\nimport \"fmt\"\n\nfunc main() {\n",
    "Python": "def fibonacci(n):\n    if n < 2:\n        return n\n",
    "SQL": "SELECT name, age FROM users WHERE",
    "Chinese": "中国的首都是北京。北京是",
    "Chinese 2": "人工智能是",
    "Japanese": "日本の首都は東京です。東京は",
    "Japanese 2": "昔々あるところに、",
    "Arabic": "عاصمة مصر هي القاهرة، وهي",
    "Arabic 2": "اللغة العربية هي",
    "Hindi": "भारत की राजधानी नई दिल्ली है।",
    "Hindi 2": "सूर्य हमारे सौर मंडल",
    "maths": "1 + 1 = 2\n2 + 2 = 4\n3 + 3 = 6\n4 + 4 =",
    "maths 2": "Theorem. The square root of 2 is irrational. Proof. Suppose that",
    "Russian": "Столица России — Москва. Москва —",
    "German": "Die Hauptstadt von Deutschland ist",
    "list": "Monday, Tuesday, Wednesday,",
}

# Article 1 of the Universal Declaration of Human Rights (United Nations, 1948), in
# languages of many scripts, and some code.
TEXT = """All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience and should act towards one another in a spirit of brotherhood.
Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de conscience et doivent agir les uns envers les autres dans un esprit de fraternité.
Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt und sollen einander im Geist der Brüderlichkeit begegnen.
Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como están de razón y conciencia, deben comportarse fraternalmente los unos con los otros.
Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и должны поступать в отношении друг друга в духе братства.
人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心,并应以兄弟关系的精神相对待。
すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられており、互いに同胞の精神をもって行動しなければならない。
يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق. وقد وهبوا عقلاً وضميرًا وعليهم أن يعامل بعضهم بعضًا بروح الإخاء.
सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। उन्हें बुद्धि और अन्तरात्मा की देन प्राप्त है और परस्पर उन्हें भाईचारे के भाव से बर्ताव करना चाहिए।
모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았으며 서로 형제애의 정신으로 행동하여야 한다.
Tutti gli esseri umani nascono liberi ed eguali in dignità e diritti. Essi sono dotati di ragione e di coscienza e devono agire gli uni verso gli altri in spirito di fratellanza.
Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler ve birbirlerine karşı kardeşlik zihniyeti ile hareket etmelidirler.
Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα. Είναι προικισμένοι με λογική και συνείδηση, και οφείλουν να συμπεριφέρονται μεταξύ τους με πνεύμα αδελφοσύνης.
Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi. Mọi con người đều được tạo hóa ban cho lý trí và lương tâm và cần phải đối xử với nhau trong tình bằng hữu.
Watu wote wamezaliwa huru, hadhi na haki zao ni sawa. Wote wamejaliwa akili na dhamiri, hivyo yapasa watendeane kindugu.

package main

import (
	"fmt"
	"os"
	"sort"
)

// count prints the words of its arguments, the most frequent ones first.
func count(words []string) map[string]int {
	seen := map[string]int{}
	for _, w := range words {
		seen[w]++
	}
	return seen
}

func main() {
	seen := count(os.Args[1:])
	keys := make([]string, 0, len(seen))
	for k := range seen {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return seen[keys[i]] > seen[keys[j]] })
	for i, k := range keys {
		fmt.Printf("%d. %s: %d\\n", i+1, k, seen[k])
	}
}

def quicksort(items):
    if len(items) <= 1:
        return items
    pivot, rest = items[0], items[1:]
    left = [x for x in rest if x < pivot]
    right = [x for x in rest if x >= pivot]
    return quicksort(left) + [pivot] + quicksort(right)

The sum of the first n odd numbers is n squared: 1 = 1, 1 + 3 = 4, 1 + 3 + 5 = 9, 1 + 3 + 5 + 7 = 16, and so on. To see why, draw a square of dots and take away its last row and its last column: what is left is the next smaller square.
"""


class Model:
    """Gemma 3, or a model of the Llama architecture."""

    def __init__(self, path):
        reader = GGUFReader(path)
        kv = {k: f.contents() for k, f in reader.fields.items() if not k.startswith("tokenizer.")}
        arch = kv["general.architecture"]
        self.gemma = {"gemma3": True, "llama": False}[arch]
        self.w = {t.name: quants.dequantize(t.data, t.tensor_type).astype(np.float32) for t in reader.tensors}
        get = lambda k, *other: kv.get(arch + "." + k, *other)
        self.layers, self.width = get("block_count"), get("embedding_length")
        self.heads, self.groups = get("attention.head_count"), get("attention.head_count_kv")
        self.size = get("attention.key_length", self.width // self.heads)
        self.epsilon, self.window = get("attention.layer_norm_rms_epsilon"), get("attention.sliding_window")
        self.base = get("rope.freq_base")
        self.end = reader.fields["tokenizer.ggml.eos_token_id"].contents()

    def norm(self, x, w):
        return x / np.sqrt((x.astype(np.float64) ** 2).mean(-1, keepdims=True) + self.epsilon).astype(np.float32) * w

    def turn(self, x, at, base):
        half = self.size // 2
        angle = at[:, None] * (base ** (-np.arange(0, self.size, 2) / self.size))[None]
        c, s = np.cos(angle)[:, None].astype("f4"), np.sin(angle)[:, None].astype("f4")
        if not self.gemma:  # pairs are neighbours
            a, b = x[..., 0::2], x[..., 1::2]
            return np.stack([a * c - b * s, b * c + a * s], -1).reshape(x.shape)
        a, b = x[..., :half], x[..., half:]
        return np.concatenate([a * c - b * s, b * c + a * s], -1)

    def activation(self, x):
        if self.gemma:
            return 0.5 * x * (1 + np.tanh(np.float32(0.7978845608028654) * (x + np.float32(0.044715) * x**3)))
        return x / (1 + np.exp(-x))

    def hidden(self, texts):
        """The residual stream of all new tokens, for each text: a text is a dict of
        its new tokens (new), how many came before (at), and their keys and values."""
        count = [len(t["new"]) for t in texts]
        parts = lambda x: np.split(x, np.cumsum(count)[:-1])
        at = np.concatenate([np.arange(t["at"], t["at"] + len(t["new"])) for t in texts])
        x = self.w["token_embd.weight"][sum((t["new"] for t in texts), [])]
        if self.gemma:
            x = x * np.float32(np.sqrt(self.width))
        for i in range(self.layers):
            w = lambda s: self.w[f"blk.{i}.{s}.weight"]
            everywhere = not self.gemma or (i + 1) % 6 == 0
            base = self.base if everywhere else 10000.0
            h = self.norm(x, w("attn_norm"))
            q = (h @ w("attn_q").T).reshape(len(h), self.heads, self.size)
            k = (h @ w("attn_k").T).reshape(len(h), self.groups, self.size)
            v = (h @ w("attn_v").T).reshape(len(h), self.groups, self.size)
            if self.gemma:
                q, k = self.norm(q, w("attn_q_norm")), self.norm(k, w("attn_k_norm"))
            q, k = self.turn(q, at, base), self.turn(k, at, base)
            o = [self.attend(t, i, everywhere, *new) for t, *new in zip(texts, parts(q), parts(k), parts(v))]
            o = np.concatenate(o) @ w("attn_output").T
            x = x + (self.norm(o, w("post_attention_norm")) if self.gemma else o)
            h = self.norm(x, w("ffn_norm"))
            g = (self.activation(h @ w("ffn_gate").T) * (h @ w("ffn_up").T)) @ w("ffn_down").T
            x = x + (self.norm(g, w("post_ffw_norm")) if self.gemma else g)
        for t in texts:
            t["at"] += len(t["new"])
        return parts(x)

    def attend(self, text, i, everywhere, q, k, v):
        if i in text["cache"]:
            old = text["cache"][i]
            k, v = np.concatenate([old[0], k]), np.concatenate([old[1], v])
        text["cache"][i] = k, v
        k, v = np.repeat(k, self.heads // self.groups, 1), np.repeat(v, self.heads // self.groups, 1)
        past, at = np.arange(len(k)), np.arange(text["at"], len(k))
        s = np.einsum("qhd,khd->hqk", q, k, optimize=True) / np.float32(np.sqrt(self.size))
        hidden = past[None, :] > at[:, None]
        if not everywhere:
            hidden |= at[:, None] - past[None, :] >= self.window
        s = np.where(hidden[None], np.float32(-np.inf), s)
        s = np.exp(s - s.max(-1, keepdims=True))
        s /= s.sum(-1, keepdims=True)
        return np.einsum("hqk,khd->qhd", s, v, optimize=True).reshape(len(q), -1)

    def logits(self, x):
        return self.norm(x, self.w["output_norm.weight"]) @ self.w["token_embd.weight"].T

    def greedy(self, prompts, count):
        """For each prompt the likeliest tokens, and at each of them the difference
        between the two largest logits."""
        texts = [{"new": p, "at": 0, "cache": {}, "out": [], "margin": []} for p in prompts]
        for _ in range(count):
            rows = self.logits(np.stack([x[-1] for x in self.hidden(texts)]))
            for t, row in zip(texts, rows):
                best = np.argpartition(-row, 2)[:2]
                a, b = sorted(best, key=lambda j: -row[j])
                t["new"] = [int(a)]
                t["out"].append(int(a))
                t["margin"].append(float(row[a] - row[b]))
        return texts


def server(path):
    p = xllamacpp.CommonParams()
    p.model.path = path
    p.n_ctx, p.n_parallel, p.warmup = 2048, 1, False
    p.cpuparams.n_threads = p.cpuparams_batch.n_threads = 2
    return xllamacpp.Server(p)


def post(llama, path, what):
    request = urllib.request.Request(llama.listening_address + path, json.dumps(what).encode(), {"Content-Type": "application/json"})
    return json.load(urllib.request.urlopen(request))


def tokenize(llama, text):
    return post(llama, "/tokenize", {"content": text, "add_special": True})["tokens"]


def llama_greedy(llama, ids):
    return post(llama, "/completion", {
        "prompt": ids, "n_predict": TOKENS, "temperature": 0, "top_k": 1, "cache_prompt": False,
        "return_tokens": True, "ignore_eos": True,
    })["tokens"]


def main():
    model, dense, out = sys.argv[1:]
    llama = server(dense)
    network = Model(model)

    ids = tokenize(llama, TEXT)[: POSITIONS[-1] + 1]
    assert len(ids) == POSITIONS[-1] + 1, len(ids)
    rows = network.logits(network.hidden([{"new": ids, "at": 0, "cache": {}}])[0][POSITIONS])
    logits = []
    for at, row in zip(POSITIONS, rows):
        top = np.argsort(-row)[:8]
        logits.append({
            "position": at,
            "top": [[int(i), round(float(row[i]), 5)] for i in top],
            "every": [round(float(v), 5) for v in row[::STRIDE]],
        })

    greedy = []
    prompts = [tokenize(llama, text) for text in PROMPTS.values()]
    for (name, text), prompt, t in zip(PROMPTS.items(), prompts, network.greedy(prompts, TOKENS)):
        tokens, margin = t["out"], min(t["margin"])
        sure = next((i for i, m in enumerate(t["margin"]) if m <= MARGIN), TOKENS)
        kept = margin > MARGIN and network.end not in tokens
        line = f"{name}: least difference {margin:.4f}, sure for {sure}, end of text at {tokens.index(network.end) if network.end in tokens else None}"
        if kept or name == "English":
            other = llama_greedy(llama, prompt)
            same = next((i for i, (a, b) in enumerate(zip(tokens, other)) if a != b), TOKENS)
            line += f", llama.cpp equal for {same}"
            if kept:
                assert same == TOKENS, (name, tokens, other)
                greedy.append({"name": name, "text": text, "prompt": prompt, "tokens": tokens, "margin": round(margin, 4)})
        print(line, flush=True)

    json.dump({
        "origin": "NumPy %s over weights unpacked by gguf %s, f32; greedy tokens also by xllamacpp %s on the f32 file"
        % tuple(importlib.metadata.version(p) for p in ("numpy", "gguf", "xllamacpp")),
        "stride": STRIDE, "ids": ids, "logits": logits, "greedy": greedy,
    }, open(out, "w"), ensure_ascii=False, separators=(",", ":"))


main()
