"""Writes ONNX files with nothing but Python's own library, for the converters here."""

import struct

_TYPES = {"f": (1, "<%df"), "q": (7, "<%dq")}


def _varint(n):
    n &= (1 << 64) - 1
    out = bytearray()
    while True:
        out.append(n & 0x7F | (0x80 if n > 0x7F else 0))
        n >>= 7
        if not n:
            return bytes(out)


def _field(number, value):
    """A field of a protocol buffer: an int, a float, a str or bytes."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    if isinstance(value, float):
        return _varint(number << 3 | 5) + struct.pack("<f", value)
    if isinstance(value, str):
        value = value.encode()
    return _varint(number << 3 | 2) + _varint(len(value)) + value


def _attribute(name, value):
    out = _field(1, name)
    if isinstance(value, int):
        return out + _field(3, value) + _field(20, 2)
    if isinstance(value, float):
        return out + _field(2, value) + _field(20, 1)
    if isinstance(value, str):
        return out + _field(4, value) + _field(20, 3)
    return out + b"".join(_field(8, v) for v in value) + _field(20, 7)


def _value(name, sizes):
    shape = b"".join(_field(1, _field(1, n)) for n in sizes)
    return _field(1, name) + _field(2, _field(1, _field(1, 1) + _field(2, shape)))


class Writer:
    """A graph of f32 tensors."""

    def __init__(self, name, opset=13):
        self.name, self.opset, self.body, self.tensors, self.count = name, opset, [], [], 0
        self.ends = []

    def input(self, name, sizes):
        self.ends.append((11, name, sizes))
        return name

    def output(self, name, sizes):
        self.ends.append((12, name, sizes))

    def tensor(self, name, code, sizes, values):
        """Adds a stored tensor: code is f for floats or q for 64-bit integers."""
        kind, form = _TYPES[code]
        raw = struct.pack(form % len(values), *values)
        self.tensors.append(b"".join(_field(1, n) for n in sizes) + _field(2, kind) + _field(8, name) + _field(9, raw))
        return name

    def node(self, op, inputs, outputs=1, **attributes):
        """Adds a node and gives its output's name, or those of several."""
        self.count += 1
        names = ["%s_%d" % (op.lower(), self.count)] if outputs == 1 else ["%s_%d_%d" % (op.lower(), self.count, i) for i in range(outputs)]
        return self.named(op, inputs, names, **attributes)

    def named(self, op, inputs, names, **attributes):
        self.body.append(b"".join(_field(1, i) for i in inputs) + b"".join(_field(2, o) for o in names) + _field(3, names[0]) + _field(4, op)
                         + b"".join(_field(5, _attribute(k, v)) for k, v in sorted(attributes.items())))
        return names[0] if len(names) == 1 else names

    def write(self, path):
        graph = b"".join(_field(1, n) for n in self.body) + _field(2, self.name) + b"".join(_field(5, t) for t in self.tensors)
        graph += b"".join(_field(number, _value(name, sizes)) for number, name, sizes in self.ends)
        with open(path, "wb") as f:
            f.write(_field(1, 8) + _field(2, "skainet-zoo") + _field(7, graph) + _field(8, _field(1, "") + _field(2, self.opset)))
