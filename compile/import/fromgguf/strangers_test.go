package fromgguf_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/import/fromgguf"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/test/families"
)

// A setting of any size, and a list of any, gives a config or an error with a code: nothing
// divides by it, counts up to it or reads beyond it.
func TestNumbersOfStrangers(t *testing.T) {
	for _, f := range slices.Concat(families.All(), families.More(), families.Encoders()) {
		if f.Name != f.Architecture { // one file of each
			continue
		}
		x := index(t, f.Name)
		read := func() error {
			if _, err := fromgguf.Config(x, "", 64); errs.CodeOf(err) != "CAUSAL_ARCHITECTURE" {
				return err
			}
			_, err := fromgguf.Encoder(x)
			return err
		}
		require.NoError(t, read(), f.Name)
		check := func() {
			t.Helper()
			if err := read(); err != nil {
				require.NotEmpty(t, errs.CodeOf(err), "%s: %v", f.Name, err)
			}
		}
		for _, key := range slices.Sorted(maps.Keys(x.Scalars)) {
			if !strings.HasPrefix(key, f.Architecture+".") {
				continue
			}
			old := x.Scalars[key]
			for _, n := range []int64{0, 1, 3, -1, old + 1, 1 << 20, 1 << 62} {
				x.Scalars[key] = n
				check()
			}
			delete(x.Scalars, key)
			check()
			x.Scalars[key] = old
		}
		for _, key := range slices.Sorted(maps.Keys(x.Lists)) {
			old := x.Lists[key]
			for _, list := range [][]float64{{0}, {1, 1, 1, 1, 1, 1}, {0, 0, 0, 0, 0, 0}, {-1, 1e18, 0.5, 2, 2, 2}, {1e300, -1e300, 1, 1, 1, 1}} {
				x.Lists[key] = list
				check()
			}
			delete(x.Lists, key)
			check()
			x.Lists[key] = old
		}
		whole := x
		for _, s := range whole.Tensors { // what the first block has decides what the file is
			if !strings.HasPrefix(s.Name, "blk.") || strings.HasPrefix(s.Name, "blk.0.") {
				x = &tensor.Index{Format: whole.Format, Metadata: whole.Metadata, Scalars: whole.Scalars, Lists: whole.Lists, Tensors: slices.Clone(whole.Tensors)}
				drop(x, s.Name)
				check()
			}
		}
	}
}
