package irpa

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/test/badfiles"
)

// FuzzParse checks that any input either parses to entries whose bytes lie in
// the file, or returns a coded error with an offset inside the file; and that
// what was read can be written and is then read alike.
func FuzzParse(f *testing.F) {
	f.Add(badfiles.IRPAGood())
	for _, c := range badfiles.IRPA() {
		if len(c.Data) < 1<<16 {
			f.Add(c.Data)
		}
	}
	for _, name := range []string{"data", "mixed", "splat", "empty"} {
		b, err := os.ReadFile("testdata/golden/" + name + ".irpa")
		require.NoError(f, err)
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := parse(data, new(errs.Faults))
		if err != nil {
			var e *errs.Error
			require.ErrorAs(t, err, &e)
			require.True(t, e.HasOffset && e.Offset >= 0 && e.Offset <= int64(len(data)), "%v", err)
			return
		}
		var items []Item
		for _, e := range a.entries {
			switch e.Type {
			case Data:
				items = append(items, Bytes(e.Name, data[e.Offset:e.Offset+e.Length]))
			case Splat:
				if e.Length <= maxTotal {
					items = append(items, Item{Name: e.Name, Length: e.Length, Pattern: e.Pattern})
				}
			}
		}
		var out bytes.Buffer
		require.NoError(t, Encode(&out, items))
		back, err := parse(out.Bytes(), new(errs.Faults))
		require.NoError(t, err)
		require.Len(t, back.entries, len(items))
		for i, e := range back.entries {
			require.Equal(t, items[i].Name, e.Name)
			require.Equal(t, items[i].Length, e.Length)
			require.Equal(t, items[i].Pattern, e.Pattern)
		}
	})
}
