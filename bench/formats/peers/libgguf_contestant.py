"""libgguf as a contestant of the benchmark: unpacks blocks by ggml's C."""

import importlib.metadata

import libgguf
import numpy
from libgguf import GGMLQuantizationType

import contestant


def do(request):
    kind, elements = GGMLQuantizationType[request["type"]], request["elements"]
    blocks = numpy.fromfile(request["path"], numpy.uint8)
    out = numpy.empty(elements, numpy.float32)

    def unpack():
        libgguf.dequantize_rows_into_raw(kind, blocks, out, 1, elements)

    unpack()  # memory is paged in
    begun, passes, took = contestant.cpu(), 0, 0.0
    while took < contestant.LEAST:
        unpack()
        passes += 1
        took = contestant.cpu() - begun
    out[numpy.isnan(out)] = numpy.nan  # whose bits are not defined
    return {"seconds": took / passes, "tensors": 0, "sum": contestant.sum_of(out.tobytes())}


if __name__ == "__main__":
    contestant.serve("libgguf " + importlib.metadata.version("libgguf"), do)
