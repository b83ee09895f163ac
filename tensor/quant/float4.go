package quant

import "math"

// Types whose codes are four-bit floating-point numbers.
var float4Blocks = []Block{
	{
		Encoding: "MXFP4", GGML: 39, Elements: 32, Bytes: 17, unpack: unpackMXFP4, pack: packMXFP4,
		Doc: "0: e, a power of two 2^(e-127). 1: 16 bytes of codes as in Q4_0, each a sign (bit 3), two bits of exponent and one of mantissa: 0, 0.5, 1, 1.5, 2, 3, 4, 6. " +
			"Value 2^(e-127) times that. The specification says that e = 255 is NaN; ggml, and so this package, takes it for 2^128.",
		Source: "OCP Microscaling Formats (MX) Specification v1.0, section 5; " + ggmlSource,
	},
	{
		Encoding: "NVFP4", GGML: 40, Elements: 64, Bytes: 36, unpack: unpackNVFP4,
		Doc: "0: 4 scales s of 16 elements each, f8e4m3 without a sign, of which 0x7f is zero. 4: 32 bytes; each eight hold 16 elements: byte j that of element j in its low half and of element j+8 in its high one, codes as in MXFP4. " +
			"Value s times the code's.",
		Source: ggmlSource,
	},
}

// codes4 are the values of the four-bit codes, doubled to be integers.
var codes4 = [16]float32{0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12}

// halfPower returns 2^(e-128): a block's scale for doubled codes. The two smallest
// are subnormal.
func halfPower(e byte) float32 {
	if e < 2 {
		return math.Float32frombits(0x00200000 << e)
	}
	return math.Float32frombits(uint32(e-1) << 23)
}

func unpackMXFP4(dst []float32, src []byte) error {
	for ; len(dst) >= 32; dst, src = dst[32:], src[17:] {
		b := (*[17]byte)(src)
		nibbles(&codes4, halfPower(b[0]), (*[32]float32)(dst), (*[16]byte)(b[1:]))
	}
	return nil
}

func unpackNVFP4(dst []float32, src []byte) error {
	for ; len(dst) >= 64; dst, src = dst[64:], src[36:] {
		b, y := (*[36]byte)(src), (*[64]float32)(dst)
		for i := range 4 {
			d := scale43(b[i])
			q, out := (*[8]byte)(b[4+8*i:]), (*[16]float32)(y[16*i:])
			for j, c := range q {
				out[j] = d * codes4[c&15]
				out[j+8] = d * codes4[c>>4]
			}
		}
	}
	return nil
}

// scale43 returns half the value of an f8e4m3 number whose sign bit is ignored:
// the scale for doubled codes. 0x7f, a NaN elsewhere, is zero here.
func scale43(x byte) float32 {
	exponent, mantissa := x>>3&15, float32(x&7)
	switch {
	case x == 0x7f:
		return 0
	case exponent == 0:
		return mantissa * 0x1p-10
	}
	// (1 + mantissa/8) * 2^(exponent-7) / 2
	return (8 + mantissa) * math.Float32frombits(uint32(exponent+127-11)<<23)
}
