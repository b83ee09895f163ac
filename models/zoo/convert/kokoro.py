#!/usr/bin/env python3
"""Writes the part of Kokoro that makes sound: kokoro.py MODEL.onnx SOUND.onnx

Its inputs are what the decoder makes of the text, the harmonics of the voice's source as
amplitudes and phases, and the style. It needs Python only: nodes and weights are copied as
they are stored.
"""

import sys

FRAMES = "/decoder/decoder/decode.3/Div_4_output_0"
HARMONICS = "/decoder/decoder/generator/Concat_3_output_0"
# Sizes by input: the decoder has two steps a frame, and 60 columns a step and one more.
INPUTS = {FRAMES: (1, 512, "steps"), HARMONICS: (1, 22, "columns")}

# Fields of onnx.proto.
GRAPH, NODE, INITIALIZER, INPUT, OUTPUT, VALUE_INFO = 7, 1, 5, 11, 12, 13
NODE_INPUT, NODE_OUTPUT, TENSOR_NAME, VALUE_NAME = 1, 2, 8, 1
FLOAT = 1


def varint(data, at):
    value, shift = 0, 0
    while True:
        byte = data[at]
        at, value, shift = at + 1, value | (byte & 127) << shift, shift + 7
        if byte < 128:
            return value, at


def fields(data):
    """Yields number, content and all bytes of each field; the content of bytes only."""
    at = 0
    while at < len(data):
        start = at
        key, at = varint(data, at)
        content = None
        if key & 7 == 2:
            size, at = varint(data, at)
            content, at = data[at:at + size], at + size
        elif key & 7 == 0:
            _, at = varint(data, at)
        else:
            at += {1: 8, 5: 4}[key & 7]
        yield key >> 3, content, data[start:at]


def field(number, content):
    if isinstance(content, int):
        return bytes([number << 3, content]) if content < 128 else bytes([number << 3, content & 127 | 128, content >> 7])
    size, head = len(content), bytearray([number << 3 | 2])
    while size > 127:
        head.append(size & 127 | 128)
        size >>= 7
    return bytes(head) + bytes([size]) + bytes(content)


def names(data, number):
    return [bytes(c).decode() for n, c, _ in fields(data) if n == number]


def described(name, sizes):
    """Returns a ValueInfoProto of floats."""
    dims = b"".join(field(1, field(1, d) if isinstance(d, int) else field(2, d.encode())) for d in sizes)
    return field(1, name.encode()) + field(2, field(1, field(1, FLOAT) + field(2, dims)))


def part(graph):
    """Returns a GraphProto of what is between INPUTS and the graph's outputs."""
    made, wanted = {}, []
    for number, content, _ in fields(graph):
        if number == NODE:
            made |= {name: bytes(content) for name in names(content, NODE_OUTPUT)}
        elif number == OUTPUT:
            wanted += names(content, VALUE_NAME)
    nodes, read = set(), set()
    while wanted:
        name = wanted.pop()
        if name in read or name in INPUTS:
            continue
        read.add(name)
        if name in made and made[name] not in nodes:
            nodes.add(made[name])
            wanted += names(made[name], NODE_INPUT)
    out = [field(INPUT, described(name, sizes)) for name, sizes in INPUTS.items()]
    for number, content, whole in fields(graph):
        if number == NODE and bytes(content) not in nodes:
            continue
        if number == INITIALIZER and names(content, TENSOR_NAME)[0] not in read:
            continue
        if number == INPUT and names(content, VALUE_NAME)[0] not in read:
            continue
        if number != VALUE_INFO:
            out.append(bytes(whole))
    return b"".join(out)


def main():
    model, to = sys.argv[1:]
    with open(model, "rb") as f:
        data = memoryview(f.read())
    with open(to, "wb") as out:
        for number, content, whole in fields(data):
            out.write(field(GRAPH, part(content)) if number == GRAPH else whole)


if __name__ == "__main__":
    main()
