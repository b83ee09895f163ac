package packed

import (
	"unsafe"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// Kernels in Go. Pointers are to as many elements as the kernels access.
var portable = kernels{"go", map[quant.Encoding]coder{
	"Q4_0": {read: goQ4_0}, "Q5_0": {read: goQ5_0}, "Q8_0": {read: goQ8_0},
	"Q4_K": {hasMins: true, read: goQ4K}, "Q6_K": {read: goQ6K},
}, goDotCodes}

// goDotCodes sums the products of each group of codes in eight integers of four
// products each; scales and the sums of groups are float32, with odd groups summed separately.
func goDotCodes(groups int, pw *int8, pws *float32, px *int8, pxs, y *float32) {
	w, ws := unsafe.Slice(pw, groups*group), unsafe.Slice(pws, groups*2)
	x, xs := unsafe.Slice(px, groups*group), unsafe.Slice(pxs, groups)
	var parts [2][8]float32
	for g, scale := range xs {
		a, b := (*[group]int8)(w[g*group:]), (*[group]int8)(x[g*group:])
		low, high := ws[2*g]*scale, ws[2*g+1]*scale
		sums := &parts[g%2]
		for l := range 8 {
			s := int32(a[4*l])*int32(b[4*l]) + int32(a[4*l+1])*int32(b[4*l+1]) +
				int32(a[4*l+2])*int32(b[4*l+2]) + int32(a[4*l+3])*int32(b[4*l+3])
			if l < 4 {
				sums[l] += float32(float32(s) * low)
			} else {
				sums[l] += float32(float32(s) * high)
			}
		}
	}
	p := &parts[0]
	for l := range p {
		p[l] += parts[1][l]
	}
	*y = ((p[0] + p[4]) + (p[2] + p[6])) + ((p[1] + p[5]) + (p[3] + p[7]))
}

func f16(b []byte) float32 { return tensor.F16ToF32(uint16(b[0]) | uint16(b[1])<<8) }

// blocksOf calls f for each block of size bytes and its n codes.
func blocksOf(blocks, size, n int, src *byte, codes *int8, f func(i int, b []byte, q []int8)) {
	data, out := unsafe.Slice(src, blocks*size), unsafe.Slice(codes, blocks*n)
	for i := range blocks {
		f(i, data[i*size:][:size], out[i*n:][:n])
	}
}

func goQ4_0(blocks int, src *byte, codes *int8, scales, _ *float32) {
	s := unsafe.Slice(scales, 2*blocks)
	blocksOf(blocks, 18, 32, src, codes, func(i int, b []byte, q []int8) {
		s[2*i], s[2*i+1] = f16(b), f16(b)
		for j, v := range b[2:] {
			q[j], q[j+16] = int8(v&15)-8, int8(v>>4)-8
		}
	})
}

func goQ5_0(blocks int, src *byte, codes *int8, scales, _ *float32) {
	s := unsafe.Slice(scales, 2*blocks)
	blocksOf(blocks, 22, 32, src, codes, func(i int, b []byte, q []int8) {
		s[2*i], s[2*i+1] = f16(b), f16(b)
		for j, v := range b[6:] {
			low, high := b[2+j/8]>>(j%8)&1<<4, b[4+j/8]>>(j%8)&1<<4
			q[j], q[j+16] = int8(v&15|low)-16, int8(v>>4|high)-16
		}
	})
}

func goQ8_0(blocks int, src *byte, codes *int8, scales, _ *float32) {
	s := unsafe.Slice(scales, 2*blocks)
	blocksOf(blocks, 34, 32, src, codes, func(i int, b []byte, q []int8) {
		s[2*i], s[2*i+1] = f16(b), f16(b)
		for j, v := range b[2:] {
			q[j] = int8(v)
		}
	})
}

func goQ4K(blocks int, src *byte, codes *int8, scales, mins *float32) {
	s, m := unsafe.Slice(scales, 16*blocks), unsafe.Slice(mins, 8*blocks)
	blocksOf(blocks, 144, 256, src, codes, func(i int, b []byte, q []int8) {
		d, dmin := f16(b), f16(b[2:])
		for g, k := range b[4:12] {
			scale, low := k&63, b[8+g%4]&63 // of the first four groups
			if g >= 4 {
				scale, low = b[8+g]&15|b[g]>>6<<4, b[8+g]>>4|k>>6<<4
			}
			s[16*i+2*g], s[16*i+2*g+1], m[8*i+g] = d*float32(scale), d*float32(scale), dmin*float32(low)
			for j, v := range b[16+g/2*32:][:32] {
				q[32*g+j] = int8(v >> (g % 2 * 4) & 15)
			}
		}
	})
}

func goQ6K(blocks int, src *byte, codes *int8, scales, _ *float32) {
	s := unsafe.Slice(scales, 16*blocks)
	blocksOf(blocks, 210, 256, src, codes, func(i int, b []byte, q []int8) {
		d := f16(b[208:])
		for g := range 16 {
			s[16*i+g] = d * float32(int8(b[192+g]))
		}
		for j := range q {
			h, e := j/128, j%128
			low, high := b[64*h+e%64]>>(e/64*4)&15, b[128+32*h+e%32]>>(e/32*2)&3
			q[j] = int8(low|high<<4) - 32
		}
	})
}
