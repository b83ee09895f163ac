"""NumPy's side of the benchmark of operations: its wheel has OpenBLAS."""

import numpy as np
from contestant import numbers, serve


def matmul():
    x, w = numbers(1, 1024, 1024), numbers(2, 1024, 1024)
    y = np.empty_like(x)
    return lambda: np.matmul(x, w, out=y)


def gemv():
    w, x = numbers(2, 4096, 4096), numbers(1, 4096)
    y = np.empty_like(x)
    return lambda: np.matmul(w, x, out=y)


def softmax():
    """As most NumPy programs write it."""
    x = numbers(1, 512, 1024)

    def run():
        e = np.exp(x - x.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)

    return run


def layer_norm():
    """As most NumPy programs write it."""
    x, g, b = numbers(1, 512, 768), numbers(3, 768), numbers(4, 768)

    def run():
        d = x - x.mean(axis=1, keepdims=True)
        return d / np.sqrt((d * d).mean(axis=1, keepdims=True) + np.float32(1e-5)) * g + b

    return run


def blas():
    """The BLAS of this NumPy."""
    b = np.show_config("dicts")["Build Dependencies"]["blas"]
    return "%s %s" % (b["name"], b["version"])


serve("NumPy %s, %s" % (np.__version__, blas()), {
    "matmul": matmul,
    "gemv": gemv,
    "layer_norm": layer_norm,
    "softmax": softmax,
})
