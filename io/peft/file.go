package peft

import (
	"encoding/binary"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/filemap"
	"github.com/skainet-dev/skainet-go/io/safetensors"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Format is the name of the format.
const Format = "peft"

// TensorsFile is the name of the file with the tensors, beside the settings.
const TensorsFile = "adapter_model.safetensors"

// Codes of this package.
const (
	CodeConfig      errs.Code = "PEFT_BAD_CONFIG"  // smallest input: {"peft_type": "LORA"}, without lora_alpha
	CodeUnsupported errs.Code = "PEFT_UNSUPPORTED" // smallest input: {"peft_type": "LOHA"}
	CodeTensor      errs.Code = "PEFT_BAD_TENSOR"  // smallest input: a tensor lora_A without its lora_B
)

// The ends of the names of a layer's tensors.
const (
	EndA     = ".lora_A.weight"
	EndB     = ".lora_B.weight"
	EndScale = ".lora_scale"
)

// File is an open adapter.
type File struct {
	path    string
	size    int64 // of the settings
	tensors *safetensors.File
	scales  map[string]float32 // by the name of the tensor
	names   []string           // of scales, sorted
}

// Open reads the settings at path, and opens the tensors beside them.
func Open(path string) (_ *File, err error) {
	m, c, err := filemap.Parse(path, parseConfig)
	if err != nil {
		return nil, err
	}
	f := &File{path: path, size: m.Size(), scales: map[string]float32{}}
	if err := m.Close(); err != nil {
		return nil, err
	}
	if f.tensors, err = safetensors.Open(tensorsBeside(path)); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			f.tensors.Close()
		}
	}()
	layers, err := f.layers()
	if err != nil {
		return nil, errs.WithFile(err, f.tensors.Path())
	}
	for _, layer := range slices.Sorted(maps.Keys(layers)) {
		s, err := c.scale(layer, layers[layer])
		if err != nil {
			return nil, errs.WithFile(err, path)
		}
		f.scales[layer+EndScale] = s
		f.names = append(f.names, layer+EndScale)
	}
	return f, nil
}

func tensorsBeside(path string) string { return filepath.Join(filepath.Dir(path), TensorsFile) }

// Verify lists what is wrong with the adapter whose settings are at path.
func Verify(path string) ([]error, error) {
	m, _, err := filemap.Parse(path, parseConfig)
	switch errs.CodeOf(err) {
	case "":
		if err != nil {
			return nil, err
		}
	case CodeConfig, CodeUnsupported:
		return []error{err}, nil
	default:
		return nil, err
	}
	if err := m.Close(); err != nil {
		return nil, err
	}
	faults, err := safetensors.Verify(tensorsBeside(path))
	if err != nil {
		return []error{err}, nil //nolint:nilerr // a part that is missing is a fault of the adapter
	}
	if len(faults) > 0 {
		return faults, nil
	}
	f, err := Open(path)
	if err != nil {
		return []error{err}, nil //nolint:nilerr // a fault of the adapter
	}
	return nil, f.Close()
}

// layers returns the rank of each layer that has A and B.
func (f *File) layers() (map[string]int64, error) {
	a, b := map[string]safetensors.Info{}, map[string]safetensors.Info{}
	for _, t := range f.tensors.Tensors() {
		layer, isA := strings.CutSuffix(t.Name, EndA)
		if isA {
			a[layer] = t
			continue
		}
		layer, isB := strings.CutSuffix(t.Name, EndB)
		if !isB {
			return nil, errs.New(CodeTensor, "the tensor is neither A nor B of a linear layer").On(t.Name).
				Hint(merge + "; names as save_pretrained writes them end in " + EndA + " and " + EndB)
		}
		b[layer] = t
	}
	ranks := map[string]int64{}
	for _, t := range f.tensors.Tensors() {
		layer := strings.TrimSuffix(strings.TrimSuffix(t.Name, EndA), EndB)
		x, hasA := a[layer]
		y, hasB := b[layer]
		if !hasA || !hasB {
			return nil, errs.New(CodeTensor, "the layer has only one of A and B").On(t.Name).
				Hint("copy the file again, or save the adapter again by PEFT's save_pretrained, which writes both")
		}
		if x.Shape.Rank() != 2 || y.Shape.Rank() != 2 || x.Shape[0].Size != y.Shape[1].Size || x.Shape[0].Size < 1 {
			return nil, errs.New(CodeTensor, "A is %s and B %s, want [r, in] and [out, r]", x.Shape, y.Shape).On(t.Name).
				Hint("give an adapter of linear layers as PEFT's save_pretrained writes it; those of convolutions and embeddings are not supported: " + merge)
		}
		ranks[layer] = x.Shape[0].Size
	}
	return ranks, nil
}

// Index describes the tensors, and the factors after them.
func (f *File) Index() *tensor.Index {
	x := *f.tensors.Index()
	x.Format = Format
	x.Tensors = slices.Clone(x.Tensors)
	for _, name := range f.names {
		x.Tensors = append(x.Tensors, tensor.Spec{Name: name, DType: dtype.F32, Shape: shape.Of(1), Encoding: quant.Dense, Bytes: 4})
	}
	return &x
}

// Tensor returns the bytes of a tensor or of a factor.
func (f *File) Tensor(name string) (tensor.Buffer, error) {
	if s, ok := f.scales[name]; ok {
		return tensor.Owned(binary.LittleEndian.AppendUint32(nil, math.Float32bits(s))), nil
	}
	return f.tensors.Tensor(name)
}

// Place returns the file in which a tensor's bytes lie, and the offset of the first of
// them. A factor is computed: its place is the beginning of the settings.
func (f *File) Place(name string) (path string, offset int64, err error) {
	if _, ok := f.scales[name]; ok {
		return f.path, 0, nil
	}
	return f.tensors.Place(name)
}

// Size returns the length of both files.
func (f *File) Size() int64 { return f.size + f.tensors.Size() }

// Paths returns the settings and the files of the tensors.
func (f *File) Paths() []string { return append([]string{f.path}, f.tensors.Paths()...) }

// Close closes the file and every buffer of it.
func (f *File) Close() error { return f.tensors.Close() }
