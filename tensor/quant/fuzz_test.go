package quant_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// pick returns a row of the table for any number.
func pick(number byte) quant.Block {
	all := quant.All()
	return all[int(number)%len(all)]
}

// FuzzUnpack unpacks any bytes as any encoding: whatever lengths meet, there is
// no panic, errors have codes, and blocks mean the same alone as with others.
func FuzzUnpack(f *testing.F) {
	for i, b := range quant.All() {
		src := make([]byte, 2*b.Bytes)
		for j := range src {
			src[j] = byte(j * 37)
		}
		f.Add(byte(i), int16(2*b.Elements), src)
		f.Add(byte(i), int16(b.Elements-1), src)
	}
	f.Fuzz(func(t *testing.T, number byte, elements int16, src []byte) {
		b := pick(number)
		n := max(int64(elements), 0)
		dst := make([]float32, n)
		err := quant.Unpack(b.Encoding, dst, src)
		size, sizeErr := b.Encoding.Size(n)
		if (err == nil) != (sizeErr == nil && size == int64(len(src))) && b.GGML != quant.NoGGML {
			t.Fatalf("%d elements of %s in %d bytes: %v", n, b.Encoding, len(src), err)
		}
		if err != nil {
			if errs.CodeOf(err) == "" {
				t.Fatalf("no code: %v", err)
			}
			return
		}
		if b.GGML == quant.NoGGML {
			return // may keep something after its blocks
		}
		alone := make([]float32, b.Elements)
		for i := range n / b.Elements {
			if err := quant.Unpack(b.Encoding, alone, src[i*b.Bytes:(i+1)*b.Bytes]); err != nil {
				t.Fatal(err)
			}
			for j, v := range alone {
				if got := dst[i*b.Elements+int64(j)]; math.Float32bits(got) != math.Float32bits(v) {
					t.Fatalf("%s: element %d of block %d is %x, alone %x", b.Encoding, j, i, math.Float32bits(got), math.Float32bits(v))
				}
			}
		}
	})
}

// FuzzPack packs any elements: what is accepted unpacks to finite elements.
func FuzzPack(f *testing.F) {
	for i, b := range quant.All() {
		raw := make([]byte, 4*b.Elements)
		for j := range b.Elements {
			binary.LittleEndian.PutUint32(raw[4*j:], math.Float32bits(float32(j%7)-3))
		}
		f.Add(byte(i), raw)
	}
	f.Fuzz(func(t *testing.T, number byte, raw []byte) {
		b := pick(number)
		src := make([]float32, int64(len(raw)/4)/b.Elements*b.Elements)
		for i := range src {
			src[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
		}
		size, err := b.Encoding.Size(int64(len(src)))
		if err != nil {
			t.Fatal(err)
		}
		dst := make([]byte, size)
		if err := quant.Pack(b.Encoding, dst, src); err != nil {
			if errs.CodeOf(err) == "" {
				t.Fatalf("no code: %v", err)
			}
			return
		}
		back := make([]float32, len(src))
		if err := quant.Unpack(b.Encoding, back, dst); err != nil {
			t.Fatal(err)
		}
		for i, v := range back {
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
				t.Fatalf("%s: element %d is %g after packing %g", b.Encoding, i, v, src[i])
			}
		}
	})
}
