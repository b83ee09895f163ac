"""The side of a contestant in Python in the benchmark of operations.

See bench/ops/contestant for the protocol.
"""

import json
import os
import sys
import time

import numpy as np


def numbers(operand, *sizes):
    """The elements of an operand, as bench/ops/contestant.Numbers makes them."""
    i = np.arange(np.prod(sizes), dtype=np.int64)
    x = ((i * (operand * 8 + 3) + operand) % 2039).astype(np.float32)
    return (x / np.float32(1019.5) - np.float32(1)).reshape(sizes)


def serve(version, prepare):
    """Answers the benchmark; prepare has a function that gives a run for each operation."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def send(answer):
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

    send({"version": version, "do": list(prepare)})
    runs = {}
    for line in sys.stdin:
        request = json.loads(line)
        do = request["do"]
        run = runs.get(do) or prepare[do]()
        runs[do] = run
        total = float(np.abs(np.asarray(run(), dtype=np.float64)).sum())
        best, cpu, begun = float("inf"), float("inf"), time.perf_counter()
        while best == float("inf") or time.perf_counter() - begun < request["least"]:
            spent, start = time.process_time(), time.perf_counter()
            run()
            best = min(best, time.perf_counter() - start)
            cpu = min(cpu, time.process_time() - spent)
        send({"seconds": best, "cpu": cpu, "sum": total})
