"""OpenVINO's CPU plugin as a contestant: openvino_contestant.py MODEL.onnx RECORD.npz WANT.npz THREADS

It computes as the file says: in f32, not in the bf16 that the plugin chooses by itself on some processors,
and the quantized products of a file in int8.
"""

import sys

import openvino

import contestant


def load():
    model, record, _, threads = sys.argv[1:]
    core = openvino.Core()
    read = core.read_model(model)
    given = contestant.feed(
        record,
        [(i.any_name, [d.get_length() if d.is_static else None for d in i.partial_shape], i.element_type.to_dtype()) for i in read.inputs])
    compiled = core.compile_model(read, "CPU", {
        "INFERENCE_NUM_THREADS": int(threads), "NUM_STREAMS": 1, "PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32"})
    request = compiled.create_infer_request()
    names = [o.any_name for o in compiled.outputs]
    return "OpenVINO " + openvino.__version__, lambda: dict(zip(names, request.infer(given).values()))


if __name__ == "__main__":
    contestant.serve(load, sys.argv[3])
