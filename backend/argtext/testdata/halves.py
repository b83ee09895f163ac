"""Makes halves.txt: texts of numbers and the f16 or bf16 that is nearest to each.

Run: python3 halves.py > halves.txt

A line is the type, the text, and the code in hexadecimal digits, or "none" for a number
that is to be refused because it would round to infinity. The texts are compared as
fractions with the values of all codes, which the module struct gives; a text in the
middle of two gets the even code.
"""

import bisect
import random
import struct
from fractions import Fraction


def value(kind, code):
    if kind == "f16":
        return Fraction(struct.unpack("<e", struct.pack("<H", code))[0])
    return Fraction(struct.unpack("<f", struct.pack("<I", code << 16))[0])


LARGEST = {"f16": 0x7BFF, "bf16": 0x7F7F}
VALUES = {kind: [value(kind, code) for code in range(n + 1)] for kind, n in LARGEST.items()}


def nearest(kind, text):
    sign, text = (0x8000, text[1:]) if text[0] == "-" else (0, text.removeprefix("+"))
    if text[:2].lower() == "0x":
        digits, _, exponent = text[2:].lower().partition("p")
        whole, _, part = digits.partition(".")
        x = Fraction(int(whole + part, 16)) * Fraction(2) ** (int(exponent) - 4 * len(part))
    else:
        x = Fraction(text)
    values = VALUES[kind]
    if x >= values[-1] + (values[-1] - values[-2]) / 2:
        return "none"
    above = bisect.bisect_left(values, x)
    if above == len(values):
        return "%04x" % (sign | above - 1)
    if above == 0:
        return "%04x" % sign
    below = above - 1
    low, high = x - values[below], values[above] - x
    code = below if low < high or low == high and below % 2 == 0 else above
    return "%04x" % (sign | code)


def decimal(x):
    """All digits of a fraction whose denominator is a power of two."""
    places = x.denominator.bit_length() - 1
    digits = str(x.numerator * 5**places).rjust(places + 1, "0")
    return (digits[:-places] + "." + digits[-places:]) if places else digits


def below(text):
    """A little less than the decimal number text, which is not 0."""
    whole, dot, part = text.partition(".")
    n = str(int(whole + part) - 1).rjust(len(whole + part), "0")
    return n[: len(whole)] + "." + n[len(whole) :] + "9" * 20


def above(text):
    return text + ("" if "." in text else ".") + "0" * 20 + "1"


def main():
    rng = random.Random(1)
    for kind, largest in LARGEST.items():
        codes = [0, 1, 2, 0x3FE, 0x3FF, 0x400, 0x6BFF, largest - 1, largest] if kind == "f16" else [0x7E, 0x7F, 0x80, 0x4AFF, largest]
        codes += [rng.randrange(largest) for _ in range(10)]
        if kind == "bf16":  # of a size that can be read
            codes += [rng.randrange(0x3800, 0x4800) for _ in range(10)]
        for code in codes:
            sign = rng.choice(["", "", "-"])
            half = (VALUES[kind][code + 1] if code < largest else 2 * VALUES[kind][code] - VALUES[kind][code - 1]) + VALUES[kind][code]
            tie = decimal(half / 2)
            texts = [tie, above(tie), below(tie), decimal(VALUES[kind][code])]
            mantissa, shift = half.numerator, half.denominator.bit_length()
            texts += ["0x%xp-%d" % (mantissa, shift), "0x%x.%s1p-%d" % (mantissa, "0" * 20, shift)]
            texts += ["0X%x.%sP-%d" % (mantissa - 1, "f" * 20, shift)]
            digits = above(tie).replace(".", "").lstrip("0")
            texts.append("%s.%se%d" % (digits[0], digits[1:], len(digits) - 1 - len(above(tie).partition(".")[2])))
            for text in texts:
                print(kind, sign + text, nearest(kind, sign + text))
        for text in ["010.5", "+.5", "5.", "1e-60", "-0", "1e30", "1e400", "0e999999999999", "1e-999999999999", "0x1p-9999", "0x.8p+1", "2.5E2"]:
            print(kind, text, nearest(kind, text if "99" not in text else "0"))


if __name__ == "__main__":
    main()
