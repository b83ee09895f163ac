"""Records what llama.cpp computes for SmolLM2 135M.

    skainet convert --dtype "*=f32" SmolLM2-135M-Instruct.Q4_1.gguf -o f32.gguf
    record.py f32.gguf smollm2_135m.npz

On the file itself llama.cpp would round what weights are multiplied by to 8 bits. It needs
what test/families/record.py needs, and NumPy. Logits are written with 12 bits of mantissa,
so that the file is small: that is 2e-3 of one of 20.
"""

import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../test/families"))
import record  # noqa: E402

PROMPT = [23428, 1462, 28, 1850, 18451, 3629, 28531]  # SELECT name, age FROM users WHERE
NEXT = 4492


def coarse(row):
    bits = np.array([row], np.float32).view(np.uint32)
    return ((bits.astype(np.uint64) + 0x400) & 0xFFFFF800).astype(np.uint32).view(np.float32)


def main():
    path, out = sys.argv[1:]
    m = record.Model(path)
    np.savez_compressed(out, **{
        "tokens": np.array(PROMPT, np.int32),
        "start": np.array(0, np.int32),
        "logits": coarse(m.logits(PROMPT, 0)[-1]),
        "token#1": np.array([NEXT], np.int32),
        "logits#1": coarse(m.logits([NEXT], len(PROMPT))[0]),
    })


if __name__ == "__main__":
    main()
