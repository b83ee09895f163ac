"""Changes the values in a weight file and nothing else.

    alter_weights.py LISTING IN OUT

LISTING is what `skainet inspect --json IN` printed: where each tensor's bytes are.
The lowest bit of each byte of each floating-point tensor is flipped, so headers,
names, shapes and integer settings stay as they are. Prints how many bytes changed.
"""

import json
import sys


def main(listing, source, target):
    with open(listing, encoding="utf-8") as f:
        tensors = json.load(f)["tensors"]
    with open(source, "rb") as f:
        data = bytearray(f.read())
    flip = bytes(b ^ 1 for b in range(256))
    changed = 0
    for t in tensors:
        if t["dtype"].startswith(("f", "bf")):
            begin, end = t["offset"], t["offset"] + t["bytes"]
            data[begin:end] = data[begin:end].translate(flip)
            changed += t["bytes"]
    with open(target, "wb") as f:
        f.write(data)
    print(f"{changed} of {len(data)} bytes changed")


if __name__ == "__main__":
    main(*sys.argv[1:])
