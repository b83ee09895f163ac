package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
)

func TestTable(t *testing.T) {
	x := table{title: "Seconds", unit: "s", against: "cp", ratio: "cp's : its"}
	x.note("a note")
	for _, f := range []float64{4, 2} {
		x.add("warm", "ours", f)
		x.add("warm", "cp", f/2)
		x.add("cold", "ours", f)
	}
	var b strings.Builder
	require.NoError(t, x.print(&b))
	want := `Seconds
a note
              min s  median  spread  cp's : its
  warm  ours  2.000   3.000   2.000  0.50  0.50
  warm    cp  1.000   1.500   1.000            
  cold  ours  2.000   3.000   2.000            

`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

func TestSparse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.safetensors")
	require.NoError(t, writeSparse(path, 1<<20))
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	n := binary.LittleEndian.Uint64(b)
	var header map[string]struct {
		Dtype  string
		Shape  []int64
		Places [2]int64 `json:"data_offsets"`
	}
	require.NoError(t, json.Unmarshal(b[8:8+n], &header))
	require.Len(t, header, sparseTensors)
	require.Equal(t, int64(len(b)), int64(8+n)+1<<20)
	require.Equal(t, [2]int64{7 << 17, 1 << 20}, header["blk.7"].Places)
	require.Zero(t, (8+n)%8)
}

func TestTimed(t *testing.T) {
	c, err := timed(context.Background(), "sh", "-c", "i=0; while [ $i -lt 1000 ]; do i=$((i+1)); done")
	require.NoError(t, err)
	require.Greater(t, c.wall, 0.0)
	_, err = timed(context.Background(), "sh", "-c", "echo no such thing >&2; exit 3")
	require.Equal(t, errs.Code("BENCH_SUBJECT"), errs.CodeOf(err))
	require.ErrorContains(t, err, "no such thing")
}

func TestFaults(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "no", "file")
	for _, c := range []struct {
		name string
		err  error
		code errs.Code
	}{
		{"no rounds", run(context.Background(), options{sparse: 1}, io.Discard, io.Discard), "BENCH_FLAGS"},
		{"no part", run(context.Background(), options{rounds: 1, sparse: 1, only: []string{"x"}}, io.Discard, io.Discard), "BENCH_FLAGS"},
		{"no file", warm(missing), "BENCH_FILE"},
		{"no file to drop", cold(missing), "BENCH_FILE"},
		{"no file to write", scratch(missing, nil), "BENCH_FILE"},
		{"too short", sameLength(short(t), 100), "BENCH_RESULT"},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.code, errs.CodeOf(c.err)) })
	}
}

func short(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "short")
	require.NoError(t, scratch(path, bytes.Repeat([]byte{1}, 89)))
	return path
}
