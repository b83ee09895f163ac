"""Writes EfficientNet-Lite0 (Tan and Le 2019; TensorFlow's lite variants) as ONNX.

    efficientnet.py model.pth model.onnx

The file is a torch file of before version 1.6: pickles, of which only the few classes of
tensors are allowed, and then the numbers. As torch's own exporter does, batch
normalisation goes into the weights before it.
"""

import collections
import math
import pickle
import struct
import sys

from onnx_writer import Writer

EPSILON = 1e-3
SIZE = 224
# Kernel, stride and number of blocks of each stage.
STAGES = [(3, 1, 1), (3, 2, 2), (5, 2, 2), (3, 2, 3), (5, 1, 3), (5, 2, 4), (3, 1, 1)]


class _Unpickler(pickle.Unpickler):
    """Allows what a dict of tensors needs, and nothing else."""

    storages = {}

    def persistent_load(self, pid):
        _, kind, key, _, count, _ = pid
        return self.storages.setdefault(key, [kind, count, None])

    def find_class(self, module, name):
        allowed = {
            ("collections", "OrderedDict"): collections.OrderedDict,
            ("torch", "FloatStorage"): "f",
            ("torch", "LongStorage"): "q",
            ("torch._utils", "_rebuild_tensor_v2"): lambda storage, offset, size, stride, *rest: (storage, offset, size, stride),
        }
        if (module, name) not in allowed:
            raise pickle.UnpicklingError("%s.%s is not a part of a tensor" % (module, name))
        return allowed[module, name]


def load(path):
    """Gives the tensors of a file by name: sizes and numbers."""
    with open(path, "rb") as f:
        for _ in range(3):  # a magic number, the version, the machine
            _Unpickler(f).load()
        tensors = _Unpickler(f).load()
        for key in _Unpickler(f).load():
            kind, count, _ = _Unpickler.storages[key]
            if struct.unpack("<q", f.read(8))[0] != count:
                raise ValueError("storage %s has another length than it should" % key)
            width = 4 if kind == "f" else 8
            _Unpickler.storages[key][2] = struct.unpack("<%d%s" % (count, kind), f.read(width * count))
    out = {}
    for name, (storage, offset, size, stride) in tensors.items():
        places = [offset]
        for n, step in zip(size, stride):
            places = [p + i * step for p in places for i in range(n)]
        out[name] = list(size), [storage[2][p] for p in places]
    return out


class Net:
    def __init__(self, tensors, path):
        self.tensors, self.w, self.size = tensors, Writer("efficientnet_lite0"), SIZE
        self.path = path

    def conv(self, x, name, norm, kernel, stride, relu=True, depthwise=False):
        """A convolution with SAME padding, as TensorFlow pads, its batch norm and ReLU6."""
        sizes, weight = self.tensors[name + ".weight"]
        scale, shift, mean, variance = [self.tensors[norm + "." + k][1] for k in ("weight", "bias", "running_mean", "running_var")]
        factors = [s / math.sqrt(v + EPSILON) for s, v in zip(scale, variance)]
        each = len(weight) // sizes[0]
        folded = [weight[o * each + i] * f for o, f in enumerate(factors) for i in range(each)]
        bias = [b - m * f for b, m, f in zip(shift, mean, factors)]
        out = -(-self.size // stride)
        pad = max((out - 1) * stride + kernel - self.size, 0)
        self.size = out
        self.w.tensor(name + ".weight", "f", sizes, folded)
        self.w.tensor(name + ".bias", "f", [sizes[0]], bias)
        before, after = pad // 2, pad - pad // 2
        x = self.w.node("Conv", [x, name + ".weight", name + ".bias"], group=sizes[0] if depthwise else 1, kernel_shape=[kernel, kernel],
                        pads=[before, before, after, after], strides=[stride, stride])
        return self.w.node("Clip", [x, "zero", "six"]) if relu else x

    def build(self):
        w = self.w
        w.tensor("zero", "f", [], [0.0])
        w.tensor("six", "f", [], [6.0])
        x = self.conv(w.input("image", [1, 3, SIZE, SIZE]), "_conv_stem", "_bn0", 3, 2)
        n = 0
        for stage, (kernel, stride, blocks) in enumerate(STAGES):
            for block in range(blocks):
                at, kept = "_blocks.%d." % n, x
                if stage:
                    x = self.conv(x, at + "_expand_conv", at + "_bn0", 1, 1)
                x = self.conv(x, at + "_depthwise_conv", at + "_bn1", kernel, stride if block == 0 else 1, depthwise=True)
                x = self.conv(x, at + "_project_conv", at + "_bn2", 1, 1, relu=False)
                if block:
                    x = w.node("Add", [x, kept])
                n += 1
        x = self.conv(x, "_conv_head", "_bn1", 1, 1)
        x = w.node("Flatten", [w.node("GlobalAveragePool", [x])])
        for part in ("weight", "bias"):
            w.tensor("_fc." + part, "f", *self.tensors["_fc." + part])
        x = w.node("Gemm", [x, "_fc.weight", "_fc.bias"], transB=1)
        w.named("Softmax", [x], ["probabilities"], axis=1)
        w.output("probabilities", [1, 1000])
        w.write(self.path)


if __name__ == "__main__":
    Net(load(sys.argv[1]), sys.argv[2]).build()
