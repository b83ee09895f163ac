package traps

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// The caches of Cached.
const (
	cacheRows  = 1000
	cacheDepth = 64
	CacheSize  = cacheRows * cacheDepth * 2 // bytes
)

// Cached is the constructor of a decoder's caches: keys and values of two layers that
// one token, any number of tokens, and a loop after any number of them write rows to
// and attend to. Its text is inspected.
func Cached(m *lang.Module) {
	var states []lang.State
	for i := range 4 {
		states = append(states, m.State(fmt.Sprintf("cache_%d", i), dtype.F16, 0, cacheRows, 1, cacheDepth))
	}
	position := m.State("position", dtype.I32, 0)
	read := func(f *lang.Func) (caches []lang.Tensor) {
		for _, s := range states {
			caches = append(caches, f.Read(s))
		}
		return caches
	}
	write := func(f *lang.Func, caches []lang.Tensor, at lang.Tensor) {
		for i, s := range states {
			f.Write(s, caches[i])
		}
		f.Write(position, at)
	}
	// run is two layers of [T, 128], from row start on.
	run := func(f *lang.Func, x, start lang.Tensor, caches []lang.Tensor) (lang.Tensor, []lang.Tensor) {
		tokens := x.DimOf(0)
		for i := 0; i < len(caches); i += 2 {
			half := x.Slice(1, 0, cacheDepth).ReshapeOf(tokens, shape.N(1), shape.N(cacheDepth)).Convert(dtype.F16)
			keys, values := caches[i].UpdateRows(half, start), caches[i+1].UpdateRows(half.Negate(), start)
			q := x.ReshapeOf(tokens, shape.N(2), shape.N(cacheDepth))
			x = x.Add(q.CachedAttention(keys, values, start, lang.AttentionOptions{Window: int64(100 * i)}).ReshapeOf(x.Dims()...))
			caches = append(append(append([]lang.Tensor{}, caches[:i]...), keys, values), caches[i+2:]...)
		}
		return x, caches
	}
	tokens := func(f *lang.Func) lang.Tensor {
		return f.InputOf("x", dtype.F32, shape.Named("seq"), shape.N(2*cacheDepth))
	}
	m.Entry("decode", func(f *lang.Func) {
		at := f.Read(position)
		y, caches := run(f, f.Input("x", dtype.F32, 1, 2*cacheDepth), at, read(f))
		f.Output("y", y)
		write(f, caches, at.AddScalar(1))
	})
	m.Entry("prefill", func(f *lang.Func) {
		x, at := tokens(f), f.Read(position)
		y, caches := run(f, x, at, read(f))
		f.Output("y", y)
		write(f, caches, at.Add(x.Size(0)))
	})
	m.Entry("generate", func(f *lang.Func) {
		x, at := tokens(f), f.Read(position)
		y, caches := run(f, x, at, read(f))
		n := x.DimOf(0)
		out := f.While(append([]lang.Tensor{at.Add(x.Size(0)), y.SliceOf(0, n.Minus(shape.N(1)), n, 1)}, caches...),
			func(v []lang.Tensor) lang.Tensor { return v[0].Less(f.Splat(dtype.I32, cacheRows)) },
			func(v []lang.Tensor) []lang.Tensor {
				y, caches := run(f, v[1], v[0], v[2:])
				return append([]lang.Tensor{v[0].AddScalar(1), y}, caches...)
			})
		f.Output("y", out[1])
		write(f, out[2:], out[0])
	})
}

var (
	defined = regexp.MustCompile(`^\s*(%[\w#]+) = (arith\.\w+) (.*?) : `)
	// Operations that allocate or copy memory, and their sizes.
	taken = regexp.MustCompile(`stream\.resource\.alloca .*!stream\.resource<(\w+)>\{(%[\w#]+)\}`)
	moved = regexp.MustCompile(`stream\.cmd\.(copy) .*, (%[\w#]+) : `)
)

// Moves lists the copies and the allocations of at least size bytes in the functions
// of a program, each as the name of the function and the line: what an update of a
// cache takes that is not done in place. Allocations are those of the lifetimes that
// are given: variable, transient. Of sizes that a call gives, only numbers that they
// are a sum of count. text is of the phase stream.
func Moves(text string, size int64, lifetimes ...string) []string {
	var found []string
	function, known := "", map[string]int64{}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "  util.") {
			_, name, _ := strings.Cut(line, "util.func public @")
			function, _, _ = strings.Cut(name, "(") // "" is what runs when a program is loaded
			known = map[string]int64{}
		}
		if m := defined.FindStringSubmatch(line); m != nil {
			known[m[1]] = sizeOf(m[2], m[3], known)
		}
		for _, r := range []*regexp.Regexp{taken, moved} {
			if m := r.FindStringSubmatch(line); m != nil && function != "" && known[m[2]] >= size &&
				(m[1] == "copy" || slices.Contains(lifetimes, m[1])) {
				found = append(found, function+": "+strings.TrimSpace(line))
			}
		}
	}
	return found
}

// sizeOf returns the part of a size that is known.
func sizeOf(name, operands string, known map[string]int64) (n int64) {
	switch name {
	case "arith.constant":
		n, _ = strconv.ParseInt(operands, 10, 64) // 0 for what is not a number
	case "arith.addi":
		for _, o := range strings.Split(operands, ", ") {
			n += known[o]
		}
	}
	return n
}
