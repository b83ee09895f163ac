"""Runs an ONNX model in ONNX Runtime and returns the values inside it.

Reads a request of JSON from standard input: {"model": FILE, "inputs": {NAME: FILE.npy},
"values": [NAME, ...], "outputs": [NAME, ...] of the model, "folder": FOLDER}. Writes
FOLDER/0.npy and so on, and prints a line of JSON: {"version": ..., "files": {NAME: FILE}} or
{"missing": module} or {"error": text}.
"""

import json
import os
import sys


def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def field(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


def main():
    request = json.load(sys.stdin)
    for module in ["numpy", "onnxruntime"]:
        try:
            __import__(module)
        except ImportError:
            print(json.dumps({"missing": module}))
            return
    import numpy
    import onnxruntime

    with open(request["model"], "rb") as f:
        model = f.read()
    # A graph that comes a second time adds to the first: here, outputs without a type.
    wanted = [name for name in request["values"] if name not in request["outputs"]]
    graph = b"".join(field(12, field(1, name.encode())) for name in wanted)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 3
    options.intra_op_num_threads = 1  # some quantized operators round by what each thread has
    folder = os.path.dirname(os.path.abspath(request["model"]))
    options.add_session_config_entry("session.model_external_initializers_file_folder_path", folder)
    try:
        session = onnxruntime.InferenceSession(model + field(7, graph), options, providers=["CPUExecutionProvider"])
        inputs = {name: numpy.load(path) for name, path in request["inputs"].items()}
        names = [o.name for o in session.get_outputs() if o.type.startswith("tensor(") and o.type not in UNREADABLE]
        results = session.run(names, inputs)
    except Exception as error:  # of ONNX Runtime, whose text says what is wrong
        print(json.dumps({"error": str(error)[:2000]}))
        return
    files = {}
    for i, (name, value) in enumerate(zip(names, results)):
        if isinstance(value, numpy.ndarray) and value.dtype.kind in "biuf":
            files[name] = "%d.npy" % i
            numpy.save(os.path.join(request["folder"], files[name]), numpy.ascontiguousarray(value).reshape(value.shape))
    print(json.dumps({"version": onnxruntime.__version__, "files": files}))


# Types that NumPy does not have.
UNREADABLE = {"tensor(%s)" % name for name in ["string", "bfloat16", "float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz", "int4", "uint4", "float4e2m1"]}

if __name__ == "__main__":
    main()
