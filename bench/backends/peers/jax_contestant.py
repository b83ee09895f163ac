"""JAX as a contestant of the benchmark of backends: the texts that our XLA backend compiles,
compiled and called by JAX's own client.

    jax_contestant.py TASK.json

The protocol is that of bench/backends/task. Weights lie on the device before; arguments are
copied there in each call, and results back, as ours are.
"""

import json
import os
import sys
import time

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"
if hasattr(os, "sched_setaffinity"):  # for versions that do not read the variables
    allowed = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, allowed[-int(os.environ["GOMAXPROCS"]):])

import jax
import ml_dtypes
import numpy as np
from jaxlib import xla_client

_NAMES = {
    "bool": np.bool_, "bf16": ml_dtypes.bfloat16, "f16": np.float16, "f32": np.float32, "f64": np.float64, "i8": np.int8,
    "i16": np.int16, "i32": np.int32, "i64": np.int64, "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64,
}


def load(value):
    kind, shape = np.dtype(_NAMES[value["dtype"]]), tuple(value["shape"])
    if 0 in shape:
        return np.zeros(shape, kind)
    return np.memmap(value["file"], kind, "r", value["offset"], shape if shape else (1,)).reshape(shape)


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    jax.config.update("jax_enable_x64", True)
    task = json.load(open(sys.argv[1]))
    device = jax.devices("cpu")[0]
    options = xla_client.CompileOptions()
    options.env_option_overrides = sorted((task.get("flags") or {}).items())
    arguments = [[np.array(load(a)) for a in m["args"]] for m in task["measures"]]
    compiled, weights, state = {}, {}, {}

    def put(value):
        return jax.device_put(value, device)

    def weight(value):
        at = (value["file"], value["offset"])
        if at not in weights:
            weights[at] = put(np.array(load(value)))
        return weights[at]

    def call(i):
        m = task["measures"][i]
        operands = [put(a) for a in arguments[i]]
        operands += [weight(p) for p in m["parameters"] or []]
        operands += [state[name] for name in m["states"] or []]
        results = compiled[i].execute_sharded(operands).disassemble_into_single_device_arrays()
        writes = m["writes"] or []
        own = len(results) - len(writes)
        for name, result in zip(writes, results[own:]):
            state[name] = result[0]
        return [np.asarray(r[0]) for r in results[:own]]

    def send(answer):
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

    send({"version": "JAX %s, with its own client of XLA" % jax.__version__})
    for line in sys.stdin:
        i = json.loads(line)["measure"]
        m = task["measures"][i]
        compiling = 0.0
        if i not in compiled:
            begun = time.perf_counter()
            devices = xla_client.DeviceList((device,))
            compiled[i] = device.client.compile_and_load(open(m["text"], "rb").read(), devices, options)
            compiling = time.perf_counter() - begun
            for p in m["parameters"] or []:
                weight(p)
            for name, value in zip(m["states"] or [], m["initial"] or []):
                if name not in state:
                    state[name] = put(np.array(load(value)))
        begun = time.perf_counter()
        call(i)
        send({"seconds": time.perf_counter() - begun, "compile_seconds": compiling})


if __name__ == "__main__":
    main()
