package check

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func file(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, data, 0o600))
	return path
}

func param(scope, key string, d dtype.DType, bytes int64, sizes ...int64) contract.Parameter {
	return contract.Parameter{Scope: scope, Key: key, DType: d, Shape: shape.Of(sizes...), Bytes: bytes, Source: contract.FromWeights}
}

// write returns a contract and its file.
func write(t *testing.T, params ...contract.Parameter) (*contract.Contract, string) {
	t.Helper()
	c := &contract.Contract{Schema: contract.Schema, Name: "m", IREE: "3.13.0", Parameters: params, Entries: []contract.Entry{{
		Name: "main", State: true,
		Args:    []contract.Named{{Name: "x", DType: dtype.F32, Shape: shape.Of(2)}},
		Results: []contract.Named{{Name: "y", DType: dtype.F32, Shape: shape.Of(2)}},
	}}}
	data, err := c.Marshal()
	require.NoError(t, err)
	return c, file(t, "m.contract.json", data)
}

func archive(t *testing.T, key string, n int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.irpa")
	require.NoError(t, irpa.Write(path, []irpa.Item{irpa.Bytes(key, make([]byte, n))}))
	return path
}

func program(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, m := range []struct {
		name string
		size int
	}{{"module.fb", 100}, {"small.so", 30}, {"large.so", 70}} {
		f, err := w.CreateHeader(&zip.FileHeader{Name: m.name, Method: zip.Store})
		require.NoError(t, err)
		_, err = f.Write(make([]byte, m.size))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return file(t, "m.vmfb", b.Bytes())
}

func TestFit(t *testing.T) {
	c, own := write(t, param("model", "w", dtype.F32, 8, 2))
	_, ints := write(t, param("model", "w", dtype.I32, 8, 2))
	_, column := write(t, param("model", "w", dtype.F32, 8, 2, 1))
	_, other := write(t, param("model", "v", dtype.F32, 8, 2))
	none, _ := write(t)
	w := archive(t, "w", 8)
	for _, tt := range []struct {
		name     string
		program  *contract.Contract
		archives []Archive
		code     errs.Code
		want     string
	}{
		{"its own", c, []Archive{{"model", w, own}}, "", ""},
		{"of a contract that is not known", c, []Archive{{"model", w, ""}}, "", ""},
		{"no parameters, an empty archive", none, []Archive{{"model", w, own}}, "", ""},
		{"another element type", c, []Archive{{"model", w, ints}}, CodeFit, "model::w: the archive was packed for m, where the parameter is dense i32[2]"},
		{"another shape", c, []Archive{{"model", w, column}}, CodeFit, "program m takes dense f32[2]"},
		{"packed for another key, which it has", c, []Archive{{"model", w, other}}, "", ""},
		{"another key", c, []Archive{{"model", archive(t, "v", 8), other}}, iree.CodeParameters, "lacks the key"},
		{"another length", c, []Archive{{"model", archive(t, "w", 4), own}}, iree.CodeParameters, "4 bytes are stored, the program needs 8"},
		{"another scope", c, []Archive{{"adapter", w, own}}, iree.CodeParameters, "adapter"},
		{"none", c, nil, iree.CodeParameters, "no archive was given"},
		{"a contract that is none", c, []Archive{{"model", w, w}}, contract.CodeBad, "a.irpa"},
		{"a contract that is not there", c, []Archive{{"model", w, "none"}}, CodeRead, "none"},
	} {
		err := Fit(tt.program, tt.archives)
		require.Equal(t, tt.code, errs.CodeOf(err), "%s: %v", tt.name, err)
		if err != nil {
			require.ErrorContains(t, err, tt.want, tt.name)
		}
	}
}

func TestSizesAndLimits(t *testing.T) {
	text, vmfb, a := file(t, "m.mlir", make([]byte, 50)), program(t), archive(t, "w", 8)
	s, err := Measure(text, vmfb, []Archive{{Scope: "model", Path: a}})
	require.NoError(t, err)
	size := func(path string) int64 {
		st, err := os.Stat(path)
		require.NoError(t, err)
		return st.Size()
	}
	want := &Sizes{
		Text: 50, Program: size(vmfb), Module: 100, Executables: []Item{{"small.so", 30}, {"large.so", 70}},
		Archives: []Item{{"model", size(a)}}, Deployed: size(vmfb) + size(a),
	}
	require.Equal(t, want, s)
	read, err := ReadSizes(file(t, "s.json", s.Marshal()))
	require.NoError(t, err)
	require.Equal(t, s, read)

	lines, err := s.CheckLimits([]string{"text=50", "executable=70", "module=100", "program=9999", "archives=9999", "deployed=99999"})
	require.NoError(t, err)
	require.Equal(t, "text: 50 of 50 bytes", lines[0])
	require.Equal(t, "executable: 70 of 70 bytes", lines[1])
	lines, err = s.CheckLimits(nil)
	require.Equal(t, CodeLimits, errs.CodeOf(err))
	require.ErrorContains(t, err, "no limit is given; give the model size_limits = {\"program\": ")
	require.Len(t, lines, len(Limited))
	require.Equal(t, "text: 50 bytes, without a limit", lines[len(lines)-1])
	lines, err = s.CheckLimits([]string{"text=49", "module=100", "executable=69"})
	require.Equal(t, CodeLimit, errs.CodeOf(err))
	require.ErrorContains(t, err, "text: 50 of 49 bytes, executable: 70 of 69 bytes")
	require.Len(t, lines, 3, "all are printed")
	for _, bad := range []string{"text", "text=", "text=-1", "text=x", "weights=1", ""} {
		_, err := s.CheckLimits([]string{bad})
		require.Equal(t, CodeLimits, errs.CodeOf(err), bad)
	}

	_, err = Measure("none", vmfb, nil)
	require.Equal(t, CodeRead, errs.CodeOf(err))
	_, err = Measure(text, "none", nil)
	require.Equal(t, CodeRead, errs.CodeOf(err))
	_, err = Measure(text, text, nil)
	require.Equal(t, iree.CodeLoad, errs.CodeOf(err))
	_, err = Measure(text, vmfb, []Archive{{Path: "none"}})
	require.Equal(t, CodeRead, errs.CodeOf(err))
	_, err = ReadSizes("none")
	require.Equal(t, CodeRead, errs.CodeOf(err))
	_, err = ReadSizes(text)
	require.Equal(t, CodeRead, errs.CodeOf(err))
}

// A size report that lacks a part, or has an invalid size, is rejected.
func TestTable(t *testing.T) {
	text, vmfb, a := file(t, "m.mlir", make([]byte, 50)), program(t), archive(t, "w", 8)
	s, err := Measure(text, vmfb, []Archive{{Scope: "model", Path: a}})
	require.NoError(t, err)
	sizes := file(t, "s.json", s.Marshal())
	programs := []Shipped{{"//b:m", "vulkan", sizes}, {"//a:m", "cpu", sizes}}
	archives := []Shipped{{"//a:w", "model", a}}
	st, err := os.Stat(a)
	require.NoError(t, err)
	got, err := Table(programs, archives)
	require.NoError(t, err)
	rest := strings.Join(strings.Fields(string(got)), " ")
	require.Equal(t, fmt.Sprintf("program target program bytes archive bytes executables //a:m cpu %[1]d %[2]d 2 //b:m vulkan %[1]d %[2]d 2 "+
		"archive scope file bytes //a:w model a.irpa %[2]d 2 programs of %[3]d bytes, 1 archives of %[2]d bytes, %[4]d bytes in all",
		s.Program, st.Size(), 2*s.Program, 2*s.Program+st.Size()), rest)

	// The lines of a split archive distinguish its files.
	part := file(t, "w-00002-of-00002.irpa", make([]byte, 7))
	got, err = Table(nil, append([]Shipped{{"//a:w", "model", part}}, archives...))
	require.NoError(t, err)
	require.Regexp(t, `(?m)^//a:w +model +a.irpa +[0-9]+\n//a:w +model +w-00002-of-00002.irpa +7$`, string(got))

	got, err = Table(nil, archives)
	require.NoError(t, err)
	require.Contains(t, string(got), "0 programs of 0 bytes, 1 archives of ")
	_, err = Table(programs, []Shipped{{"//a:w", "model", "none"}})
	require.Equal(t, CodeRead, errs.CodeOf(err))
	_, err = Table([]Shipped{{"//a:m", "cpu", a}}, nil)
	require.Equal(t, CodeRead, errs.CodeOf(err))
	shipped, err := ShippedOf([]string{"//a:m|n", "//a:m"}, []string{"cpu", "gpu"}, []string{"x|y", "z"})
	require.NoError(t, err)
	require.Equal(t, []Shipped{{"//a:m|n", "cpu", "x|y"}, {"//a:m", "gpu", "z"}}, shipped)
	_, err = ShippedOf([]string{"//a:m"}, nil, []string{"x"})
	require.Equal(t, CodeRead, errs.CodeOf(err))
	_, err = ShippedOf([]string{"//a:m"}, []string{"cpu"}, nil)
	require.Equal(t, CodeRead, errs.CodeOf(err))
}

func TestNoListOfSizes(t *testing.T) {
	const rest = `"text":1,"program":2,"module":1,"executables":[],"archives":[]`
	for text, want := range map[string]string{
		`{}`:   "executables or archives",
		`null`: "executables or archives",
		`{"text":1,"program":2,"module":1,"executables":[],"archives":null,"deployed":2}`:                                                          "executables or archives",
		`{"text":1,"module":1,"executables":[],"archives":[]}`:                                                                                     "1, 0 and 1 bytes",
		`{"text":-1,"program":2,"module":1,"executables":[],"archives":[],"deployed":2}`:                                                           "-1, 2 and 1 bytes",
		`{"text":1,"program":2,"module":1,"executables":[{"name":"e","bytes":-5}],"archives":[],"deployed":2}`:                                     "e: invalid size: -5 bytes",
		`{"text":1,"program":9,"module":1,"executables":[],"archives":[{"name":"a","bytes":-5}],"deployed":4}`:                                     "a: invalid size: -5 bytes",
		`{"text":1,"program":2,"module":1,"executables":[],"archives":[{"bytes":9223372036854775807},{"bytes":9223372036854775807}],"deployed":2}`: "more than",
		`{` + rest + `}`:               "not the 0 of deployed",
		`{` + rest + `,"deployed":-7}`: "not the -7 of deployed",
	} {
		_, err := ReadSizes(file(t, "s.json", []byte(text)))
		require.Equal(t, CodeRead, errs.CodeOf(err), text)
		require.ErrorContains(t, err, want, text)
	}
	_, err := ReadSizes(file(t, "s.json", []byte(`{`+rest+`,"deployed":2}`)))
	require.NoError(t, err)
}

// A document with a few bytes per value is rejected before it takes many times its size in memory.
func TestManySizes(t *testing.T) {
	for _, text := range []string{
		`{"executables":[{}` + strings.Repeat(`,{}`, maxValues) + `]}`,
		strings.Repeat("[", maxNesting+1),
	} {
		_, err := ReadSizes(file(t, "s.json", []byte(text)))
		require.Equal(t, CodeRead, errs.CodeOf(err))
		require.ErrorContains(t, err, "values, or nested")
	}
}
