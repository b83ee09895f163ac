package ctranslate2

import (
	"bytes"
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/test/badfiles"
)

// FuzzParse checks that any input either parses to tensors inside the file
// that do not overlap, and is written again as it was but for its version, or
// gives a coded error with an offset inside the file.
func FuzzParse(f *testing.F) {
	f.Add(badfiles.CT2Good())
	for _, c := range badfiles.CT2() {
		f.Add(c.Data)
	}
	old, err := os.ReadFile("testdata/golden/v3.bin")
	require.NoError(f, err)
	f.Add(old)
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := read(bytes.Clone(data))
		if err != nil {
			var e *errs.Error
			require.ErrorAs(t, err, &e)
			require.True(t, e.HasOffset && e.Offset >= 0 && e.Offset <= int64(len(data)), "%v", err)
			return
		}
		end := int64(0)
		for _, s := range p.index.Tensors {
			v := p.vars[s.Name]
			require.GreaterOrEqual(t, v.offset, end, s.Name)
			end = v.offset + s.Bytes
			require.LessOrEqual(t, end, int64(len(data)), s.Name)
			n, err := s.Type().Bytes()
			require.NoError(t, err)
			require.Equal(t, n, s.Bytes)
		}
		for name, target := range p.index.Aliases {
			require.Contains(t, p.vars, target, name)
			require.NotContains(t, p.vars, name)
		}
		if p.version == widthVersion {
			return // its lengths are written otherwise
		}
		var items []Item
		for _, v := range p.order {
			items = append(items, Item{v.spec, func() (io.Reader, error) { return bytes.NewReader(data[v.offset:][:v.spec.Bytes]), nil }})
		}
		var again bytes.Buffer
		require.NoError(t, Encode(&again, p.header, items))
		require.True(t, bytes.Equal(data[4:], again.Bytes()[4:]), "there is one way to write a file")
	})
}
