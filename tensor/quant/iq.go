package quant

// The IQ types: codes are indexes of points of a grid, or of a table of uneven
// steps. grids.go has the grids and how signs are stored.
var iqBlocks = []Block{
	{
		Encoding: "IQ1_S", GGML: 19, Elements: 256, Bytes: 50, unpack: unpackIQ1S,
		Doc: "0: d, f16. 2: 32 bytes with bits 0 to 7 of the indexes of eight elements each. 34: eight u16, for 32 elements each: bits 3k to 3k+2 are bits 8 to 10 of index k of four, bits 12 to 14 the scale s, bit 15 the sign of a shift of 1/8. " +
			"Value (d*(2s+1))*(g+1/8) or, where bit 15 is set, (d*(2s+1))*(g-1/8), with g of the grid of 2048 points.",
		Source: ggmlSource,
	},
	{
		Encoding: "IQ1_M", GGML: 29, Elements: 256, Bytes: 56, unpack: unpackIQ1M,
		Doc: "0: 32 bytes with bits 0 to 7 of the indexes of eight elements each. 32: 16 bytes, low half before high half, for one index each: bits 0 to 2 are bits 8 to 10 of the index, bit 3 the sign of the shift. " +
			"48: four u16, for 64 elements each: bits 3k to 3k+2 are the scale s of 16 elements; bits 12 to 15 of the four, the first lowest, are d, f16. Value and grid as in IQ1_S.",
		Source: ggmlSource,
	},
	{
		Encoding: "IQ2_XXS", GGML: 16, Elements: 256, Bytes: 66, unpack: unpackIQ2XXS,
		Doc: "0: d, f16. 2: eight times, for 32 elements each, four bytes of indexes of eight elements and a u32 with four sign codes of seven bits, lowest first, and the scale s in bits 28 to 31. " +
			"Value ((d*(s+1/2))/4)*g with the sign of the code, g of the grid of 256 points.",
		Source: ggmlSource,
	},
	{
		Encoding: "IQ2_XS", GGML: 17, Elements: 256, Bytes: 74, unpack: unpackIQ2XS,
		Doc: "0: d, f16. 2: 32 u16, for eight elements each: the index in bits 0 to 8, the sign code in bits 9 to 15. 66: 8 bytes with the scales s of 16 elements each, low half before high half. " +
			"Value as in IQ2_XXS, g of the grid of 512 points.",
		Source: ggmlSource,
	},
	{
		Encoding: "IQ2_S", GGML: 22, Elements: 256, Bytes: 82, unpack: unpackIQ2S,
		Doc: "0: d, f16. 2: 32 bytes with bits 0 to 7 of the indexes of eight elements each. 34: 32 bytes; bit k of byte j is the sign of element 8j+k. 66: 8 bytes; bits 2k and 2k+1 of byte j are bits 8 and 9 of index 4j+k. " +
			"74: 8 bytes of scales as in IQ2_XS. Value as in IQ2_XXS, g of the grid of 1024 points.",
		Source: ggmlSource,
	},
	{
		Encoding: "IQ3_XXS", GGML: 18, Elements: 256, Bytes: 98, unpack: unpackIQ3XXS,
		Doc: "0: d, f16. 2: 64 bytes, the indexes of four elements each. 66: eight u32 with sign codes and scale s as in IQ2_XXS. " +
			"Value ((d*(s+1/2))/2)*g with the sign of the code, g of the grid of 256 points of four.",
		Source: ggmlSource,
	},
	{
		Encoding: "IQ3_S", GGML: 21, Elements: 256, Bytes: 110, unpack: unpackIQ3S,
		Doc: "0: d, f16. 2: 64 bytes with bits 0 to 7 of the indexes of four elements each. 66: 8 bytes; bit k of byte j is bit 8 of index 8j+k. 74: 32 bytes of signs as in IQ2_S. " +
			"106: 4 bytes with the scales s of 32 elements each, low half before high half. Value (d*(2s+1))*g with the sign, g of the grid of 512 points of four.",
		Source: ggmlSource,
	},
	{
		Encoding: "IQ4_NL", GGML: 20, Elements: 32, Bytes: 18, unpack: unpackIQ4NL, pack: packIQ4NL,
		Doc:    "0: d, f16. 2: 16 bytes of codes q as in Q4_0. Value d*t(q), t a table of 16 uneven steps from -127 to 113.",
		Source: ggmlSource,
	},
	{
		Encoding: "IQ4_XS", GGML: 23, Elements: 256, Bytes: 136, unpack: unpackIQ4XS, pack: packIQ4XS,
		Doc: "0: d, f16. 2: u16; bits 2i and 2i+1 are bits 4 and 5 of the scale s of elements 32i to 32i+31. 4: 4 bytes with bits 0 to 3 of the scales, low half before high half. " +
			"8: 128 bytes; each 16 hold the codes of 32 elements as in Q4_0. Value (d*(s-32))*t(q), t as in IQ4_NL.",
		Source: ggmlSource,
	},
}

// steps4 is the table t of IQ4_NL and IQ4_XS.
var steps4 = [16]float32{-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113}

func unpackIQ4NL(dst []float32, src []byte) error {
	for ; len(dst) >= 32; dst, src = dst[32:], src[18:] {
		b := (*[18]byte)(src)
		nibbles(&steps4, half(b[0], b[1]), (*[32]float32)(dst), (*[16]byte)(b[2:]))
	}
	return nil
}

func unpackIQ4XS(dst []float32, src []byte) error {
	for ; len(dst) >= 256; dst, src = dst[256:], src[136:] {
		b, y := (*[136]byte)(src), (*[256]float32)(dst)
		d, high := half(b[0], b[1]), uint32(b[2])|uint32(b[3])<<8
		for i := range 8 {
			s := int32(b[4+i/2])>>(i%2*4)&15 | int32(high>>(2*i)&3<<4)
			nibbles(&steps4, d*float32(s-32), (*[32]float32)(y[32*i:]), (*[16]byte)(b[8+16*i:]))
		}
	}
	return nil
}

// nibbles writes 32 elements whose codes lie in halves of bytes as in Q4_0.
func nibbles(steps *[16]float32, d float32, y *[32]float32, b *[16]byte) {
	for j, q := range b {
		y[j] = d * steps[q&15]
		y[j+16] = d * steps[q>>4]
	}
}

// Steps4 returns the table t of IQ4_NL and IQ4_XS.
func Steps4() [16]float32 { return steps4 }
