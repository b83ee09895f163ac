#!/usr/bin/env python3
"""Writes a model of ONNX Runtime's dynamic quantization in f32: dequantize.py IN.onnx OUT.onnx

    pip install onnx==1.23.2 numpy==2.4.6

A MatMulInteger or ConvInteger of what a DynamicQuantizeLinear makes becomes a MatMul or Conv
of what that takes, with the weights less their zero points, and the scale of that is 1. A bias
that is added to such a sum is not rounded. A DynamicQuantizeLSTM becomes an LSTM. It is the
model with whose results those of programs in f32 are compared.
"""

import sys

import numpy
import onnx
from onnx import helper, numpy_helper


def lstm(n, stored):
    """Returns the LSTM of a DynamicQuantizeLSTM, and its weights by name."""
    args, weights = list(n.input) + [""] * (12 - len(n.input)), {}
    for i, scale, zero in (1, 8, 9), (2, 10, 11):  # [directions, in, 4 hidden]
        w, scale, zero = (numpy_helper.to_array(stored[args[k]]).astype("float32") for k in (i, scale, zero))
        along = lambda a: a.reshape(a.shape[0], 1, -1)
        # LSTM has them the other way round.
        w = numpy.ascontiguousarray(((w - along(zero)) * along(scale)).transpose(0, 2, 1))
        weights[args[i]] = numpy_helper.from_array(w, args[i])
    node = helper.make_node("LSTM", args[:8], list(n.output), n.name)
    node.attribute.extend(n.attribute)
    return node, weights


def keep_biases(graph, made):
    """Adds biases to sums of integers as they were before they were rounded down."""
    for n in graph.node:
        if n.op_type != "Add" or not any(i in made and made[i].op_type.endswith("Integer") for i in n.input):
            continue
        for i, name in enumerate(n.input):
            reader, at, cast = n, i, made.get(name)
            if cast is not None and cast.op_type == "Reshape":
                reader, at, cast = cast, 0, made.get(cast.input[0])
            if cast is not None and cast.op_type == "Cast" and made[cast.input[0]].op_type == "Floor":
                reader.input[at] = made[cast.input[0]].input[0]


def dequantized(path):
    model = onnx.load(path)
    stored = {t.name: t for t in model.graph.initializer}
    made = {o: n for n in model.graph.node for o in n.output}
    keep_biases(model.graph, made)
    nodes, weights = [], {}
    for n in model.graph.node:
        if n.op_type == "DynamicQuantizeLinear":
            one = numpy_helper.from_array(numpy.float32(1))  # value_float is of opset 12
            nodes.append(helper.make_node("Constant", [], [n.output[1]], n.name, value=one))
        elif n.op_type in ("MatMulInteger", "ConvInteger"):
            w = numpy_helper.to_array(stored[n.input[1]]).astype("float32")
            w -= numpy_helper.to_array(stored[n.input[3]]).astype("float32")
            weights[n.input[1]] = numpy_helper.from_array(w, n.input[1])
            nodes.append(helper.make_node(n.op_type.removesuffix("Integer"), [made[n.input[0]].input[0], n.input[1]], list(n.output), n.name))
            nodes[-1].attribute.extend(n.attribute)
        elif n.op_type == "DynamicQuantizeLSTM":
            node, more = lstm(n, stored)
            nodes.append(node)
            weights |= more
        elif n.op_type.startswith(("QLinear", "DynamicQuantize")) or n.op_type == "QAttention":
            sys.exit("%s: %s %s is not known here" % (path, n.op_type, n.name))
        else:
            nodes.append(n)
    read = {name for n in nodes for name in n.input}
    rest = [weights.get(t.name, t) for t in model.graph.initializer if t.name in read]
    del model.graph.node[:], model.graph.initializer[:], model.graph.value_info[:]
    model.graph.node.extend(nodes)
    model.graph.initializer.extend(rest)
    return model.SerializeToString()


if __name__ == "__main__":
    with open(sys.argv[2], "wb") as out:
        out.write(dequantized(sys.argv[1]))
