package quant

import "math"

// The 32-element types that ggml had first, and Q1_0, which is of the same kind:
// one or two scales, then codes of equal width.
var legacyBlocks = []Block{
	{
		Encoding: "Q4_0", GGML: 2, Elements: 32, Bytes: 18, unpack: unpackQ4_0, pack: packQ4_0,
		Doc: "0: d, f16. 2: 16 bytes; byte j holds the code q of element j in its low four bits and that of element j+16 in its high ones. " +
			"Value (q-8)*d.",
		Source: ggmlSource,
	},
	{
		Encoding: "Q4_1", GGML: 3, Elements: 32, Bytes: 20, unpack: unpackQ4_1, pack: packQ4_1,
		Doc:    "0: d, f16. 2: m, f16. 4: 16 bytes of codes as in Q4_0. Value q*d+m.",
		Source: ggmlSource,
	},
	{
		Encoding: "Q5_0", GGML: 6, Elements: 32, Bytes: 22, unpack: unpackQ5_0, pack: packQ5_0,
		Doc: "0: d, f16. 2: u32, little endian, whose bit j is bit 4 of the code of element j. 6: 16 bytes with bits 0 to 3 of the codes as in Q4_0. " +
			"Value (q-16)*d.",
		Source: ggmlSource,
	},
	{
		Encoding: "Q5_1", GGML: 7, Elements: 32, Bytes: 24, unpack: unpackQ5_1, pack: packQ5_1,
		Doc:    "0: d, f16. 2: m, f16. 4: u32 with bit 4 of the codes. 8: 16 bytes with bits 0 to 3, both as in Q5_0. Value q*d+m.",
		Source: ggmlSource,
	},
	{
		Encoding: "Q8_0", GGML: 8, Elements: 32, Bytes: 34, unpack: unpackQ8_0, pack: packQ8_0,
		Doc:    "0: d, f16. 2: 32 codes q, i8. Value q*d.",
		Source: ggmlSource,
	},
	{
		Encoding: "Q8_1", GGML: 9, Elements: 32, Bytes: 36, unpack: unpackQ8_1,
		Doc: "0: d, f16. 2: s, f16, which is d times the sum of the codes and serves products only. 4: 32 codes q, i8. Value q*d. " +
			"An encoding of activations: no file should hold it. gguf-py's table still has the older block of 40 bytes, with d and s in f32; ggml's has been 36 bytes since 2023.",
		Source: ggmlSource,
	},
	{
		Encoding: "Q1_0", GGML: 41, Elements: 128, Bytes: 18, unpack: unpackQ1_0, pack: packQ1_0,
		Doc:    "0: d, f16. 2: 16 bytes; bit j%8 of byte j/8 belongs to element j. Value d where it is set, else -d.",
		Source: ggmlSource,
	},
}

const ggmlSource = "ggml, src/ggml-common.h (the block) and src/ggml-quants.c (the values)"

func unpackQ4_0(dst []float32, src []byte) error {
	for ; len(dst) >= 32; dst, src = dst[32:], src[18:] {
		b, y := (*[18]byte)(src), (*[32]float32)(dst)
		d := half(b[0], b[1])
		for j := range 16 {
			q := int32(b[2+j])
			y[j] = float32(q&15-8) * d
			y[j+16] = float32(q>>4-8) * d
		}
	}
	return nil
}

func unpackQ4_1(dst []float32, src []byte) error {
	for ; len(dst) >= 32; dst, src = dst[32:], src[20:] {
		b, y := (*[20]byte)(src), (*[32]float32)(dst)
		d, m := half(b[0], b[1]), half(b[2], b[3])
		for j := range 16 {
			q := int32(b[4+j])
			y[j] = float32(float32(q&15)*d) + m
			y[j+16] = float32(float32(q>>4)*d) + m
		}
	}
	return nil
}

func unpackQ5_0(dst []float32, src []byte) error {
	for ; len(dst) >= 32; dst, src = dst[32:], src[22:] {
		b, y := (*[22]byte)(src), (*[32]float32)(dst)
		d := half(b[0], b[1])
		high := u32(b[2:6])
		for j := range 16 {
			q := int32(b[6+j])
			y[j] = float32(q&15|int32(high>>j&1<<4)-16) * d
			y[j+16] = float32(q>>4|int32(high>>(j+16)&1<<4)-16) * d
		}
	}
	return nil
}

func unpackQ5_1(dst []float32, src []byte) error {
	for ; len(dst) >= 32; dst, src = dst[32:], src[24:] {
		b, y := (*[24]byte)(src), (*[32]float32)(dst)
		d, m := half(b[0], b[1]), half(b[2], b[3])
		high := u32(b[4:8])
		for j := range 16 {
			q := int32(b[8+j])
			y[j] = float32(float32(q&15|int32(high>>j&1<<4))*d) + m
			y[j+16] = float32(float32(q>>4|int32(high>>(j+16)&1<<4))*d) + m
		}
	}
	return nil
}

func unpackQ8_0(dst []float32, src []byte) error {
	for ; len(dst) >= 32; dst, src = dst[32:], src[34:] {
		b, y := (*[34]byte)(src), (*[32]float32)(dst)
		d := half(b[0], b[1])
		for j := range y {
			y[j] = float32(int8(b[2+j])) * d
		}
	}
	return nil
}

func unpackQ8_1(dst []float32, src []byte) error {
	for ; len(dst) >= 32; dst, src = dst[32:], src[36:] {
		b, y := (*[36]byte)(src), (*[32]float32)(dst)
		d := half(b[0], b[1])
		for j := range y {
			y[j] = float32(int8(b[4+j])) * d
		}
	}
	return nil
}

func unpackQ1_0(dst []float32, src []byte) error {
	for ; len(dst) >= 128; dst, src = dst[128:], src[18:] {
		b, y := (*[18]byte)(src), (*[128]float32)(dst)
		d := math.Float32bits(half(b[0], b[1]))
		for j := range y {
			clear := uint32(b[2+j/8]>>(j%8)&1 ^ 1)
			y[j] = math.Float32frombits(d ^ clear<<31)
		}
	}
	return nil
}

func u32(b []byte) uint32 {
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}
