package jsonlimit

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestExceeds(t *testing.T) {
	for _, tt := range []struct {
		data          string
		depth, values int
		want          int
	}{
		{`[[1]]`, 2, 9, -1},
		{`[[1]]`, 1, 9, 1},
		{`{"a":[{"b":0}]}`, 2, 9, 6},
		{`"[[[["`, 0, 9, -1},
		{`"\"[[" `, 0, 9, -1},
		{`"\\",[`, 0, 9, 5},
		{`[1,2,3]`, 9, 4, -1},
		{`[1,2,3]`, 9, 3, 4},
		{`{"a,b":",,","c":2}`, 9, 3, -1},
		{`"open`, 9, 9, -1},
		{`"open\`, 9, 9, -1},
		{``, 0, 1, -1},
		{strings.Repeat("[", 100000), 32, math.MaxInt, 32},
	} {
		require.Equal(t, tt.want, Exceeds([]byte(tt.data), tt.depth, tt.values), tt.data[:min(20, len(tt.data))])
	}
}

func FuzzElements(f *testing.F) {
	for _, s := range []string{`[]`, `[1,[2,3],{"a":[4,5]},"6,7"]`, `["\"",","]`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var list []json.RawMessage
		if json.Unmarshal(data, &list) != nil || list == nil {
			return
		}
		require.Equal(t, max(len(list), 1), Elements(data))
		require.Equal(t, -1, Exceeds(data, 1<<20, 2*len(data)+1))
	})
}
