package jinja

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// The oracle is Python's Jinja: testdata/gen_cases.py made the file.
//
//go:embed testdata/cases.json
var casesJSON []byte

var enough = Limits{Steps: 1 << 20, Bytes: 16 << 20}

func TestAsPythonsJinja(t *testing.T) {
	var f struct {
		Origin string
		Values json.RawMessage
		Cases  []struct{ Template, Text, Fails, Why string }
	}
	require.NoError(t, json.Unmarshal(casesJSON, &f))
	require.Contains(t, f.Origin, "Jinja 3.1")
	require.Greater(t, len(f.Cases), 400)
	values := ordered(t, f.Values).(Map)
	for i, c := range f.Cases {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			template, err := Parse(c.Template)
			if c.Fails == "syntax" {
				require.Equal(t, CodeSyntax, errs.CodeOf(err), "%s: %s", c.Template, c.Why)
				return
			}
			require.NoError(t, err, c.Template)
			text, err := template.Render(context.Background(), values, enough)
			if c.Fails != "" {
				require.Equal(t, CodeRender, errs.CodeOf(err), "%s gives %q; %s", c.Template, text, c.Why)
				return
			}
			require.NoError(t, err, c.Template)
			require.Empty(t, cmp.Diff(c.Text, text), c.Template)
		})
	}
}

// ordered reads JSON and keeps the order of keys.
func ordered(t *testing.T, data []byte) any {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var read func() any
	next := func() json.Token {
		x, err := d.Token()
		require.NoError(t, err)
		return x
	}
	read = func() any {
		switch x := next().(type) {
		case json.Delim:
			if x == '[' {
				l := []any{}
				for d.More() {
					l = append(l, read())
				}
				next()
				return l
			}
			m := Map{}
			for d.More() {
				m = append(m, Pair{next().(string), read()})
			}
			next()
			return m
		case json.Number:
			n, err := x.Int64()
			require.NoError(t, err)
			return n
		default:
			return x
		}
	}
	return read()
}
