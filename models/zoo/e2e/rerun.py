"""Runs ONNX Runtime again on the arguments of a record: rerun.py MODEL.onnx RECORD.npz RESULTS.npz [OUTPUT=INPUT...]

An array of the record that has the name of an input is an argument, with #1, #2 behind
it of a later call. An OUTPUT is the INPUT of the next call, zero in the first. A sampling
rate is 16000. The results have their names as programs have them, and the version of ONNX
Runtime is printed.
"""

import re
import sys

import numpy
import onnxruntime

DTYPES = {"tensor(float)": numpy.float32, "tensor(int64)": numpy.int64, "tensor(int32)": numpy.int32}


def identifier(name):
    return re.sub(r"[^A-Za-z0-9_]", "_", name)


def main():
    model, record, out, *states = sys.argv[1:]
    states = dict(s.split("=") for s in states)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    arrays = numpy.load(record)
    names = [o.name for o in session.get_outputs()]
    calls = 1 + max(int(k.partition("#")[2] or 0) for k in arrays.files)
    state = {i.name: numpy.zeros([d if isinstance(d, int) else 1 for d in i.shape], DTYPES[i.type]) for i in session.get_inputs() if i.name in states.values()}
    results, used = {}, set()
    for n in range(calls):
        key = "#%d" % n if n else ""
        feed = dict(state)
        for i in session.get_inputs():
            if identifier(i.name) + key in arrays.files:
                used.add(identifier(i.name) + key)
                feed[i.name] = arrays[identifier(i.name) + key]
            elif i.name == "sr":
                feed[i.name] = numpy.array(16000)
        found = dict(zip(names, session.run(None, feed)))
        state = {states[o]: found[o] for o in states}
        results |= {identifier(o) + key: v for o, v in found.items() if o not in states}
    rest = set(arrays.files) - used - set(results)
    if rest:
        sys.exit("%s: no input or output of the model: %s" % (record, ", ".join(sorted(rest))))
    numpy.savez(out, **results)
    print(onnxruntime.__version__)


if __name__ == "__main__":
    main()
