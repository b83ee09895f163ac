package transform

import (
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// find chooses the kind and the steps, or returns the reason why there is no way.
func (t *Transform) find(to Storage) error {
	from := StorageOf(t.From)
	fromBase, fromPlanar := from.Encoding.Blocks()
	toBase, toPlanar := to.Encoding.Blocks()
	fromBlocks, toBlocks := !fromBase.IsDense(), !toBase.IsDense()
	codes, coded := from.DType.Codes()
	switch {
	case coded && codes == to.DType && !fromBlocks && !toBlocks && !from.Encoding.IsOpaque():
		t.Kind = Codes
		return nil
	case from.Encoding.IsOpaque() || to.Encoding.IsOpaque():
		return t.none("the layout of opaque bytes is unknown", "they can only be copied; ask for the storage of the file")
	case toBlocks && to.DType != dtype.F32 || fromBlocks && from.DType != dtype.F32:
		return t.none("blocks have the logical type f32", "ask for f32 with this encoding")
	case fromBlocks && toBlocks && fromBase == toBase:
		t.Kind = Repack
		t.steps = steps{join: fromPlanar, split: toPlanar, blocks: fromBase, from: from, to: to}
		return nil
	case toBlocks && !quant.CanPack(toBase):
		return t.none("this encoding can be read but not written", "ask for another one, such as Q8_0, or for the storage of the file")
	case !fromBlocks && !isFloat(from.DType) || !toBlocks && !canMake(to.DType):
		return t.none("only floats and blocks can be converted, to f16, bf16, f32, f64 and blocks", "ask for one of those, such as f16 or Q8_0, or for the storage of the file")
	case fromBlocks && toBlocks:
		t.Kind, t.Exact = Requantise, false
	case toBlocks:
		t.Kind, t.Exact = Quantise, false
	case fromBlocks:
		t.Kind, t.Exact = Dequantise, to.DType.Holds(dtype.F32)
	case to.DType.Holds(from.DType):
		t.Kind = Widen
	default:
		t.Kind, t.Exact = Narrow, false
	}
	t.steps = steps{join: fromPlanar, split: toPlanar, floats: true, from: from, to: to}
	return nil
}

func (t *Transform) none(why, do string) error {
	return errs.New(CodeType, "cannot convert %s (%s) of the weight file to %s (%s): %s",
		t.From.Type(), t.From.Encoding, tensor.Type{DType: t.To.DType, Shape: t.To.Shape}, t.To.Encoding, why).
		In(t.options.File).On(t.From.Name).Hint("%s", do)
}

// isFloat reports whether elements can be decoded to f32.
func isFloat(d dtype.DType) bool {
	if _, ok := d.Small(); ok {
		return d.Bits() == 8
	}
	return d.IsFloat()
}

// canMake reports whether elements can be made from f32.
func canMake(d dtype.DType) bool { return d.IsFloat() }
