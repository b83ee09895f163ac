"""NumPy's side of the benchmark of operations: its wheel has OpenBLAS.

See bench/ops/subject for the protocol.
"""

import json
import os
import sys
import time

import numpy as np


def numbers(operand, *sizes):
    """The elements of an operand, as bench/ops/subject.Numbers makes them."""
    i = np.arange(np.prod(sizes), dtype=np.int64)
    x = ((i * (operand * 8 + 3) + operand) % 2039).astype(np.float32)
    return (x / np.float32(1019.5) - np.float32(1)).reshape(sizes)


def softmax(x):
    """As most NumPy programs write it."""
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def layer_norm(x, g, b):
    """As most NumPy programs write it."""
    d = x - x.mean(axis=1, keepdims=True)
    return d / np.sqrt((d * d).mean(axis=1, keepdims=True) + np.float32(1e-5)) * g + b


def prepare(do):
    """Gives a function that runs an operation."""
    if do == "matmul":
        x, w = numbers(1, 1024, 1024), numbers(2, 1024, 1024)
        y = np.empty_like(x)
        return lambda: np.matmul(x, w, out=y)
    if do == "gemv":
        w, x = numbers(2, 4096, 4096), numbers(1, 4096)
        y = np.empty_like(x)
        return lambda: np.matmul(w, x, out=y)
    if do == "softmax":
        x = numbers(1, 512, 1024)
        return lambda: softmax(x)
    if do == "layer_norm":
        x, g, b = numbers(1, 512, 768), numbers(3, 768), numbers(4, 768)
        return lambda: layer_norm(x, g, b)
    raise ValueError(do)


def blas():
    """The BLAS of this NumPy."""
    b = np.show_config("dicts")["Build Dependencies"]["blas"]
    return "%s %s" % (b["name"], b["version"])


def main():
    """Answers the benchmark."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def send(answer):
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

    send({"version": "NumPy %s, %s" % (np.__version__, blas()), "do": ["matmul", "gemv", "layer_norm", "softmax"]})
    runs = {}
    for line in sys.stdin:
        request = json.loads(line)
        run = runs.setdefault(request["do"], None) or prepare(request["do"])
        runs[request["do"]] = run
        total = float(np.abs(run().astype(np.float64)).sum())
        best, begun = float("inf"), time.perf_counter()
        while best == float("inf") or time.perf_counter() - begun < request["least"]:
            start = time.perf_counter()
            run()
            best = min(best, time.perf_counter() - start)
        send({"seconds": best, "sum": total})


main()
