"""Says of each text whether jaxlib's StableHLO parser and verifier take it.

    go test -run TestOracle -args -texts TEXTS.json
    python verdicts.py < TEXTS.json > oracle/verdicts.json

TEXTS.json is an object of texts by name; the answer has, by the same names,
"" for a text that is taken and else line:column of the first fault.
Made with jax and jaxlib 0.10.2.
"""

import json
import re
import sys

from jax._src.interpreters import mlir as jmlir
from jaxlib.mlir import ir


def verdict(text):
    context = jmlir.make_ir_context()
    with context, ir.Location.unknown(context):
        try:
            module = ir.Module.parse(text)
            return "" if module.operation.verify() else "refused"
        except ir.MLIRError as e:
            place = re.search(r'error: "-":(\d+:\d+): ', str(e))
            return place.group(1) if place else "refused"


def main():
    texts = json.load(sys.stdin)
    json.dump({n: verdict(t) for n, t in sorted(texts.items())}, sys.stdout, indent=0)
    sys.stdout.write("\n")


main()
