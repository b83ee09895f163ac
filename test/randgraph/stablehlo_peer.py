"""The StableHLO reference interpreter, from jaxlib, as a peer of package randgraph.

Reads a JSON object a line: {"text": a module with a function main, "args":
[{"dtype": "f32", "shape": [2, 3], "data": base64 of little-endian bytes}]}.
Answers each by one line: {"results": [...]} in the same form, {"invalid": text} for a
module that is no StableHLO, or {"error": text} for one that the interpreter refuses.
"""

import base64
import json
import sys

from jaxlib.mlir import ir, passmanager
from jaxlib.mlir._mlir_libs import _jax_mlir_ext
from jaxlib.mlir.dialects import chlo, stablehlo
import numpy as np


def context():
    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    made = ir.Context()
    made.append_dialect_registry(registry)
    made.load_all_available_dialects()
    stablehlo.register_dialect(made)
    chlo.register_dialect(made)
    return made


def tensor_type(dtype, shape):
    name = {"bool": "i1"}.get(dtype, dtype).replace("u", "ui") if dtype[0] == "u" else {"bool": "i1"}.get(dtype, dtype)
    return "tensor<%s%s>" % ("".join("%dx" % n for n in shape), name)


def attribute(arg):
    data = base64.b64decode(arg["data"] or "")
    kind = tensor_type(arg["dtype"], arg["shape"])
    if not data:
        return ir.Attribute.parse("dense<> : " + kind)
    if arg["dtype"] == "bool":
        words = np.frombuffer(data, np.uint8).reshape(arg["shape"]).astype(bool).tolist()
        return ir.Attribute.parse("dense<%s> : %s" % (json.dumps(words), kind))
    return ir.Attribute.parse('dense<"0x%s"> : %s' % (data.hex().upper(), kind))


def as_bits(module):
    """Returns bf16 results as i16, which NumPy can read."""
    main = [op for op in module.body.operations if op.name.value == "main"][0]
    block = main.regions[0].blocks[0]
    last = block.operations[len(block.operations) - 1]
    i16 = ir.IntegerType.get_signless(16)
    with ir.InsertionPoint(last):
        for i, value in enumerate(last.operands):
            kind = ir.RankedTensorType(value.type)
            if isinstance(kind.element_type, ir.BF16Type):
                last.operands[i] = stablehlo.bitcast_convert(ir.RankedTensorType.get(kind.shape, i16), value)
    results = [value.type for value in last.operands]
    arguments = [argument.type for argument in block.arguments]
    main.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(arguments, results))


def unshare(operation):
    """Copies what scatter takes: the interpreter of jaxlib 0.10.2 writes into it,
    though others may use it too."""
    for region in operation.regions:
        for block in region.blocks:
            for op in list(block.operations):
                unshare(op.operation)
                if op.operation.name == "stablehlo.scatter":
                    with ir.InsertionPoint(op):
                        copy = stablehlo.reshape(op.operation.operands[0].type, op.operation.operands[0])
                    op.operation.operands[0] = copy


def result(attr, dtype):
    kind = ir.RankedTensorType(attr.type)
    if 0 in kind.shape:
        data = b""
    elif dtype == "bool":
        data = np.array(attr).astype(np.uint8).tobytes()
    else:
        data = np.ascontiguousarray(np.array(attr)).tobytes()
    return {"dtype": dtype, "shape": list(kind.shape), "data": base64.b64encode(data).decode()}


def name_of(element):
    text = str(element)
    return {"i1": "bool"}.get(text, text.replace("ui", "u"))


def answer(request):
    try:
        module = ir.Module.parse(request["text"])
    except ir.MLIRError as error:
        return {"invalid": str(error)[:2000]}
    passmanager.PassManager.parse("builtin.module(func.func(chlo-legalize-to-stablehlo))").run(module.operation)
    main = [op for op in module.body.operations if op.name.value == "main"][0]
    function_type = ir.FunctionType(main.attributes["function_type"].value)
    types = [name_of(ir.RankedTensorType(t).element_type) for t in function_type.results]
    as_bits(module)
    unshare(module.operation)
    values = stablehlo.eval_module(module, [attribute(a) for a in request["args"]])
    return {"results": [result(v, d) for v, d in zip(values, types)]}


def main():
    stablehlo.register_stablehlo_passes()
    with context(), ir.Location.unknown():
        for line in sys.stdin:
            try:
                reply = answer(json.loads(line))
            except Exception as error:  # the reader is told, and goes on
                reply = {"error": str(error)[:2000]}
            print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
