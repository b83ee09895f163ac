package optable

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// No cell of any format is empty, and every operation is in each format once.
func TestNoHole(t *testing.T) {
	markdown, page := string(Markdown()), string(AsciiDoc())
	var rows []Operation
	require.NoError(t, json.Unmarshal(JSON(), &rows))
	if diff := cmp.Diff(Operations(), rows); diff != "" {
		t.Error(diff)
	}
	require.Len(t, rows, len(op.All()))
	for i, o := range op.All() {
		t.Run(o.Name, func(t *testing.T) {
			require.Equal(t, o.Name, rows[i].Name)
			require.Equal(t, 1, strings.Count(markdown, "| `"+o.Name+"` |"))
			require.Equal(t, 1, strings.Count(page, "\n=== "+o.Name+"\n"))
			require.Contains(t, markdown, inTable(o.Doc))
			require.Contains(t, page, inPass(o.Doc))
			for j, a := range rows[i].Attributes {
				require.NotEmpty(t, a.Kind)
				require.NotEmpty(t, a.Doc)
				require.Equal(t, o.Attributes[j].Default == nil, a.Required, a.Name)
				require.Equal(t, a.Required, a.Default == "", "%s shows its default", a.Name)
				require.NotContains(t, a.Kind, " ", "%s: the kind has no name", a.Name)
			}
			for _, x := range rows[i].Operands {
				require.NotEmpty(t, x.DTypes, x.Name)
			}
		})
	}
	for _, line := range strings.Split(markdown, "\n") {
		if strings.HasPrefix(line, "|") {
			cells := strings.Split(strings.ReplaceAll(line, `\|`, ""), "|")
			require.Len(t, cells, 6, line)
			for _, c := range cells[1:5] {
				require.NotEmpty(t, strings.TrimSpace(c), line)
			}
		}
	}
}

func TestDefaults(t *testing.T) {
	for want, v := range map[string]any{
		"": nil, `""`: "", `"a"`: "a", "1e-05": 1e-5, "1": int64(1), "[]": []int64{}, "[1, -2]": []int64{1, -2},
		"true": true, "f32[2]": tensor.Value{Type: tensor.TypeOf(dtype.F32, 2)},
	} {
		require.Equal(t, want, value(v))
	}
}
