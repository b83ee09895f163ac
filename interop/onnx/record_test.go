package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
)

// The table of README.md is that of record.json.
func TestPage(t *testing.T) {
	r, err := readRecord(recordFile)
	require.NoError(t, err)
	page, err := os.ReadFile(readmeFile)
	require.NoError(t, err)
	made, err := r.page(string(page))
	require.NoError(t, err)
	require.Equal(t, made, string(page), "run: bazel run //interop/onnx -- --update=interop/onnx")
	for reason := range r.Unmapped {
		require.NotContains(t, reason, "no rule", "a reason says why")
	}
}

// wheel packs a folder of tests as ONNX's wheel does.
func wheel(t *testing.T, folder string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "onnx.whl")
	f, err := os.Create(path)
	require.NoError(t, err)
	z := zip.NewWriter(f)
	require.NoError(t, fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(folder, name))
		require.NoError(t, err)
		w, err := z.Create(inWheel + "/" + name)
		require.NoError(t, err)
		_, err = w.Write(data)
		return err
	}))
	require.NoError(t, z.Close())
	require.NoError(t, f.Close())
	return path
}

// runOnnx runs the command.
func runOnnx(args ...string) (string, error) {
	var out bytes.Buffer
	c := newCommand(&out)
	c.SetArgs(args)
	err := c.ExecuteContext(context.Background())
	return out.String(), err
}

func TestRecord(t *testing.T) {
	dir, folder := t.TempDir(), t.TempDir()
	put(t, dir, "test_abs", "Abs", []byte{255}, []byte{1})
	put(t, dir, "test_neg", "Neg", []byte{1}, []byte{255})
	put(t, dir, "test_what", "Whatever", []byte{1}, []byte{3})
	tests := wheel(t, dir)
	page := filepath.Join(folder, readmeFile)
	require.NoError(t, os.WriteFile(page, []byte("before\n"+tableBegin+"old\n"+tableEnd+"after\n"), 0o644))
	_, err := runOnnx("--tests", tests, "--update", folder)
	require.NoError(t, err)
	got, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Equal(t, "before\n"+tableBegin+`
Of 3 tests 2 pass on the CPU backend and on IREE, none fails, and 1 have no counterpart here:

| tests | why they are not mapped | such as |
| ---: | --- | --- |
| 1 | no rule for Whatever | `+"`test_what` |\n\n"+tableEnd+"after\n", string(got))

	path := filepath.Join(folder, recordFile)
	for _, args := range [][]string{{}, {"--only", "*_w*"}} {
		_, err = runOnnx(append(args, "--tests", tests, "--record", path)...)
		require.NoError(t, err)
	}
	for name, c := range map[string]struct {
		record record
		want   string
	}{
		"passes, and was unmapped": {record{3, 1, map[string][]string{"no rule for Whatever": {"test_what"}, "-": {"test_abs"}}}, "test_abs: pass; recorded: unmapped: -"},
		"another reason":           {record{3, 2, map[string][]string{"-": {"test_what"}}}, "unmapped: no rule for Whatever; recorded: unmapped: -"},
		"unmapped, and did pass":   {record{3, 3, nil}, "recorded: pass"},
		"a wrong sum":              {record{3, 1, map[string][]string{"-": {"test_what"}}}, "declares 3 tests but lists or counts 2"},
		"of other tests":           {record{2, 2, nil}, "there are 3 tests, but the record has 2"},
	} {
		t.Run(name, func(t *testing.T) {
			data, err := json.Marshal(c.record)
			require.NoError(t, err)
			bad := filepath.Join(t.TempDir(), "bad.json")
			require.NoError(t, os.WriteFile(bad, data, 0o644))
			_, err = runOnnx("--tests", tests, "--record", bad)
			require.Equal(t, codeRecord, errs.CodeOf(err))
			require.ErrorContains(t, err, c.want)
		})
	}
	put(t, dir, "test_fails", "Neg", []byte{1}, []byte{1})
	for _, c := range []struct {
		code errs.Code
		args []string
	}{
		{codeRecord, []string{"--tests", tests, "--record", page}},
		{codeRecord, []string{"--tests", tests, "--record", page + "x"}},
		{codeRecord, []string{"--tests", dir, "--record", path}},
		{codeRecord, []string{"--tests", dir, "--update", folder}},
		{codeRecord, []string{"--tests", tests, "--update", dir}},
		{codeFlags, []string{"--tests", tests, "--update", folder, "--only", "*_w*"}},
		{codeFlags, []string{"--tests", tests, "--only", "["}},
		{codeTests, []string{"--tests", t.TempDir()}},
		{codeTests, []string{"--tests", page}},
		{codeTests, []string{"--tests", page + "x"}},
	} {
		_, err := runOnnx(c.args...)
		require.Equal(t, c.code, errs.CodeOf(err), strings.Join(c.args, " "))
	}
	require.NoError(t, os.WriteFile(page, []byte(tableBegin), 0o644))
	_, err = runOnnx("--tests", tests, "--update", folder)
	require.Equal(t, codeRecord, errs.CodeOf(err))
}

// Bazel's shards are disjoint and together cover all tests.
func TestParts(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"test_a", "test_b", "test_c"} {
		put(t, dir, name, "Neg", []byte{1}, []byte{255})
	}
	status := filepath.Join(t.TempDir(), "status")
	t.Setenv("TEST_TOTAL_SHARDS", "2")
	t.Setenv("TEST_SHARD_STATUS_FILE", status)
	for index, want := range map[string][]string{"0": {"test_a", "test_c"}, "1": {"test_b"}} {
		t.Setenv("TEST_SHARD_INDEX", index)
		out, err := runOnnx("--tests", dir, "--verbose")
		require.NoError(t, err)
		for _, name := range []string{"test_a", "test_b", "test_c"} {
			require.Equal(t, strings.Contains(strings.Join(want, " "), name), strings.Contains(out, name), "%s in %s", name, index)
		}
		require.FileExists(t, status)
	}
	for variable, value := range map[string]string{"TEST_SHARD_INDEX": "2", "TEST_TOTAL_SHARDS": "x"} {
		t.Setenv(variable, value)
		_, err := runOnnx("--tests", dir)
		require.Equal(t, codeFlags, errs.CodeOf(err))
	}
	t.Setenv("TEST_TOTAL_SHARDS", "2")
	t.Setenv("TEST_SHARD_INDEX", "0")
	t.Setenv("TEST_SHARD_STATUS_FILE", dir)
	_, err := runOnnx("--tests", dir)
	require.Equal(t, codeFlags, errs.CodeOf(err))
}

func TestRunfiles(t *testing.T) {
	for _, args := range [][]string{nil, {"--tests", "x", "--backend", "iree"}} {
		_, err := runOnnx(args...)
		require.Equal(t, codeRunfiles, errs.CodeOf(err))
	}
}
