package contract

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

const good = `{"schema":1,"name":"m","entries":[{"name":"main","args":[{"name":"x","dtype":"f32","shape":[2]}],"results":[]}],` +
	`"parameters":[{"scope":"model","key":"w","dtype":"f16","shape":[2,3],"encoding":"dense","bytes":12,"source":"weights"}],"iree":"3.13.0","text_sha256":""}`

func TestRoundTrip(t *testing.T) {
	c, err := Parse([]byte(good))
	require.NoError(t, err)
	data, err := c.Marshal()
	require.NoError(t, err)
	again, err := Parse(data)
	require.NoError(t, err)
	if diff := cmp.Diff(c, again); diff != "" {
		t.Error(diff)
	}
}

// A weight whose rows are scaled is two parameters.
func TestScaledRows(t *testing.T) {
	two := strings.NewReplacer(`"dtype":"f16"`, `"dtype":"i8"`, `"bytes":12,"source":"weights"}`, `"bytes":6,"source":"int8_rows"},`+
		`{"scope":"model","key":"w#int8_scales","dtype":"f32","shape":[2],"encoding":"dense","bytes":8,"source":"int8_scales"}`)
	c, err := Parse([]byte(two.Replace(good)))
	require.NoError(t, err)
	require.Equal(t, FromRows, c.Parameters[0].Source)
	require.Equal(t, c.Parameters[0].Key+ScalesSuffix, c.Parameters[1].Key)
	_, err = Parse([]byte(strings.Replace(two.Replace(good), "#int8_scales", "/scale", 1)))
	require.Equal(t, CodeBad, errs.CodeOf(err))
}

// A parameter in blocks has the type of what they hold and the length of the bytes.
func TestBlocks(t *testing.T) {
	blocks := strings.NewReplacer(`"dtype":"f16","shape":[2,3],"encoding":"dense","bytes":12`, `"dtype":"f32","shape":[2,512],"encoding":"Q4_K","bytes":576`)
	c, err := Parse([]byte(blocks.Replace(good)))
	require.NoError(t, err)
	stored, err := c.Parameters[0].Stored()
	require.NoError(t, err)
	require.Equal(t, "i8[2x2x144]", stored.String())
	for _, r := range [][2]string{{`"bytes":576`, `"bytes":575`}, {"[2,512]", "[2,511]"}, {`"dtype":"f32","shape":[2,512]`, `"dtype":"f16","shape":[2,512]`}} {
		_, err := Parse([]byte(strings.Replace(blocks.Replace(good), r[0], r[1], 1)))
		require.Equal(t, CodeBad, errs.CodeOf(err), r[1])
	}
}

func TestBadDocuments(t *testing.T) {
	tests := []struct{ name, from, to string }{
		{"truncated", good, good[:40]},
		{"not JSON", good, "module @m {"},
		{"two documents", good, good + good},
		{"garbage behind", good, good + "x"},
		{"another schema", `"schema":1`, `"schema":2`},
		{"unknown field", `"schema":1`, `"schema":1,"more":0`},
		{"path as name", `"name":"x"`, `"name":"../x"`},
		{"empty name", `"name":"m"`, `"name":""`},
		{"NUL in a name", `"name":"main"`, `"name":"a\u0000"`},
		{"unknown element type", `"dtype":"f32"`, `"dtype":"f33"`},
		{"no element type", `"dtype":"f32",`, ``},
		{"negative size", `"shape":[2]`, `"shape":[-2]`},
		{"other length", `"bytes":12`, `"bytes":13`},
		{"wrapping shape", `"shape":[2,3]`, `"shape":[4611686018427387904,4611686018427387904]`},
		{"empty key", `"key":"w"`, `"key":""`},
		{"unknown source", `"source":"weights"`, `"source":"air"`},
		{"rows of floats", `"source":"weights"`, `"source":"int8_rows"`},
		{"scales without a tensor", `"source":"weights"`, `"source":"int8_scales"`},
		{"unknown encoding", `"encoding":"dense"`, `"encoding":"Q9"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := strings.Replace(good, tt.from, tt.to, 1)
			require.NotEqual(t, good, text)
			_, err := Parse([]byte(text))
			require.Error(t, err)
			require.Equal(t, CodeBad, errs.CodeOf(err), "%v", err)
		})
	}
	_, err := Parse([]byte(`{"schema": 1, "name": "m", "states": [], "functions": []}`))
	require.ErrorContains(t, err, "this is a graph")
	param := good[strings.Index(good, `{"scope"`):strings.Index(good, `],"iree"`)]
	_, err = Parse([]byte(strings.Replace(good, param, param+","+param, 1)))
	require.ErrorContains(t, err, "duplicate parameter")
	scopes := func(n int) string {
		list := param
		for i := 1; i < n; i++ {
			list += "," + strings.Replace(param, `"scope":"model"`, fmt.Sprintf(`"scope":"s%d"`, i), 1)
		}
		return strings.Replace(good, param, list, 1)
	}
	_, err = Parse([]byte(scopes(MaxScopes)))
	require.NoError(t, err)
	_, err = Parse([]byte(scopes(MaxScopes + 1)))
	require.Equal(t, CodeBad, errs.CodeOf(err))
	require.ErrorContains(t, err, "9 scopes, the limit is 8")
}

// Values of two bytes each, each of which would take a hundred in memory.
func TestTooMuch(t *testing.T) {
	for _, doc := range []string{
		`{"parameters":[` + strings.Repeat("{},", MaxValues) + `{}]}`,
		`{"entries":[{"args":[` + strings.Repeat("{},", MaxValues) + `{}]}]}`,
		`{"parameters":[{"shape":[` + strings.Repeat("1,", MaxValues) + `1]}]}`,
		`{"parameters":[{"shape":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}]}`,
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Parse([]byte(doc))
		runtime.ReadMemStats(&after)
		require.Equal(t, CodeBad, errs.CodeOf(err))
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(2*len(doc)+1<<20))
	}
}
