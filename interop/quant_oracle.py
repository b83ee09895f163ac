"""The Python packages gguf and libgguf as oracles for tensor/quant.

    quant_oracle.py unpack FOLDER         unpacks each TYPE.blocks into TYPE.PACKAGE, float32
    quant_oracle.py pack FOLDER TYPE...   packs elements.f32 into TYPE.PACKAGE

Prints {"PACKAGE": [TYPES]}, what each package can do of the types that come in
blocks. Rows have 1024 elements; gguf is NumPy, libgguf is ggml's C.
"""

import json
import os
import sys

import gguf
import libgguf
import numpy
from gguf.constants import GGML_QUANT_SIZES as _GGUF_SIZES
from libgguf import GGML_QUANT_SIZES as _LIBGGUF_SIZES

_ROW = 1024


def unpack_gguf(kind, rows):
    return gguf.quants.dequantize(rows, kind)


def unpack_libgguf(kind, rows):
    return libgguf.dequantize_rows(rows, kind)


def pack_gguf(kind, rows):
    return gguf.quants.quantize(rows, kind)


def pack_libgguf(kind, rows):
    if libgguf.quantize_requires_imatrix(kind):
        raise NotImplementedError  # needs more than the elements
    return libgguf.quantize_rows(rows, kind)


_PACKAGES = {
    "gguf": (_GGUF_SIZES, unpack_gguf, pack_gguf),
    "libgguf": (_LIBGGUF_SIZES, unpack_libgguf, pack_libgguf),
}


def each(folder, work, types=None):
    """Has each package work on each type, or on those named, and keeps what comes out."""
    can = {}
    for package, (sizes, unpack, pack) in _PACKAGES.items():
        can[package] = []
        for kind, (elements, size) in sizes.items():
            if elements == 1 or types and kind.name not in types:
                continue
            try:
                out = work(kind, elements, size, unpack, pack)
            except (NotImplementedError, ValueError):  # how the two say that they do not know the type
                continue
            numpy.ascontiguousarray(out).tofile(os.path.join(folder, "%s.%s" % (kind.name, package)))
            can[package].append(kind.name)
    return can


def unpack(folder, *_):
    def work(kind, elements, size, unpack, pack):
        blocks = numpy.fromfile(os.path.join(folder, kind.name + ".blocks"), numpy.uint8)
        return unpack(kind, blocks.reshape(-1, _ROW // elements * size)).astype(numpy.float32, copy=False)
    return each(folder, work)


def pack(folder, *types):
    rows = numpy.fromfile(os.path.join(folder, "elements.f32"), "<f4").reshape(-1, _ROW)
    return each(folder, lambda kind, elements, size, unpack, pack: pack(kind, rows), types)


if __name__ == "__main__":
    what, arguments = sys.argv[1], sys.argv[2:]
    with numpy.errstate(all="ignore"):  # infinities and NaN are among the elements
        json.dump({"unpack": unpack, "pack": pack}[what](*arguments), sys.stdout)
