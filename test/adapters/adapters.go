// Package adapters makes low-rank adapters as the library PEFT saves them, of numbers that
// depend on a seed alone: with the names, shapes and factors of trained ones.
//
// # Errors
//
// Those of package safetensors, and of writing files.
//
// # Determinism
//
// The bytes depend on the arguments alone.
package adapters

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"path/filepath"

	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/io/peft"
	"github.com/skainet-dev/skainet-go/io/safetensors"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Config is the name of the file of settings that Write makes.
const Config = "adapter_config.json"

// Adapter is what to make.
type Adapter struct {
	Seed    string
	Rank    int64
	Alpha   float64
	Blocks  int64    // transformer blocks that have it
	Modules []Module // layers of each
	Size    float64  // largest magnitude of B's elements; those of A are up to 1/sqrt(in)
}

// Module is a linear layer of a block, such as self_attn.q_proj.
type Module struct {
	Name    string
	In, Out int64
}

// Key returns the name of a layer in a model.
func Key(block int64, module string) string {
	return fmt.Sprintf("base_model.model.model.layers.%d.%s", block, module)
}

// Write writes the adapter's two files to dir, which exists.
func (a Adapter) Write(dir string) error {
	var items []safetensors.Item
	for i := range a.Blocks {
		for _, m := range a.Modules {
			key := Key(i, m.Name)
			items = append(items,
				a.item(key+peft.EndA, 1/math.Sqrt(float64(m.In)), a.Rank, m.In),
				a.item(key+peft.EndB, a.Size, m.Out, a.Rank))
		}
	}
	if err := safetensors.Write(filepath.Join(dir, peft.TensorsFile), items, map[string]string{"format": "pt"}); err != nil {
		return err
	}
	text := fmt.Sprintf("{\n  \"bias\": \"none\",\n  \"lora_alpha\": %g,\n  \"peft_type\": \"LORA\",\n  \"r\": %d,\n  \"task_type\": \"CAUSAL_LM\"\n}\n", a.Alpha, a.Rank)
	return atomicfile.WriteFile(filepath.Join(dir, Config), []byte(text))
}

func (a Adapter) item(name string, size float64, rows, columns int64) safetensors.Item {
	s := tensor.Spec{Name: name, DType: dtype.F32, Shape: shape.Of(rows, columns), Encoding: quant.Dense, Bytes: 4 * rows * columns}
	return safetensors.Item{Spec: s, Data: tensor.Owned(numbers(a.Seed+"/"+name, size, rows*columns))}
}

// numbers are uniform between -size and size.
func numbers(seed string, size float64, n int64) []byte {
	h := fnv.New64a()
	_, _ = h.Write([]byte(seed)) // does not fail
	r := rand.New(rand.NewPCG(h.Sum64(), 0))
	b := make([]byte, 0, 4*n)
	for range n {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(size*(2*r.Float64()-1))))
	}
	return b
}
