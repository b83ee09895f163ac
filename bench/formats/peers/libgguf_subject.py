"""libgguf as a subject of the benchmark: unpacks blocks by ggml's C."""

import importlib.metadata

import libgguf
import numpy
from libgguf import GGMLQuantizationType

import subject


def do(request):
    kind, elements = GGMLQuantizationType[request["type"]], request["elements"]
    blocks = numpy.fromfile(request["path"], numpy.uint8)
    out = numpy.empty(elements, numpy.float32)

    def unpack():
        libgguf.dequantize_rows_into_raw(kind, blocks, out, 1, elements)

    unpack()  # memory is paged in
    begun, passes, took = subject.cpu(), 0, 0.0
    while took < subject.LEAST:
        unpack()
        passes += 1
        took = subject.cpu() - begun
    out[numpy.isnan(out)] = numpy.nan  # whose bits are not defined
    return {"seconds": took / passes, "tensors": 0, "sum": subject.sum_of(out.tobytes())}


if __name__ == "__main__":
    subject.serve("libgguf " + importlib.metadata.version("libgguf"), do)
