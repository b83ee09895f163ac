"""ONNX Runtime as a contestant: onnxruntime_contestant.py MODEL.onnx RECORD.npz THREADS

It loads the model once, and for each line of its standard input, {"calls": N}, runs it N
times on the arguments of the record's first call. An input that the record lacks is zero, or
16000 where it is a sampling rate.
"""

import json
import os
import resource
import sys
import time

import numpy
import onnxruntime

DTYPES = {"tensor(float)": numpy.float32, "tensor(int64)": numpy.int64, "tensor(int32)": numpy.int32}


def main():
    model, record, threads = sys.argv[1:]
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    start = time.monotonic()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = int(threads)
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    load = time.monotonic() - start
    arrays = numpy.load(record)
    feed = {}
    for i in session.get_inputs():
        if i.name in arrays.files:
            feed[i.name] = arrays[i.name]
        elif i.name == "sr":
            feed[i.name] = numpy.array(16000)
        else:
            feed[i.name] = numpy.zeros([d if isinstance(d, int) else 1 for d in i.shape], DTYPES[i.type])

    def send(answer):
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

    send({"version": "ONNX Runtime " + onnxruntime.__version__, "load": load})
    for line in sys.stdin:
        walls, before = [], resource.getrusage(resource.RUSAGE_SELF)
        for _ in range(json.loads(line)["calls"]):
            start = time.perf_counter()
            session.run(None, feed)
            walls.append(time.perf_counter() - start)
        after = resource.getrusage(resource.RUSAGE_SELF)
        send({"walls": walls, "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime})


if __name__ == "__main__":
    main()
