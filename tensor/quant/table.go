package quant

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/errs"
)

// NoGGML is the type number of a block encoding that GGUF does not know.
const NoGGML uint32 = math.MaxUint32

// Block is a row of the table: an encoding that stores Elements elements in
// Bytes bytes. Elements follow each other in row-major order; a row of a matrix
// is an integer of blocks.
type Block struct {
	Encoding Encoding
	GGML     uint32 // the type number in GGUF; NoGGML where there is none
	Elements int64  // of one block
	Bytes    int64  // of one block
	Doc      string // the layout: byte offsets, bit order, and what a value is
	Source   string // the document or program that defines the layout

	// tail is what the encoding stores after the last block, once per tensor.
	tail int64
	// short says that the last block may lack elements.
	short bool
	// unpack and pack are called with slices whose lengths belong together, and
	// allocate nothing. pack is nil where the encoding cannot be written.
	unpack func(dst []float32, src []byte) error
	pack   func(dst []byte, src []float32) error
}

// The families, each in a file of its own, with unpackers in Go.
var families = [][]Block{legacyBlocks, kBlocks, iqBlocks, ternaryBlocks, float4Blocks, skainetBlocks}

var (
	table  = slices.Concat(families...)
	names  = make([]string, len(table))
	byName = make(map[Encoding]*Block, len(table))
	byGGML = make(map[uint32]*Block, len(table))
)

func init() {
	fast := kernels()
	for i := range table {
		b := &table[i]
		if f := fast[b.Encoding]; f != nil {
			b.unpack = f
		}
		names[i] = string(b.Encoding)
		byName[b.Encoding] = b
		if b.GGML != NoGGML {
			byGGML[b.GGML] = b
		}
	}
}

// All lists the block encodings, family by family.
func All() []Block { return slices.Clone(table) }

// Block returns the row of a block encoding; false for others.
func (e Encoding) Block() (Block, bool) {
	if b, ok := e.lookup(); ok {
		return *b, true
	}
	return Block{}, false
}

// lookup finds the row of a block encoding: in the table, or made from a name
// with parameters.
func (e Encoding) lookup() (*Block, bool) {
	if b, ok := byName[e]; ok {
		return b, true
	}
	return turboRow(e)
}

// ByGGML finds the block encoding with this GGUF type number. Types of single
// elements, such as F16 (1) or I32 (26), are dense and not in the table.
func ByGGML(number uint32) (Block, bool) {
	if b, ok := byGGML[number]; ok {
		return *b, true
	}
	return Block{}, false
}

// row finds the row of an encoding, or says why it has none.
func (e Encoding) row() (*Block, error) {
	if b, ok := e.lookup(); ok {
		return b, nil
	}
	switch {
	case e.scalesRows():
		return nil, e.needsRows()
	case e.IsDense():
		return nil, errs.New(CodeDense, "dense elements have no blocks").
			Hint("take the size and the conversion from the element type")
	case e.IsOpaque():
		return nil, errs.New(CodeOpaque, "the layout of encoding %q is unknown", string(e)).
			Hint("copy the bytes as they are, or store the tensor in a known encoding: %s", knownHint)
	}
	if base, ok := e.Blocks(); ok {
		return nil, errs.New(CodePlanar, "rows of encoding %s have their fields apart", e).
			Hint("unpack %s, after quant.Join", base)
	}
	return nil, e.unknown()
}

const knownHint = "skainet convert knows F32, F16, BF16 and the ggml block types"

// Size returns the stored bytes of a row or a tensor of this many elements. It is
// QUANT_BAD_LENGTH where they are not a multiple of the block size.
func (e Encoding) Size(elements int64) (int64, error) {
	if _, ok := e.Blocks(); ok {
		return e.planarSize(elements)
	}
	b, err := e.row()
	if err != nil {
		return 0, err
	}
	return b.Size(elements)
}

// Size returns the stored bytes of a row or a tensor of this many elements.
func (b *Block) Size(elements int64) (int64, error) {
	if elements < 0 || elements%b.Elements != 0 && !b.short {
		return 0, errs.New(CodeBadLength, "%d elements are not a multiple of the %s block size %d", elements, b.Encoding, b.Elements).
			Hint("use an encoding whose block divides the row")
	}
	n := elements / b.Elements
	if elements%b.Elements != 0 {
		n++
	}
	if n > (math.MaxInt64-b.tail)/b.Bytes {
		return 0, errs.New(CodeBadLength, "%d elements in %s take more than 2^63 bytes", elements, b.Encoding)
	}
	return n*b.Bytes + b.tail, nil
}
