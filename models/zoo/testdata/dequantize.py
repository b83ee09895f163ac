#!/usr/bin/env python3
"""Writes a model of ONNX Runtime's dynamic quantization in f32: dequantize.py IN.onnx OUT.onnx

    pip install onnx==1.23.2 numpy==2.4.6

A MatMulInteger of what a DynamicQuantizeLinear makes becomes a MatMul of what that takes,
with the weights less their zero points, and the scale of that is 1. It is the model whose
results the programs of the targets *_f32 are compared with.
"""

import sys

import onnx
from onnx import helper, numpy_helper


def dequantized(path):
    model = onnx.load(path)
    stored = {t.name: t for t in model.graph.initializer}
    made = {n.output[0]: n for n in model.graph.node if n.op_type == "DynamicQuantizeLinear"}
    nodes, weights = [], {}
    for n in model.graph.node:
        if n.op_type == "DynamicQuantizeLinear":
            nodes.append(helper.make_node("Constant", [], [n.output[1]], n.name, value_float=1.0))
        elif n.op_type == "MatMulInteger":
            w = numpy_helper.to_array(stored[n.input[1]]).astype("float32")
            w -= numpy_helper.to_array(stored[n.input[3]]).astype("float32")
            weights[n.input[1]] = numpy_helper.from_array(w, n.input[1])
            nodes.append(helper.make_node("MatMul", [made[n.input[0]].input[0], n.input[1]], list(n.output), n.name))
        elif n.op_type.startswith("QLinear") or n.op_type == "ConvInteger":
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
