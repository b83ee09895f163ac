package quant_test

import (
	"testing"

	"github.com/skainet-dev/skainet-go/lang/quant"
)

// BenchmarkUnpack unpacks 16M elements on one core; the bytes counted are those
// that are written.
func BenchmarkUnpack(b *testing.B) {
	const n = 1 << 24
	dst := make([]float32, n)
	for _, row := range ggmlBlocks() {
		b.Run(string(row.Encoding), func(b *testing.B) {
			src := finiteBlocks(row, n)
			b.SetBytes(4 * n)
			for b.Loop() {
				if err := quant.Unpack(row.Encoding, dst, src); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "elements/s")
		})
	}
}

// BenchmarkPack packs 1M elements on one core; the bytes counted are those that
// are read.
func BenchmarkPack(b *testing.B) {
	const n = 1 << 20
	src := oracleElements(n)
	for _, row := range ggmlBlocks() {
		if !quant.CanPack(row.Encoding) {
			continue
		}
		b.Run(string(row.Encoding), func(b *testing.B) {
			dst := make([]byte, n/row.Elements*row.Bytes)
			b.SetBytes(4 * n)
			for b.Loop() {
				if err := quant.Pack(row.Encoding, dst, src); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "elements/s")
		})
	}
}
