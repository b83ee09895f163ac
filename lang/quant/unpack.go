package quant

import "github.com/skainet-dev/skainet-go/internal/errs"

// Unpack writes len(dst) elements from src, which holds exactly their blocks.
// The same blocks give the same elements in pieces as at once, so a stream is
// unpacked a few blocks at a time. The slices must not overlap.
func Unpack(e Encoding, dst []float32, src []byte) error {
	b, err := e.row()
	if err != nil {
		return err
	}
	if err := b.fits(len(dst), len(src)); err != nil {
		return err
	}
	return b.unpack(dst, src)
}

// CanPack says whether Pack can write the encoding.
func CanPack(e Encoding) bool {
	b, ok := byName[e]
	return ok && b.pack != nil
}

// Pack writes the blocks of the elements src to dst, which is exactly as long
// as they are. Elements must be finite. The slices must not overlap.
func Pack(e Encoding, dst []byte, src []float32) error {
	b, err := e.row()
	if err != nil {
		return err
	}
	if b.pack == nil {
		return errs.New(CodeNoPacker, "%s can be read but not written", e).Hint("use Q8_0, Q4_0 or Q4_K")
	}
	if err := b.fits(len(src), len(dst)); err != nil {
		return err
	}
	return b.pack(dst, src)
}

// fits checks that the lengths of the two sides belong together.
func (b *Block) fits(elements, bytes int) error {
	want, err := b.Size(int64(elements))
	if err != nil {
		return err
	}
	if int64(bytes) != want {
		return errs.New(CodeBadLength, "%d elements in %s take %d bytes, not %d", elements, b.Encoding, want, bytes)
	}
	return nil
}
