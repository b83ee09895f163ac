"""OpenVINO's CPU plugin as a contestant: openvino_contestant.py MODEL.onnx ARRAYS.npz THREADS

What is not quantized in the file is computed in f32, not in the bf16 that the plugin chooses by itself on some processors.
"""

import sys

import openvino

import contestant


def load(given):
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(sys.argv[1]), "CPU", {
        "INFERENCE_NUM_THREADS": int(sys.argv[3]), "NUM_STREAMS": 1, "PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32"})
    request = compiled.create_infer_request()
    feed = {i.any_name: given[i.any_name] for i in compiled.inputs}
    return "OpenVINO " + openvino.__version__, lambda: request.infer(feed)[0]


if __name__ == "__main__":
    contestant.serve(sys.argv[2], load)
