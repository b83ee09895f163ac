"""Writes testdata/skainet.sha256: SKaiNET's encodings, made with NumPy.

SKaiNET's own codec runs on Kotlin only and writes some of these encodings never
to bytes, so there is no program to compare with. This one is ours too, but it
was written from the layouts in the documentation of the package, on whole
arrays, and shares no code with it. What it needs of Kotlin's random numbers was
checked against Kotlin itself (testdata/kotlin_random.js). A line of the output
is the name of an encoding and the SHA-256 of the packed bytes followed by the
elements unpacked from them, float32 little-endian. Run in the folder of the
package:

    python3 testdata/skainet.py > testdata/skainet.sha256
"""

import hashlib

import numpy
from kpack import elements, mix

F32 = numpy.float32
ROWS, COLS = 16, 260  # a row is no whole number of the input's blocks


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


def bitnet_planes(x):
    with numpy.errstate(over="ignore"):
        s = abs(x).max(axis=1).astype(numpy.float16)
    v = x * reciprocal(s)[:, None]
    packed, total, weight = b"", numpy.zeros_like(x), F32(1)
    for _ in range(8):
        t = numpy.sign(v) * (abs(v) > F32(0.5))
        packed += bits_to_bytes(t + 1, 2)
        total += t * weight
        weight = weight / F32(3)
        v = (v - t) * F32(3)
    line("BITNET_PLANES", packed + s.tobytes(), total * s.astype(F32)[:, None])


def i8_absmax(x):
    s = abs(x).max(axis=1) / F32(127)
    v = (x * reciprocal(s)[:, None]).astype(numpy.float64)
    q = numpy.clip(numpy.floor(v + 0.5), -127, 127).astype(numpy.int8)
    line("DENSE_I8_ABSMAX", q.tobytes() + s.tobytes(), q.astype(F32) * s[:, None])


def stream(seed, count):
    """Bits of Kotlin's Random(seed).nextBoolean()."""
    mask = 0xFFFFFFFF
    a = seed & mask
    b = (seed >> 31) & mask
    words = [a, b, 0, 0, a ^ mask]
    add = ((a << 10) ^ (b >> 4)) & mask
    out = []
    for k in range(64 + count):
        t = words[0] ^ (words[0] >> 2)
        last = words[4]
        t = (t ^ (t << 1) ^ last ^ (last << 4)) & mask
        words = words[1:] + [t]
        add = (add + 362437) & mask
        if k >= 64:
            out.append(((t + add) & mask) >> 31)
    return numpy.array(out)


def rotate(x):
    """Walsh-Hadamard over the last axis, one axis of 2 for each stage."""
    shape, n = x.shape, x.shape[-1]
    stages = n.bit_length() - 1
    x = x.reshape((shape[0],) + (2,) * stages)
    for axis in range(stages, 0, -1):  # distance 1 first
        low, high = numpy.split(x, 2, axis=axis)
        x = numpy.concatenate([low + high, low - high], axis=axis)
    return x.reshape(shape) * (F32(1) / numpy.sqrt(F32(n)))


def scales_of(x, top):
    """The groups of 32 and the scales that put their peaks at top."""
    groups = x.reshape(x.shape[0], -1, 32)
    return groups, abs(groups).max(axis=2) / F32(top)


def stored(q, bits):
    return q.astype(numpy.int64) & 0xFF if bits == 8 else q.astype(numpy.int64) + (1 << (bits - 1))


def quantized(groups, s, top):
    q = numpy.clip(numpy.rint(groups * reciprocal(s)[:, :, None]), -top, top)
    return q.astype(F32) + F32(0)  # a code has no -0


def turbo(x, bits, residual, block, seeds):
    x = x.reshape(-1, block)
    flips = numpy.where(numpy.array([stream(s, block) for s in seeds]) == 1, F32(-1), F32(1))
    rotated = rotate(x * flips)
    top = (1 << (bits - 1)) - 1
    groups, s = scales_of(rotated, top)
    s = s.astype(numpy.float16)
    q = quantized(groups, s, top)
    near = (q * s.astype(F32)[:, :, None]).reshape(x.shape)
    extra, extra_scale = None, None
    if residual:
        left = rotated - near
        if residual == 1:
            squares = numpy.cumsum(left * left, axis=1, dtype=F32)[:, -1]
            extra_scale = numpy.sqrt(squares / F32(block))
            signs = numpy.where(numpy.array([stream(v + 1, block) for v in seeds]) == 1, F32(1), F32(-1))
            extra = (left * signs >= 0).astype(numpy.uint8)
            near = near + numpy.where(extra == 1, F32(1), F32(-1)) * extra_scale[:, None] * signs
        else:
            rtop = (1 << (residual - 1)) - 1
            rgroups, rs = scales_of(left, rtop)
            rq = quantized(rgroups, rs, rtop).reshape(x.shape)
            extra_scale = numpy.cumsum(rs, axis=1, dtype=F32)[:, -1] / F32(rs.shape[1])
            extra = stored(rq, residual)
            near = near + rq * extra_scale[:, None]
    packed = b""
    for k in range(len(x)):
        packed += numpy.int32(seeds[k]).tobytes() + s[k].tobytes() + bits_to_bytes(stored(q[k], bits), bits)
        if residual:
            packed += bits_to_bytes(extra[k], residual) + extra_scale[k].tobytes()
    name = f"TurboQuantPolar(bits={bits},block={block})"
    if residual:
        name = f"TurboQuantPolarQjl(bits={bits},residual={residual},block={block})"
    line(name, packed, rotate(near) * flips)


def turbo_seed(layer, head, position):
    mask = 0xFFFFFFFF
    h = ((layer * 31 + head) * 31 + position) & mask
    h = ((h ^ (h >> 16)) * 0x85EBCA6B) & mask
    h = ((h ^ (h >> 13)) * 0xC2B2AE35) & mask
    h ^= h >> 16
    return h - (1 << 32) if h >> 31 else h


def main():
    x = elements()
    few = mix(numpy.arange(4099, dtype=numpy.uint64)) % numpy.uint64(3)
    ternary(few.astype(numpy.int64) - 1)
    bitnet("BITNET_B1_58", x[:4099])
    bitnet_planes(x[: ROWS * COLS].reshape(ROWS, COLS))
    i8_absmax(x[: ROWS * COLS].reshape(ROWS, COLS))
    for block in (32, 128, 4096):
        seeds = [turbo_seed(k % 5 - 2, k, 7 * k) for k in range(16384 // block)]
        for bits in (2, 3, 4, 8):
            for residual in range(5):
                turbo(x[:16384], bits, residual, block, seeds)


if __name__ == "__main__":
    main()
