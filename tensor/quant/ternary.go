package quant

import (
	"encoding/binary"
	"math"
)

// I2S is the encoding of bitnet.cpp, a fork of ggml, for the weights of BitNet: -1, 0 and +1
// times one scale of the tensor. Its number in GGUF, 36, was another type's in ggml, so
// that a file's architecture decides what it is.
const I2S Encoding = "I2_S"

// The ternary types of ggml, and that of its fork.
var ternaryBlocks = []Block{
	{
		Encoding: I2S, GGML: NoGGML, Elements: 128, Bytes: 32, tail: 32, unpack: unpackI2S, pack: packI2S,
		Doc: "0: 32 bytes; bits 6-2k and 7-2k of byte j are the code q of element 32k+j. After all blocks of the tensor: the scale s, f32, and 28 bytes that are not read. " +
			"Value (q-1)*s. It is the layout that x86-64 processors write; those of Arm interleave 16.",
		Source: "bitnet.cpp, src/ggml-bitnet-mad.cpp (quantize_i2_s)",
	},
	{
		Encoding: "TQ1_0", GGML: 34, Elements: 256, Bytes: 54, unpack: unpackTQ1_0, pack: packTQ1_0,
		Doc: "Five trits t a byte, as a fraction of 256: multiply the byte by 3^k, drop what exceeds eight bits, multiply by 3 and shift right by 8 to get trit k. " +
			"0: 32 bytes; trit k of byte j is element 32k+j. 32: 16 bytes; trit k of byte j is element 160+16k+j. 48: 4 bytes of four trits; trit k of byte j is element 240+4k+j. 52: d, f16. " +
			"Value (t-1)*d.",
		Source: ggmlSource,
	},
	{
		Encoding: "TQ2_0", GGML: 35, Elements: 256, Bytes: 66, unpack: unpackTQ2_0, pack: packTQ2_0,
		Doc: "0: 64 bytes; bits 2k and 2k+1 of byte 32h+j are the code q of element 128h+32k+j. 64: d, f16. Value (q-1)*d; " +
			"the code 3, which no packer writes, is 2*d.",
		Source: ggmlSource,
	},
}

// powers3 are the factors that bring trit k of a TQ1_0 byte to the top.
var powers3 = [5]byte{1, 3, 9, 27, 81}

func unpackTQ1_0(dst []float32, src []byte) error {
	for ; len(dst) >= 256; dst, src = dst[256:], src[54:] {
		b, y := (*[54]byte)(src), (*[256]float32)(dst)
		d := half(b[52], b[53])
		for k, power := range powers3 {
			trits(y[32*k:32*k+32], b[:32], power, d)
			trits(y[160+16*k:176+16*k], b[32:48], power, d)
		}
		for k, power := range powers3[:4] {
			trits(y[240+4*k:244+4*k], b[48:52], power, d)
		}
	}
	return nil
}

func trits(y []float32, b []byte, power byte, d float32) {
	for j, q := range b[:len(y)] {
		y[j] = float32(int32(q*power)*3>>8-1) * d
	}
}

func unpackTQ2_0(dst []float32, src []byte) error {
	for ; len(dst) >= 256; dst, src = dst[256:], src[66:] {
		b, y := (*[66]byte)(src), (*[256]float32)(dst)
		d := half(b[64], b[65])
		for i := range 8 {
			q, out := (*[32]byte)(b[i/4*32:]), (*[32]float32)(y[32*i:])
			for j := range out {
				out[j] = float32(int32(q[j]>>(i%4*2)&3)-1) * d
			}
		}
	}
	return nil
}

const tailI2S = 32

func unpackI2S(dst []float32, src []byte) error {
	s := math.Float32frombits(binary.LittleEndian.Uint32(src[len(src)-tailI2S:]))
	for i := range dst {
		b := src[i/128*32+i%32]
		dst[i] = (float32(b>>(6-2*(i%128/32))&3) - 1) * s
	}
	return nil
}

// packI2S takes the largest magnitude as the scale, and the signs.
func packI2S(dst []byte, src []float32) error {
	clear(dst)
	var s float32
	for i, v := range src {
		s = max(s, abs(v))
		code := byte(1)
		if v > 0 {
			code = 2
		} else if v < 0 {
			code = 0
		}
		dst[i/128*32+i%32] |= code << (6 - 2*(i%128/32))
	}
	binary.LittleEndian.PutUint32(dst[len(dst)-tailI2S:], math.Float32bits(s))
	return nil
}
