package iree

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// A loop over a cache in a state variable; body changes the carried values, and after
// may read more of them.
func caching(body func(f *lang.Func, at, cache, x lang.Tensor) (lang.Tensor, lang.Tensor), after func(f *lang.Func, s lang.State, before, last lang.Tensor)) lang.Constructor {
	return func(m *lang.Module) {
		s := m.State("cache", dtype.F32, 0, 8, 2)
		m.Entry("main", func(f *lang.Func) {
			x, before := f.Input("x", dtype.F32, 1, 2), f.Read(s)
			out := f.While([]lang.Tensor{f.Splat(dtype.I32, 0), before, x}, func(c []lang.Tensor) lang.Tensor {
				return c[0].Less(f.Splat(dtype.I32, 5))
			}, func(c []lang.Tensor) []lang.Tensor {
				cache, next := body(f, c[0], c[1], c[2])
				return []lang.Tensor{c[0].AddScalar(1), cache, next}
			})
			f.Write(s, out[1])
			f.Output("y", out[2])
			if after != nil {
				after(f, s, before, out[1])
			}
		})
	}
}

// Only a cache whose old contents nothing needs may live in its variable: a loop then
// carries the counter and the row, else the cache too.
func TestCachesOfLoops(t *testing.T) {
	update := func(f *lang.Func, at, cache, x lang.Tensor) (lang.Tensor, lang.Tensor) {
		return cache.UpdateRows(x, at), x.Add(cache.Sum(true, 0))
	}
	for name, tt := range map[string]struct {
		build   lang.Constructor
		carried int
	}{
		"in place": {caching(update, nil), 2},
		"window": {caching(func(f *lang.Func, at, cache, x lang.Tensor) (lang.Tensor, lang.Tensor) {
			return cache.Update(x, at, f.Splat(dtype.I32, 0)), x.Negate()
		}, nil), 2},
		"unchanged": {caching(func(f *lang.Func, at, cache, x lang.Tensor) (lang.Tensor, lang.Tensor) {
			return cache, x.Add(cache.Sum(true, 0))
		}, nil), 2},
		"used afterwards": {caching(update, func(f *lang.Func, s lang.State, before, last lang.Tensor) { f.Output("z", last.Negate()) }), 2},
		"made anew": {caching(func(f *lang.Func, at, cache, x lang.Tensor) (lang.Tensor, lang.Tensor) {
			return cache.Negate(), x.Negate()
		}, nil), 3},
		"old contents used afterwards": {caching(update, func(f *lang.Func, s lang.State, before, last lang.Tensor) { f.Output("z", before.Negate()) }), 3},
		"old contents are a result":    {caching(update, func(f *lang.Func, s lang.State, before, last lang.Tensor) { f.Output("z", before.Reshape(16)) }), 3},
		"read again":                   {caching(update, func(f *lang.Func, s lang.State, before, last lang.Tensor) { f.Output("z", f.Read(s).Negate()) }), 3},
		"a part is carried": {caching(func(f *lang.Func, at, cache, x lang.Tensor) (lang.Tensor, lang.Tensor) {
			return cache.UpdateRows(x, at), cache.Slice(0, 0, 1)
		}, nil), 3},
	} {
		t.Run(name, func(t *testing.T) {
			text := string(mustEmit(t, tt.build, Options{}).Text)
			_, types, ok := strings.Cut(text, "stablehlo.while(")
			require.True(t, ok)
			types, _, _ = strings.Cut(types, "\n")
			_, types, _ = strings.Cut(types, ") : ")
			require.Len(t, strings.Split(types, ", "), tt.carried, types)
			// The variable is written once, in the loop or after it; and before it, where
			// the program waits for what it holds (loop-load).
			want := 1
			if tt.carried == 2 && name != "unchanged" {
				want = 2
			}
			require.Equal(t, want, strings.Count(text, "util.global.store"))
		})
	}
}
