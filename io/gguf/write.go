package gguf

import (
	"io"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Item is a tensor to write. Open is called once, when the tensor is written, and
// must yield exactly Bytes bytes, the size of its shape and type, in the layout of
// tensor.Buffer; a buffer's Reader method does.
type Item struct {
	tensor.Spec
	Open func() (io.Reader, error)
}

// Options configures the writer. The zero value is version 3, little endian, with an
// alignment of 32 and one file.
type Options struct {
	Version   int   // 2 or 3; 0 for 3
	BigEndian bool  // dense elements are swapped; see Byte order
	Alignment int64 // of tensors; 0 for 32
	// PartBytes splits the model: a part takes tensors, in order, up to this many
	// bytes, and at least one tensor. 0 means no limit.
	PartBytes int64
	NoSync    bool // see atomicfile.File
	// BeyondGGML allows names and arrays that ggml's reader refuses.
	BeyondGGML bool
}

// Write writes a model to the file at path or, where PartBytes asks for several
// files, to NAME-00001-of-00003.gguf and so on for NAME.gguf, as llama.cpp names
// them; the first has the pairs. It returns the paths. Each file is either complete
// or absent.
func Write(path string, pairs []Pair, items []Item, o Options) ([]string, error) {
	outputs, err := plan(pairs, items, o)
	if err != nil {
		return nil, errs.WithFile(err, path)
	}
	var paths []string
	var files []atomicfile.File
	for i, out := range outputs {
		name := path
		if len(outputs) > 1 {
			name = PartPath(strings.TrimSuffix(path, ".gguf"), i, len(outputs))
		}
		paths = append(paths, name)
		files = append(files, atomicfile.File{Path: name, NoSync: o.NoSync, Write: func(w io.Writer) error {
			return errs.WithFile(out.write(w), name)
		}})
	}
	if err := atomicfile.WriteAll(files...); err != nil {
		return nil, err
	}
	return paths, nil
}

// Encode streams a model in one file; it holds the metadata in memory and no
// data. It returns GGUF_BAD_OPTION where o asks for parts.
func Encode(w io.Writer, pairs []Pair, items []Item, o Options) error {
	if o.PartBytes != 0 {
		return errs.New(CodeOption, "a stream cannot be split into parts").Hint("use Write")
	}
	outputs, err := plan(pairs, items, o)
	if err != nil {
		return err
	}
	return outputs[0].write(w)
}

// output is a planned file.
type output struct {
	head  []byte // with the padding after it
	items []Item
	swaps []int // of each item; 0 for bytes as they are
	size  int64
	align int64
}

func (out *output) write(w io.Writer) error {
	if r, ok := w.(atomicfile.Reserver); ok {
		if err := r.Reserve(out.size); err != nil {
			return err
		}
	}
	if _, err := w.Write(out.head); err != nil {
		return err
	}
	for i, item := range out.items {
		if err := copyItem(w, item, out.swaps[i]); err != nil {
			return on(err, item.Name)
		}
		if err := zeros(w, align(item.Bytes, out.align)-item.Bytes); err != nil {
			return err
		}
	}
	return nil
}

// copyItem writes the bytes of an item and checks that they are as many as
// promised.
func copyItem(w io.Writer, item Item, swap int) error {
	if item.Bytes == 0 && item.Open == nil {
		return nil
	}
	r, err := item.Open()
	if err != nil {
		return err
	}
	// A window knows its length and may copy without calling Read.
	if k, ok := r.(interface {
		io.WriterTo
		Remaining() int64
	}); ok && swap == 0 && k.Remaining() == item.Bytes {
		n, err := k.WriteTo(w)
		if err == nil && n != item.Bytes {
			err = errs.New(CodeLength, "the source gave %d of %d bytes", n, item.Bytes)
		}
		return err
	}
	if swap > 1 {
		r = swapReader(r, swap)
	}
	n, err := io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{io.LimitReader(r, item.Bytes)}, make([]byte, min(item.Bytes+1, 1<<20)))
	if err != nil {
		return err
	}
	if n < item.Bytes {
		return errs.New(CodeLength, "the source ended after %d of %d bytes", n, item.Bytes)
	}
	if n, _ := io.ReadFull(r, make([]byte, 1)); n > 0 {
		return errs.New(CodeLength, "the source has more than the %d bytes promised", item.Bytes)
	}
	return nil
}

var zero [4096]byte

func zeros(w io.Writer, n int64) error {
	for n > 0 {
		k, err := w.Write(zero[:min(n, int64(len(zero)))])
		if err != nil {
			return err
		}
		n -= int64(k)
	}
	return nil
}
