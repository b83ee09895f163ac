package quant

import "math"

// The K types: 256 elements a block, and scales of sub-blocks that are codes
// themselves.
var kBlocks = []Block{
	{
		Encoding: "Q2_K", GGML: 10, Elements: 256, Bytes: 84, unpack: unpackQ2K, pack: packQ2K,
		Doc: "0: 16 bytes; byte i holds the scale s (low four bits) and the minimum m (high ones) of elements 16i to 16i+15. " +
			"16: 64 bytes of codes; bits 2k and 2k+1 of byte 32h+j are the code q of element 128h+32k+j. 80: d, f16. 82: dmin, f16. " +
			"Value (d*s)*q-(dmin*m).",
		Source: ggmlSource,
	},
	{
		Encoding: "Q3_K", GGML: 11, Elements: 256, Bytes: 110, unpack: unpackQ3K, pack: packQ3K,
		Doc: "0: 32 bytes; bit k of byte j is bit 2 of the code of element 32k+j. 32: 64 bytes with bits 0 and 1 of the codes, as in Q2_K. " +
			"96: 12 bytes with 16 scales of six bits: scale i has bits 0 to 3 in byte i%8 (low half for i < 8) and bits 4 and 5 at bit 2*(i/4) of byte 8+i%4; it serves elements 16i to 16i+15. " +
			"108: d, f16. Value (d*(s-32))*(q-4).",
		Source: ggmlSource,
	},
	{
		Encoding: "Q4_K", GGML: 12, Elements: 256, Bytes: 144, unpack: unpackQ4K, pack: packQ4K,
		Doc: "0: d, f16. 2: dmin, f16. 4: 12 bytes with eight scales s and eight minima m of six bits, for 32 elements each: bytes 0 to 3 hold s0 to s3 in bits 0 to 5, bytes 4 to 7 m0 to m3; " +
			"byte 8+i holds bits 0 to 3 of s(4+i), then of m(4+i), whose bits 4 and 5 are bits 6 and 7 of bytes i and 4+i. " +
			"16: 128 bytes; byte 32k+j holds the code q of element 64k+j in its low four bits and that of element 64k+32+j in its high ones. " +
			"Value (d*s)*q-(dmin*m).",
		Source: ggmlSource,
	},
	{
		Encoding: "Q5_K", GGML: 13, Elements: 256, Bytes: 176, unpack: unpackQ5K, pack: packQ5K,
		Doc: "0: d, f16. 2: dmin, f16. 4: 12 bytes of scales and minima as in Q4_K. 16: 32 bytes; bit k of byte j is bit 4 of the code of element 32k+j. " +
			"48: 128 bytes with bits 0 to 3 of the codes, as in Q4_K. Value (d*s)*q-(dmin*m).",
		Source: ggmlSource,
	},
	{
		Encoding: "Q6_K", GGML: 14, Elements: 256, Bytes: 210, unpack: unpackQ6K, pack: packQ6K,
		Doc: "0: 128 bytes; byte 64h+j holds bits 0 to 3 of the code of element 128h+j in its low half and of element 128h+64+j in its high one. " +
			"128: 64 bytes; bits 2k and 2k+1 of byte 32h+j are bits 4 and 5 of the code of element 128h+32k+j. 192: 16 scales s, i8, of elements 16i to 16i+15. 208: d, f16. " +
			"Value (d*s)*(q-32).",
		Source: ggmlSource,
	},
	{
		Encoding: "Q8_K", GGML: 15, Elements: 256, Bytes: 292, unpack: unpackQ8K,
		Doc: "0: d, f32. 4: 256 codes q, i8. 260: 16 sums of 16 codes each, i16, which serve products only. Value d*q. " +
			"An encoding of activations: no file should hold it.",
		Source: ggmlSource,
	},
}

func unpackQ2K(dst []float32, src []byte) error {
	for ; len(dst) >= 256; dst, src = dst[256:], src[84:] {
		b, y := (*[84]byte)(src), (*[256]float32)(dst)
		d, dmin := half(b[80], b[81]), half(b[82], b[83])
		for i := range 16 {
			s, m := d*float32(b[i]&15), float32(dmin*float32(b[i]>>4))
			// Sub-block i lies in half i/8, at bit pair i/2%4, bytes 16*(i%2) on.
			q, shift := (*[16]byte)(b[16+i/8*32+i%2*16:]), i/2%4*2
			out := (*[16]float32)(y[16*i:])
			for j := range out {
				out[j] = float32(s*float32(q[j]>>shift&3)) - m
			}
		}
	}
	return nil
}

func unpackQ3K(dst []float32, src []byte) error {
	for ; len(dst) >= 256; dst, src = dst[256:], src[110:] {
		b, y := (*[110]byte)(src), (*[256]float32)(dst)
		d := half(b[108], b[109])
		for i := range 16 {
			low, high := b[96+i%8]>>(i/8*4)&15, b[104+i%4]>>(i/4*2)&3
			s := d * float32(int32(low|high<<4)-32)
			q, shift := (*[16]byte)(b[32+i/8*32+i%2*16:]), i/2%4*2
			mask, bit := (*[16]byte)(b[i%2*16:]), i/2
			out := (*[16]float32)(y[16*i:])
			for j := range out {
				out[j] = s * float32(int32(q[j]>>shift&3|mask[j]>>bit&1<<2)-4)
			}
		}
	}
	return nil
}

// scaleMin reads scale and minimum i of the 12 bytes that Q4_K and Q5_K share.
func scaleMin(b *[12]byte, i int) (s, m byte) {
	if i < 4 {
		return b[i] & 63, b[4+i] & 63
	}
	return b[4+i]&15 | b[i-4]>>6<<4, b[4+i]>>4 | b[i]>>6<<4
}

func unpackQ4K(dst []float32, src []byte) error {
	for ; len(dst) >= 256; dst, src = dst[256:], src[144:] {
		b, y := (*[144]byte)(src), (*[256]float32)(dst)
		d, dmin := half(b[0], b[1]), half(b[2], b[3])
		for i := range 8 {
			s, m := scaleMin((*[12]byte)(b[4:]), i)
			scale, low := d*float32(s), float32(dmin*float32(m))
			q, shift := (*[32]byte)(b[16+i/2*32:]), i%2*4
			out := (*[32]float32)(y[32*i:])
			for j := range out {
				out[j] = float32(scale*float32(q[j]>>shift&15)) - low
			}
		}
	}
	return nil
}

func unpackQ5K(dst []float32, src []byte) error {
	for ; len(dst) >= 256; dst, src = dst[256:], src[176:] {
		b, y := (*[176]byte)(src), (*[256]float32)(dst)
		d, dmin := half(b[0], b[1]), half(b[2], b[3])
		high := (*[32]byte)(b[16:])
		for i := range 8 {
			s, m := scaleMin((*[12]byte)(b[4:]), i)
			scale, low := d*float32(s), float32(dmin*float32(m))
			q, shift := (*[32]byte)(b[48+i/2*32:]), i%2*4
			out := (*[32]float32)(y[32*i:])
			for j := range out {
				out[j] = float32(scale*float32(q[j]>>shift&15|high[j]>>i&1<<4)) - low
			}
		}
	}
	return nil
}

func unpackQ6K(dst []float32, src []byte) error {
	for ; len(dst) >= 256; dst, src = dst[256:], src[210:] {
		b, y := (*[210]byte)(src), (*[256]float32)(dst)
		d := half(b[208], b[209])
		for i := range 16 {
			s := d * float32(int8(b[192+i]))
			// Sub-block i: half i/8, quarter i/2%4 of it, bytes 16*(i%2) on.
			low, lowShift := (*[16]byte)(b[i/8*64+i%4*16:]), i/4%2*4
			high, highShift := (*[16]byte)(b[128+i/8*32+i%2*16:]), i/2%4*2
			out := (*[16]float32)(y[16*i:])
			for j := range out {
				out[j] = s * float32(int32(low[j]>>lowShift&15|high[j]>>highShift&3<<4)-32)
			}
		}
	}
	return nil
}

func unpackQ8K(dst []float32, src []byte) error {
	for ; len(dst) >= 256; dst, src = dst[256:], src[292:] {
		b, y := (*[292]byte)(src), (*[256]float32)(dst)
		d := math.Float32frombits(u32(b[:4]))
		for j := range y {
			y[j] = d * float32(int8(b[4+j]))
		}
	}
	return nil
}
