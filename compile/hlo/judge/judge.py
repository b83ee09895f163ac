"""Judges StableHLO with jaxlib, for package judge.

Reads a JSON object a line and answers each by one line. The first line is the version of
jaxlib. {"do": "check", "text": T} parses and verifies a module; {"do": "call", "text": T,
"name": N} calls a function by the reference interpreter; {"do": "portable", "text": T,
"version": V} gives a portable artifact of a version of StableHLO, "" for the current one;
{"do": "text", "artifact": base64} gives its text. An answer has "fault" where the input is
refused, in the words of MLIR.
"""

import base64
import json
import sys

import jaxlib
from jaxlib.mlir import ir, passmanager
from jaxlib.mlir._mlir_libs import _jax_mlir_ext
from jaxlib.mlir.dialects import chlo, stablehlo

LIMIT = 2000


def context():
    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    try:
        from jaxlib.mlir.dialects import sdy

        sdy_register = sdy.register_dialect
    except (ImportError, AttributeError):
        sdy_register = None
    made = ir.Context()
    made.append_dialect_registry(registry)
    made.load_all_available_dialects()
    stablehlo.register_dialect(made)
    chlo.register_dialect(made)
    if sdy_register:
        sdy_register(made)
    return made


def functions(module):
    return [op for op in module.body.operations if op.operation.name == "func.func"]


def splat(kind):
    """Ones: an index that is in range, a divisor, a truth value."""
    kind = ir.RankedTensorType(kind)
    element = kind.element_type
    if isinstance(element, ir.IntegerType):
        word = "true" if element.width == 1 else "1"
    elif isinstance(element, ir.ComplexType):
        word = "(1.0, 0.0)"
    else:
        word = "1.0"
    return ir.Attribute.parse("dense<%s> : %s" % (word, kind))


def call(request):
    """Calls one function, which the module has as its main for that."""
    name = request["name"]
    module = ir.Module.parse(request["text"])
    for op in functions(module):
        own = op.attributes["sym_name"].value
        if own == "main" and name != "main":
            op.attributes["sym_name"] = ir.StringAttr.get("main_")
        if own == name:
            op.attributes["sym_name"] = ir.StringAttr.get("main")
            kinds = ir.FunctionType(op.attributes["function_type"].value).inputs
    passmanager.PassManager.parse("builtin.module(func.func(chlo-legalize-to-stablehlo))").run(module.operation)
    results = stablehlo.eval_module(module, [splat(k) for k in kinds])
    return {"types": [str(ir.RankedTensorType(r.type)) for r in results]}


def check(request):
    module = ir.Module.parse(request["text"])
    module.operation.verify()
    return {"functions": [op.attributes["sym_name"].value for op in functions(module)]}


def portable(request):
    version = request["version"] or stablehlo.get_current_version()
    module = ir.Module.parse(request["text"])
    # Shardy's dialect is outside of StableHLO and of what it promises of versions.
    meshed = any(op.operation.name == "sdy.mesh" for op in module.body.operations)
    made = stablehlo.serialize_portable_artifact(module, version, meshed)
    return {"artifact": base64.b64encode(made).decode(), "version": version}


def text(request):
    made = stablehlo.deserialize_portable_artifact(ir.Context.current, base64.b64decode(request["artifact"]))
    return {"text": str(made)}


def main():
    stablehlo.register_stablehlo_passes()
    print(json.dumps({"version": jaxlib.__version__}), flush=True)
    with context(), ir.Location.unknown():
        for line in sys.stdin:
            request = json.loads(line)
            try:
                reply = {"call": call, "check": check, "portable": portable, "text": text}[request["do"]](request)
            except Exception as error:  # the reader is told, and goes on
                reply = {"fault": str(error)[:LIMIT] or type(error).__name__}
            print(json.dumps(reply), flush=True)


main()
