"""gguf-py as a contestant of the benchmark: opens a file and lists its tensors."""

import importlib.metadata
import time

import gguf

import contestant


def do(request):
    begun = time.monotonic()
    reader = gguf.GGUFReader(request["path"])
    text = "".join("%s %d %d\n" % (t.name, t.tensor_type, t.data_offset) for t in reader.tensors)
    took = time.monotonic() - begun
    return {"seconds": took, "tensors": len(reader.tensors), "sum": contestant.sum_of(text.encode())}


if __name__ == "__main__":
    contestant.serve("gguf " + importlib.metadata.version("gguf"), do)
