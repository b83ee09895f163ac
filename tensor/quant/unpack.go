package quant

import "github.com/skainet-dev/skainet-go/errs"

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
