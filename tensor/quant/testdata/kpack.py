"""Writes testdata/kpack.sha256: what libgguf makes of a million elements a type.

libgguf (version 0.2.2) is an implementation of the ggml encodings that is not
ours. Its quantize_rows is called without an importance matrix. A line of the
output is the name of an encoding and the SHA-256 of its blocks; the line
"elements" is that of the input, float32 little-endian. The input is a function
of the element's number, so that the test computes the same (kpack_test.go). Run
in the folder of the package:

    python3 testdata/kpack.py > testdata/kpack.sha256
"""

import hashlib

import numpy

COUNT = 1 << 20
TYPES = {"Q2_K": 10, "Q3_K": 11, "Q4_K": 12, "Q5_K": 13, "Q6_K": 14,
         "IQ4_NL": 20, "IQ4_XS": 23, "Q1_0": 41}


def mix(i):
    """splitmix64 of the counter i."""
    z = (i + numpy.uint64(1)) * numpy.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
    return z ^ (z >> numpy.uint64(31))


def elements():
    i = numpy.arange(COUNT, dtype=numpy.uint64)
    h = mix(i)
    block = mix((i >> numpy.uint64(8)) + numpy.uint64(1 << 40))
    group = mix((i >> numpy.uint64(5)) + numpy.uint64(1 << 41))
    # The sum of four uniform numbers: a bell, in integers.
    noise = sum((h >> numpy.uint64(s)) & numpy.uint64(0xFFFF) for s in (0, 16, 32, 48))
    noise = noise.astype(numpy.int64) - 131070
    exponent = (block >> numpy.uint64(8)).astype(numpy.int64) % 24 - 32
    kind = block % numpy.uint64(16)

    def of(k, then, otherwise):
        return numpy.where(kind == k, then, otherwise)

    value = of(0, 0, noise)
    value = of(1, abs(noise), value)
    value = of(2, -abs(noise), value)
    value = of(3, numpy.where(h % numpy.uint64(61) == 0, noise, 0), value)
    value = of(4, numpy.where(i % numpy.uint64(256) == 77, noise << 6, noise), value)
    value = of(5, noise >> 13, value)
    value = of(7, 4097, value)
    exponent = of(6, exponent - 100, exponent)
    exponent = of(8, exponent - (group % numpy.uint64(13)).astype(numpy.int64), exponent)
    return numpy.ldexp(value.astype(numpy.float64), exponent).astype("<f4")


def line(name, data):
    print(name, hashlib.sha256(data.tobytes()).hexdigest())


def main():
    import libgguf  # skainet.py takes the elements and has no need of it

    x = elements()
    line("elements", x)
    for name, number in TYPES.items():
        line(name, libgguf.quantize_rows(x.reshape(-1, 1024), number))


if __name__ == "__main__":
    main()
