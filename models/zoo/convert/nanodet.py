"""Writes NanoDet (RangiLyu), kept as a graph of TensorFlow.js, as ONNX.

    nanodet.py model.json model.bin model.onnx

The graph once was ONNX: TensorFlow has its channels last, so each of its convolutions
stands between two transpositions and behind a padding. Here they are again what they were.
Every operation of the file is a row of OPS; another one is an error.
"""

import base64
import json
import struct
import sys

from onnx_writer import Writer

TO_LAST, TO_FIRST = [0, 2, 3, 1], [0, 3, 1, 2]
CHANNELS = 128  # of the pyramid, whose levels are scaled


class Value:
    """A tensor: its name in ONNX, where channels come first; or numbers that are known."""

    def __init__(self, name=None, last=False, pads=(0, 0, 0, 0), numbers=None, sizes=None):
        self.name, self.last, self.pads, self.numbers, self.sizes = name, last, pads, numbers, sizes


def weights(manifest, path):
    """Gives the stored tensors; f32 ones are stored as f16."""
    with open(path, "rb") as f:
        data = f.read()
    out, at = {}, 0
    for w in manifest[0]["weights"]:
        count = 1
        for n in w["shape"]:
            count *= n
        code = {"float16": "e", None: {"float32": "f", "int32": "i"}[w["dtype"]]}[w.get("quantization", {}).get("dtype")]
        numbers = struct.unpack_from("<%d%s" % (count, code), data, at)
        at += struct.calcsize(code) * count
        out[w["name"]] = Value(numbers=list(numbers), sizes=w["shape"])
    if at != len(data):
        raise ValueError("%d bytes of weights are left" % (len(data) - at))
    return out


class Converter:
    def __init__(self, nodes, values):
        self.nodes, self.values, self.w = nodes, values, Writer("nanodet", opset=13)

    def ints(self, attribute):
        return [int(n) for n in attribute["list"]["i"]]

    def plain(self, v):
        """The name of a tensor with channels first and no padding to come."""
        if v.last or any(v.pads) or v.name is None:
            raise ValueError("%s is used before its channels are first again" % v.name)
        return v.name

    def transpose(self, node, x, perm):
        if perm.numbers in (TO_LAST, TO_FIRST):
            last = perm.numbers == TO_LAST
            if x.last == last:
                raise ValueError("%s is transposed twice" % node["name"])
            return Value(x.name, last, x.pads)
        return Value(self.w.node("Transpose", [self.plain(x)], perm=perm.numbers))

    def pad(self, node, x, paddings, fill=None):
        if fill and fill.numbers[0] > -1e30 or any(paddings.numbers[:4]):
            raise ValueError("%s is no padding of a convolution" % node["name"])
        top, bottom, left, right = paddings.numbers[4:]
        return Value(self.plain(x), pads=(top, left, bottom, right))

    def conv(self, node, x, kernel):
        h, w, i, o = kernel.sizes
        turned = [kernel.numbers[((a * w + b) * i + c) * o + d] for d in range(o) for c in range(i) for a in range(h) for b in range(w)]
        name = self.w.tensor(node["name"] + "/weight", "f", [o, i, h, w], turned)
        if not x.last or self.ints(node["attr"]["dilations"]) != [1, 1, 1, 1] or base64.b64decode(node["attr"]["padding"]["s"]) != b"VALID":
            raise ValueError("%s is another convolution" % node["name"])
        stride = self.ints(node["attr"]["strides"])[1:3]
        out = Value(None, True)
        out.conv = [x.name, name], dict(kernel_shape=[h, w], pads=list(x.pads), strides=stride)
        return out

    def add(self, node, x, y):
        if x.numbers is not None and y.numbers is not None:
            return Value(numbers=[a + b for a, b in zip(x.numbers, y.numbers)], sizes=x.sizes)
        if y.numbers is not None:  # the bias of a convolution
            inputs, attributes = x.conv
            bias = self.w.tensor(node["name"] + "/bias", "f", [len(y.numbers)], y.numbers)
            return Value(self.w.node("Conv", inputs + [bias], **attributes), True)
        return Value(self.w.node("Add", [self.plain(x), self.plain(y)]))

    def pool(self, node, x):
        return Value(self.w.node("MaxPool", [x.name], kernel_shape=self.ints(node["attr"]["ksize"])[1:3], pads=list(x.pads),
                                 strides=self.ints(node["attr"]["strides"])[1:3]), True)

    def resize(self, node, x, sizes):
        if not node["attr"]["half_pixel_centers"]["b"]:
            raise ValueError("%s is another interpolation" % node["name"])
        to = self.w.tensor(node["name"] + "/sizes", "q", [4], [1, CHANNELS] + sizes.numbers)
        return Value(self.w.node("Resize", [x.name, "", "", to], coordinate_transformation_mode="half_pixel", mode="linear"), True)

    def dense(self, node, indices, shape, values, fill):
        numbers = fill.numbers * shape.numbers[0]
        for at, v in zip(indices.numbers, values.numbers):
            numbers[at] = v
        return Value(numbers=numbers, sizes=shape.numbers)

    def split(self, node, x, sizes, axis):
        parts = self.w.tensor(node["name"] + "/sizes", "q", [len(sizes.numbers)], sizes.numbers)
        return [Value(n) for n in self.w.node("Split", [self.plain(x), parts], len(sizes.numbers), axis=axis.numbers[0])]

    def reshape(self, node, x, sizes):
        name = self.w.tensor(node["name"] + "/sizes", "q", [len(sizes.numbers)], sizes.numbers)
        return Value(self.w.node("Reshape", [self.plain(x), name]))

    def concat(self, node, *list):
        return Value(self.w.node("Concat", [self.plain(v) for v in list[:-1]], axis=list[-1].numbers[0]))

    OPS = {
        "Transpose": transpose, "Pad": pad, "PadV2": pad, "Conv2D": conv, "Add": add, "AddV2": add, "MaxPool": pool, "ResizeBilinear": resize,
        "SparseToDense": dense, "SplitV": split, "Reshape": reshape, "ConcatV2": concat,
        "LeakyRelu": lambda self, node, x: Value(self.w.node("LeakyRelu", [self.plain(x)], alpha=float(node["attr"]["alpha"]["f"]))),
        "Sigmoid": lambda self, node, x: Value(self.w.node("Sigmoid", [self.plain(x)])),
        "Identity": lambda self, node, x: x,
    }

    def write(self, signature, path):
        (name, entry), = signature["inputs"].items()
        size = [int(d["size"]) for d in entry["tensorShape"]["dim"]]
        self.values[name.split(":")[0]] = Value(self.w.input("image", size))
        for node in self.nodes:
            if node["op"] in ("Const", "Placeholder"):
                continue
            inputs = []
            for i in node.get("input", []):
                source, _, port = i.partition(":")
                v = self.values[source]
                inputs.append(v[int(port or 0)] if isinstance(v, list) else v)
            self.values[node["name"]] = self.OPS[node["op"]](self, node, *inputs)
        for n, (stride, kind) in enumerate([(s, k) for k in ("scores", "distances") for s in (8, 16, 32)]):
            v = self.values["Identity_%d" % n if n else "Identity"]
            dims = signature["outputs"]["Identity_%d:0" % n if n else "Identity:0"]["tensorShape"]["dim"]
            self.w.named("Identity", [self.plain(v)], ["%s_%d" % (kind, stride)])
            self.w.output("%s_%d" % (kind, stride), [int(d["size"]) for d in dims])
        self.w.write(path)


if __name__ == "__main__":
    with open(sys.argv[1]) as f:
        model = json.load(f)
    Converter(model["modelTopology"]["node"], weights(model["weightsManifest"], sys.argv[2])).write(model["signature"], sys.argv[3])
