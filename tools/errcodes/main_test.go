package main

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

const want = `CODE     PACKAGE    REACHED BY
A_BOTH   a/one two  //a/one:one_test //two:two_test
A_NEVER  a/one      NO TEST
A_ZIP    two        ./two //two:two_test

2 of 3 codes are reached by a test: 66.7%
not reached: A_NEVER	a/one
`

func put(t *testing.T, name string, data []byte) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name, data, 0o644))
}

// Sources and records as Bazel and go test leave them, with other files that must be
// ignored.
func TestReport(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	put(t, "a/one/a.go", []byte("package one\n\nconst c errs.Code = \"A_BOTH\"\n\nvar e = errs.New(\"A_NEVER\", \"\")\n"))
	put(t, "two/b.go", []byte("package two\n\nvar e, f = errs.New(\"A_BOTH\", \"\"), errs.New(\"A_ZIP\", \"\")\n"))
	put(t, "two/b_test.go", []byte("package two\n\nvar x = errs.New(\"A_TEST\", \"\")\n"))
	put(t, "other/go.mod", []byte("module other\n"))
	put(t, "other/o.go", []byte("not Go"))
	put(t, "two/testdata/o.go", []byte("not Go"))
	put(t, ".hidden/o.go", []byte("not Go"))

	logs := filepath.Join(t.TempDir(), "logs")
	var z bytes.Buffer
	w := zip.NewWriter(&z)
	for name, text := range map[string]string{"error_codes-7.txt": "# /sandbox\nA_BOTH\nA_ZIP\n", "picture.txt": "A_NEVER\n"} {
		f, err := w.Create(name)
		require.NoError(t, err)
		_, err = f.Write([]byte(text))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	put(t, logs+"/two/two_test/shard_1_of_2/test.outputs/outputs.zip", z.Bytes())
	put(t, logs+"/a/one/one_test/test.outputs/error_codes-8.txt", []byte("# /sandbox\nA_BOTH\n"))
	put(t, logs+"/a/one/one_test/test.log", []byte("A_NEVER\n"))
	put(t, logs+"/error_codes-9.txt", []byte("# "+dir+"/two\nA_ZIP\nA_TEST\n"))
	require.NoError(t, os.Symlink(logs, "links"))

	var out bytes.Buffer
	missing, err := report(&out, dir, "links", nil)
	require.NoError(t, err)
	require.Equal(t, 1, missing)
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
	_, err = report(&out, "", t.TempDir(), nil)
	require.ErrorContains(t, err, "no records")
}
