"""XLA's CPU plugin, through JAX, as a contestant: xla_contestant.py FUNCTION ARRAYS.npz

FUNCTION is one of cases.py. Its operands lie on the device before, and results stay there. XLA takes as many threads
as the variable NPROC says.
"""

import os
import sys

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"
if hasattr(os, "sched_setaffinity"):  # for versions that do not read the variable
    allowed = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, allowed[-int(os.environ["GOMAXPROCS"]):])

import jax
import jax.numpy as jnp

import contestant


def softmax(x):
    return jax.nn.softmax(x, -1)


def layernorm(x, gain, bias):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) / jnp.sqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5) * gain + bias


def gelu(x):
    return jax.nn.gelu(x, approximate=False)


def attention(q, k, v):
    scores = (q * q.shape[-1] ** -0.5) @ k.transpose(0, 1, 3, 2)
    return jax.nn.softmax(scores, -1) @ v


def load(given):
    f = {f.__name__: f for f in (softmax, layernorm, gelu, attention)}[sys.argv[1]]
    args = [jnp.asarray(given[n]) for n in sorted(given) if n[0] == "x"]
    if f is layernorm:
        args += [jnp.asarray(given["w0"]), jnp.asarray(given["w1"])]
    compiled = jax.jit(f).lower(*args).compile()
    return "XLA, JAX " + jax.__version__, lambda: compiled(*args).block_until_ready()


if __name__ == "__main__":
    contestant.serve(sys.argv[2], load)
