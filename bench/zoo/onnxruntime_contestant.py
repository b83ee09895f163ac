"""ONNX Runtime as a contestant: onnxruntime_contestant.py MODEL.onnx RECORD.npz WANT.npz THREADS"""

import sys

import numpy
import onnxruntime

import contestant

DTYPES = {"tensor(float)": numpy.float32, "tensor(int64)": numpy.int64, "tensor(int32)": numpy.int32}


def load():
    model, record, _, threads = sys.argv[1:]
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = int(threads)
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    given = contestant.feed(record, [(i.name, i.shape, DTYPES[i.type]) for i in session.get_inputs()])
    names = [o.name for o in session.get_outputs()]
    return "ONNX Runtime " + onnxruntime.__version__, lambda: dict(zip(names, session.run(None, given)))


if __name__ == "__main__":
    contestant.serve(load, sys.argv[3])
