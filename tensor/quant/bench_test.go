package quant_test

import (
	"testing"

	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// BenchmarkUnpack unpacks 16M elements on one core; GB/s counts what is written.
// With a kernel the memory is the limit, so huge pages show.
func BenchmarkUnpack(b *testing.B) {
	const n = 1 << 24
	dst := make([]float32, n)
	for _, row := range ggmlBlocks() {
		b.Run(string(row.Encoding), func(b *testing.B) {
			src := finiteBlocks(row, n)
			for b.Loop() {
				if err := quant.Unpack(row.Encoding, dst, src); err != nil {
					b.Fatal(err)
				}
			}
			report(b, n)
		})
	}
}

// BenchmarkUnpackRow unpacks a row of 4096 elements again and again, as one who
// streams does: there the processor counts, and not the memory.
func BenchmarkUnpackRow(b *testing.B) {
	const n = 4096
	dst := make([]float32, n)
	for _, row := range ggmlBlocks() {
		b.Run(string(row.Encoding), func(b *testing.B) {
			src := finiteBlocks(row, n)
			for b.Loop() {
				if err := quant.Unpack(row.Encoding, dst, src); err != nil {
					b.Fatal(err)
				}
			}
			report(b, n)
		})
	}
}

// report prints the speed of b.N rounds of n elements of four bytes.
func report(b *testing.B, n int) {
	elements := float64(n) * float64(b.N) / b.Elapsed().Seconds()
	b.ReportMetric(elements, "elements/s")
	b.ReportMetric(4*elements/1e9, "GB/s")
}

// BenchmarkPack packs 1M elements on one core; GB/s counts what is read.
func BenchmarkPack(b *testing.B) {
	const n = 1 << 20
	src := oracleElements(n)
	for _, row := range ggmlBlocks() {
		if !quant.CanPack(row.Encoding) {
			continue
		}
		b.Run(string(row.Encoding), func(b *testing.B) {
			dst := make([]byte, n/row.Elements*row.Bytes)
			for b.Loop() {
				if err := quant.Pack(row.Encoding, dst, src); err != nil {
					b.Fatal(err)
				}
			}
			report(b, n)
		})
	}
}
