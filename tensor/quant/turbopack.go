package quant

import (
	"encoding/binary"
	"math"
)

// fields returns the offsets of a block's fields.
func (t turbo) fields() (codes, residuals, scale int) {
	codes = 4 + 2*(t.block/turboGroup)
	residuals = codes + t.block*t.bits/8
	return codes, residuals, residuals + t.block*t.residual/8
}

func (t turbo) unpack(dst []float32, src []byte) error {
	size := t.bytes()
	for ; len(dst) >= t.block; dst, src = dst[t.block:], src[size:] {
		t.unpackBlock(dst[:t.block], src[:size])
	}
	return nil
}

func (t turbo) unpackBlock(y []float32, b []byte) {
	codes, residuals, scale := t.fields()
	for i := range y {
		s := 4 + 2*(i/turboGroup)
		y[i] = float32(getCode(b[codes:], i, t.bits)) * half(b[s], b[s+1])
	}
	seed := int32(binary.LittleEndian.Uint32(b))
	if t.residual > 0 {
		s := math.Float32frombits(binary.LittleEndian.Uint32(b[scale:]))
		t.addResiduals(y, b[residuals:scale], s, seed+1)
	}
	hadamard(y)
	flip(y, seed)
}

func (t turbo) addResiduals(y []float32, b []byte, scale float32, seed int32) {
	if t.residual > 1 {
		for i := range y {
			y[i] += float32(float32(getCode(b, i, t.residual)) * scale)
		}
		return
	}
	g := newXorwow(seed)
	for i := range y {
		if getBits(b, i, 1) == g.bit() {
			y[i] += scale
		} else {
			y[i] -= scale
		}
	}
}

func (t turbo) pack(dst []byte, src []float32, seed func(block int) int32) error {
	var store [turboMaxBlock]float32
	x, size := store[:t.block], t.bytes()
	for k := range len(src) / t.block {
		copy(x, src[k*t.block:])
		if err := t.packBlock(dst[k*size:(k+1)*size], x, seed(k), k*t.block); err != nil {
			return err
		}
	}
	return nil
}

// packBlock packs x, which it changes; at is the number of its first element.
func (t turbo) packBlock(b []byte, x []float32, seed int32, at int) error {
	codes, residuals, scale := t.fields()
	clear(b)
	binary.LittleEndian.PutUint32(b, uint32(seed))
	flip(x, seed)
	hadamard(x)
	top := int32(1)<<(t.bits-1) - 1
	for g := range t.block / turboGroup {
		to, group := b[4+2*g:], x[g*turboGroup:(g+1)*turboGroup]
		if err := putScale(to, largest(group)/float32(top), at); err != nil {
			return err
		}
		s := half(to[0], to[1])
		inv := inverse(s)
		for i, v := range group {
			q := clampRound(float32(v*inv), top)
			putCode(b[codes:], g*turboGroup+i, t.bits, q)
			group[i] -= float32(float32(q) * s) // what is left
		}
	}
	if t.residual > 0 {
		s := t.packResiduals(b[residuals:scale], x, seed+1)
		binary.LittleEndian.PutUint32(b[scale:], math.Float32bits(s))
	}
	return nil
}

// packResiduals stores what is left of the elements and gives the scale.
func (t turbo) packResiduals(b []byte, x []float32, seed int32) float32 {
	if t.residual == 1 {
		var sum float32
		g := newXorwow(seed)
		for i, v := range x {
			sum += float32(v * v)
			if g.bit() == 0 {
				v = -v
			}
			if v >= 0 {
				putBits(b, i, 1, 1)
			}
		}
		return sqrt32(sum / float32(len(x)))
	}
	var sum float32
	top := int32(1)<<(t.residual-1) - 1
	for at := 0; at < len(x); at += turboGroup {
		group := x[at : at+turboGroup]
		s := largest(group) / float32(top)
		sum += s
		inv := inverse(s)
		for i, v := range group {
			putCode(b, at+i, t.residual, clampRound(float32(v*inv), top))
		}
	}
	return sum / float32(len(x)/turboGroup)
}

// getBits returns the i-th number of n bits, n at most 8, from the low bit of the
// first byte up.
func getBits(b []byte, i, n int) uint32 {
	at, shift := i*n/8, i*n%8
	v := uint32(b[at]) >> shift
	if shift+n > 8 {
		v |= uint32(b[at+1]) << (8 - shift)
	}
	return v & (1<<n - 1)
}

// putBits stores the i-th number of n bits where zeros are.
func putBits(b []byte, i, n int, v uint32) {
	at, shift := i*n/8, i*n%8
	b[at] |= uint8(v << shift)
	if shift+n > 8 {
		b[at+1] |= uint8(v >> (8 - shift))
	}
}

// getCode returns the i-th code of n bits, with its sign.
func getCode(b []byte, i, n int) int32 {
	if n == 8 {
		return int32(int8(b[i]))
	}
	return int32(getBits(b, i, n)) - 1<<(n-1)
}

// putCode stores the i-th code of n bits.
func putCode(b []byte, i, n int, q int32) {
	if n == 8 {
		b[i] = uint8(int8(q))
		return
	}
	putBits(b, i, n, uint32(q+1<<(n-1)))
}
