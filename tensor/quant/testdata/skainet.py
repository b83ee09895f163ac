"""Writes testdata/skainet.sha256: SKaiNET's encodings, made with NumPy.

SKaiNET's own codec runs on Kotlin only, so it is not compared with here. This
program is ours too, but it was written from the layouts in the documentation of
the package, on whole arrays, and shares no code with it. A line of the output is
the name of an encoding and the SHA-256 of the packed bytes followed by the
elements unpacked from them, float32 little-endian. Run in the folder of the
package:

    python3 testdata/skainet.py > testdata/skainet.sha256
"""

import hashlib

import numpy
from kpack import elements, mix

F32 = numpy.float32


def line(name, packed, values):
    values = numpy.asarray(values)
    assert values.dtype == F32, name
    data = bytes(packed) + values.astype("<f4").tobytes()
    print(name, hashlib.sha256(data).hexdigest())


def bits_to_bytes(values, width):
    """A stream of numbers of width bits, low bit first."""
    values = numpy.asarray(values, dtype=numpy.uint8).reshape(-1, 1)
    bits = (values >> numpy.arange(width, dtype=numpy.uint8)) & 1
    return numpy.packbits(bits.reshape(-1), bitorder="little").tobytes()


def reciprocal(s):
    with numpy.errstate(divide="ignore", over="ignore"):
        r = F32(1) / s.astype(F32)
    return numpy.where(numpy.isfinite(r), r, F32(0))


def ternary(x):
    codes = numpy.concatenate([x + 1, numpy.zeros(-len(x) % 4)])
    line("TernaryPacked", bits_to_bytes(codes, 2), x.astype(F32))


def bitnet(name, x):
    s = F32(numpy.cumsum(abs(x).astype(numpy.float64))[-1] / len(x))
    q = numpy.clip(numpy.rint(x * reciprocal(s)), -1, 1) + F32(0)  # a code has no -0
    codes = numpy.concatenate([q + 1, numpy.zeros(-len(x) % 4)])
    line(name, bits_to_bytes(codes, 2) + s.tobytes(), q.astype(F32) * s)


def main():
    x = elements()
    few = mix(numpy.arange(4099, dtype=numpy.uint64)) % numpy.uint64(3)
    ternary(few.astype(numpy.int64) - 1)
    bitnet("BITNET_B1_58", x[:4099])


if __name__ == "__main__":
    main()
