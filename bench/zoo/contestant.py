"""The benchmark's protocol for contestants in Python: one line of JSON once the model is loaded, and one
for each line of the standard input, {"calls": N}, with the times of N calls."""

import json
import os
import re
import resource
import sys
import time

import numpy


def renamed(name):
    """The name that programs give an argument or a result."""
    return re.sub(r"[^A-Za-z0-9_]", "_", name)


def feed(record, inputs):
    """The arguments of a call.

    Args:
      record: a .npz with the arguments of the record's first call.
      inputs: the name, the sizes and the NumPy type of each input of the model. One that the
        record lacks is zero, or 16000 where it is a sampling rate.
    """
    arrays = numpy.load(record)
    given = {}
    for name, shape, dtype in inputs:
        key = renamed(name)
        if key in arrays.files:
            given[name] = arrays[key]
        elif name == "sr":
            given[name] = numpy.array(16000)
        else:
            given[name] = numpy.zeros([d if isinstance(d, int) else 1 for d in shape], dtype)
    return given


def wrong(results, want):
    """How far results are from those in f64, as a share of the greatest magnitude of each.

    Args:
      results: arrays by the names of the model's outputs.
      want: a .npz of f64.py.
    """
    arrays, worst = numpy.load(want), 0.0
    for name, got in results.items():
        exact = arrays[renamed(name)]
        if got.shape != exact.shape:
            sys.exit("%s is of %s; in f64 it is of %s" % (name, got.shape, exact.shape))
        worst = max(worst, float(numpy.abs(got - exact).max() / (numpy.abs(exact).max() or 1)))
    return worst


def serve(load, want):
    """Answers the benchmark.

    Args:
      load: loads the model and gives its version and what a call is, which returns its results by their names.
      want: a .npz of f64.py.
    """
    # What libraries print must not come between the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    start = time.monotonic()
    version, call = load()
    loaded = time.monotonic() - start

    def send(answer):
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

    send({"version": version, "load": loaded, "error": wrong(call(), want)})
    for line in sys.stdin:
        walls, before = [], resource.getrusage(resource.RUSAGE_SELF)
        for _ in range(json.loads(line)["calls"]):
            start = time.perf_counter()
            call()
            walls.append(time.perf_counter() - start)
        after = resource.getrusage(resource.RUSAGE_SELF)
        send({"walls": walls, "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime})
