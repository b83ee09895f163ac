package quant

import (
	"testing"

	"github.com/skainet-dev/skainet-go/errs"
)

// FuzzRows gives any name, bytes and lengths. Unpacking succeeds exactly where
// the bytes are as many as SizeRows says; everything else has a code.
func FuzzRows(f *testing.F) {
	f.Add("DENSE_I8_ABSMAX", make([]byte, 16), uint16(8), int16(4))
	f.Add("BITNET_PLANES", make([]byte, 34), uint16(16), int16(16))
	f.Add("BITNET_B1_58", []byte("\x12\x34\x00\x00\x80\x7f"), uint16(5), int16(5))
	f.Add("TernaryPacked", []byte{0xe4}, uint16(3), int16(1))
	f.Add("TurboQuantPolar(bits=3,block=32)", make([]byte, 18), uint16(32), int16(32))
	f.Add("TurboQuantPolarQjl(bits=8,residual=3,block=64)", make([]byte, 2*100), uint16(128), int16(64))
	f.Add("TurboQuantPolarQjl(bits=8,residual=-3,block=64)", []byte{}, uint16(0), int16(-1))
	f.Fuzz(func(t *testing.T, name string, src []byte, elements uint16, cols int16) {
		e, err := Parse(name)
		if err != nil {
			if errs.CodeOf(err) != CodeUnknown {
				t.Fatal(err)
			}
			return
		}
		if again, err := Parse(e.String()); err != nil || again != e {
			t.Fatalf("%q became %q: %v", name, again, err)
		}
		n := int(elements) % (1 << 13)
		dst := make([]float32, n)
		err = UnpackRows(e, dst, src, int(cols))
		fits := false
		if cols > 0 && n%int(cols) == 0 {
			size, sizeErr := e.SizeRows(int64(n/int(cols)), int64(cols))
			_, planar := e.Blocks()
			fits = sizeErr == nil && size == int64(len(src)) && !planar
		}
		if fits != (err == nil) {
			t.Fatalf("%s, %d elements, rows of %d, %d bytes: %v", e, n, cols, len(src), err)
		}
		if err == nil && CanPack(e) {
			err = PackRows(e, src, dst, int(cols))
		}
		if err != nil && errs.CodeOf(err) == "" {
			t.Fatalf("no code: %v", err)
		}
	})
}
