package transform

import (
	"encoding/binary"
	"math"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// steps is the program of a transform: bring fields together, unpack to f32,
// pack, take fields apart, each where it is needed.
type steps struct {
	join, split bool
	floats      bool // by way of f32
	part        Part // if not 0, of rows that are scaled; see rows.go
	row         int64
	blocks      quant.Encoding
	from, to    Storage
}

// chunk is what a worker needs for one chunk; its slices are used again.
type chunk struct {
	src, dst []byte
	rows     []byte // blocks with their fields together, where one side has them apart
	values   []float32
	overflow int64
}

// run transforms c.src of n elements, in rows of columns, to c.dst.
func (s steps) run(c *chunk, n, columns int64) (err error) {
	if !s.floats {
		if s.join {
			return quant.Join(s.from.Encoding, columns, c.dst, c.src)
		}
		return quant.Split(s.to.Encoding, columns, c.dst, c.src)
	}
	values := grow(&c.values, n)
	src := c.src
	if s.join {
		base, _ := s.from.Encoding.Blocks()
		size, err := base.Size(n)
		if err != nil {
			return err
		}
		src = grow(&c.rows, size)
		if err := quant.Join(s.from.Encoding, columns, src, c.src); err != nil {
			return err
		}
	}
	if c.overflow, err = s.decode(values, src, int(columns)); err != nil {
		return err
	}
	if s.part != 0 {
		return s.scaleRows(c, values)
	}
	if !s.split {
		more, err := s.encode(c.dst, values, int(columns))
		c.overflow += more
		return err
	}
	base, _ := s.to.Encoding.Blocks()
	size, err := base.Size(n)
	if err != nil {
		return err
	}
	rows := grow(&c.rows, size)
	if err := quant.Pack(base, rows, values); err != nil {
		return err
	}
	return quant.Split(s.to.Encoding, columns, c.dst, rows)
}

// decode returns the elements as f32. Those of f64 are rounded to f32 if that is
// the result, and to odd if they are rounded again.
func (s steps) decode(values []float32, src []byte, columns int) (overflow int64, err error) {
	base, _ := s.from.Encoding.Blocks()
	if !base.IsDense() {
		return 0, unpack(base, values, src, columns)
	}
	if s.from.DType != dtype.F64 {
		return 0, tensor.Float32s(s.from.DType, values, src)
	}
	again := s.to.DType != dtype.F32 // f16 or bf16
	for i := range values {
		d := math.Float64frombits(binary.LittleEndian.Uint64(src[8*i:]))
		if again {
			values[i] = tensor.F64ToF32Odd(d)
			continue
		}
		values[i] = float32(d)
		if math.IsInf(float64(values[i]), 0) && !math.IsInf(d, 0) {
			overflow++
		}
	}
	return overflow, nil
}

func (s steps) encode(dst []byte, values []float32, columns int) (overflow int64, err error) {
	if !s.to.Encoding.IsDense() {
		return 0, pack(s.to.Encoding, dst, values, columns)
	}
	return tensor.PutFloat32s(s.to.DType, dst, values)
}

// unpack and pack tell encodings that keep something for each row how long rows
// are; such a tensor is changed at once. Chunks of others may end within a row.
func unpack(e quant.Encoding, values []float32, src []byte, columns int) error {
	if _, err := e.Size(0); err != nil {
		return quant.UnpackRows(e, values, src, columns)
	}
	return quant.Unpack(e, values, src)
}

func pack(e quant.Encoding, dst []byte, values []float32, columns int) error {
	if _, err := e.Size(0); err != nil {
		return quant.PackRows(e, dst, values, columns)
	}
	return quant.Pack(e, dst, values)
}

// grow returns a slice of n elements, in the memory of *s where there is enough.
func grow[T any](s *[]T, n int64) []T {
	if int64(cap(*s)) < n {
		*s = make([]T, n)
	}
	*s = (*s)[:n]
	return *s
}
