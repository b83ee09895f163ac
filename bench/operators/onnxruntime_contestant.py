"""ONNX Runtime as a contestant: onnxruntime_contestant.py MODEL.onnx ARRAYS.npz THREADS"""

import sys

import onnxruntime

import contestant


def load(given):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = int(sys.argv[3])
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(sys.argv[1], options, providers=["CPUExecutionProvider"])
    feed = {i.name: given[i.name] for i in session.get_inputs()}
    return "ONNX Runtime " + onnxruntime.__version__, lambda: session.run(None, feed)[0]


if __name__ == "__main__":
    contestant.serve(sys.argv[2], load)
