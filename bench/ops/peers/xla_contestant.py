"""XLA's side of the benchmark of operations: its CPU plugin, through JAX.

XLA takes as many threads as the variable PJRT_NPROC or NPROC says. Operands lie
on its device before; results stay there.
"""

import os

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"
if hasattr(os, "sched_setaffinity"):  # for versions that do not read the variables
    allowed = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, allowed[-int(os.environ["GOMAXPROCS"]):])

import jax
import jax.numpy as jnp
from jax import lax
from contestant import numbers, serve


def compiled(f, *operands):
    """A function that runs f on the device and waits."""
    arguments = [jax.device_put(o) for o in operands]
    run = jax.jit(f).lower(*arguments).compile()
    return lambda: run(*arguments).block_until_ready()


def matmul():
    return compiled(jnp.matmul, numbers(1, 1024, 1024), numbers(2, 1024, 1024))


def gemv():
    return compiled(jnp.matmul, numbers(2, 4096, 4096), numbers(1, 4096))


def conv2d():
    """In the layouts that XLA's CPU plugin has quick kernels for."""
    x = numbers(1, 1, 64, 56, 56).transpose(0, 2, 3, 1)
    w = numbers(2, 64, 64, 3, 3).transpose(2, 3, 1, 0)

    def f(x, w):
        return lax.conv_general_dilated(x, w, (1, 1), ((1, 1), (1, 1)), dimension_numbers=("NHWC", "HWIO", "NHWC"))

    return compiled(f, x, w)


def layer_norm():
    def f(x, g, b):
        d = x - x.mean(axis=1, keepdims=True)
        return d * lax.rsqrt((d * d).mean(axis=1, keepdims=True) + 1e-5) * g + b

    return compiled(f, numbers(1, 512, 768), numbers(3, 768), numbers(4, 768))


def softmax():
    return compiled(lambda x: jax.nn.softmax(x, axis=1), numbers(1, 512, 1024))


serve("XLA's CPU plugin in jaxlib %s" % jax.lib.__version__, {
    "matmul": matmul,
    "gemv": gemv,
    "conv2d": conv2d,
    "layer_norm": layer_norm,
    "softmax": softmax,
})
