package main

import (
	"flag"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

var update = flag.Bool("update", false, "write testdata anew")

func named(name string, d dtype.DType, dims ...shape.Dim) contract.Named {
	return contract.Named{Name: name, DType: d, Shape: dims}
}

// Every kind of argument and result: sizes that lengths tell and that fields give, names that
// Go does not take or that clash, types that Go does not have.
var sample = contract.Contract{Schema: contract.Schema, Name: "demo", Entries: []contract.Entry{
	{Name: "main", Args: []contract.Named{named("x", dtype.F32, shape.N(3))}, Results: []contract.Named{named("y", dtype.F32, shape.N(3))}},
	{Name: "length", Args: []contract.Named{named("x", dtype.BF16, shape.Named("n"), shape.N(2))}, Results: []contract.Named{named("n", dtype.I64)}},
	{
		Name: "encode", State: true,
		Args: []contract.Named{
			named("input_ids", dtype.I64, shape.Named("batch"), shape.Named("seq")),
			named("mask", dtype.I64, shape.Named("batch"), shape.Named("past").Plus(shape.Named("seq"))),
			named("func", dtype.F16), named("on", dtype.Bool), named("open", dtype.F8E5M2, shape.Named("rows")),
			{Name: "any", DType: dtype.U8, Shape: shape.Of(shape.Dynamic, shape.Dynamic)},
		},
		Results: []contract.Named{named("input-ids", dtype.F16, shape.Named("batch")), named("input_ids", dtype.F8E5M2), named("1", dtype.F16)},
	},
	{Name: "close", Results: []contract.Named{named("ctx", dtype.U8)}},
	{Name: "Close", Args: []contract.Named{named("type", dtype.I32)}},
}}

func TestGenerate(t *testing.T) {
	got, err := generate("//p:demo", "demo", &sample)
	require.NoError(t, err)
	golden := filepath.Join("testdata", "demo.go.txt")
	if *update {
		require.NoError(t, os.WriteFile(golden, got, 0o666))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(string(want), string(got)), "write it anew: go test ./rules/tools/golibrary -update")
	_, err = parser.ParseFile(token.NewFileSet(), "demo.go", got, parser.AllErrors|parser.SkipObjectResolution)
	require.NoError(t, err)
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{"input_ids": "InputIds", "x": "X", "": "V", "7.out": "V7Out", "ключ": "Ключ", "名": "V名", "a/b\nc": "ABC", "V": "V"} {
		require.Equal(t, want, names{}.exported(name), "%q", name)
	}
	for name, want := range map[string]string{"x": "x", "ID": "id", "HTTP_port": "httpPort", "type": "type_", "ctx": "ctx_", "m": "m_", "7": "v7"} {
		require.Equal(t, want, local(name), "%q", name)
	}
	n := names{}
	require.Equal(t, []string{"A", "A2", "A3"}, []string{n.exported("a"), n.exported("A"), n.exported("a_")})
}

func TestRefused(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, data, 0o666))
		return path
	}
	good := contract.Contract{Schema: contract.Schema, Name: "m", IREE: "3.13.0", Entries: sample.Entries[:1]}
	doc, err := good.Marshal()
	require.NoError(t, err)
	large := file("large", nil)
	require.NoError(t, os.Truncate(large, maxBytes+1))
	for code, o := range map[errs.Code]options{
		CodePackage:      {contract: file("c.json", doc), pkg: "func"},
		contract.CodeBad: {contract: file("bad.json", []byte("{}")), pkg: "p"},
		CodeLarge:        {contract: file("c.json", doc), pkg: "p", embedded: []string{large}},
		"FILE_OPEN":      {contract: filepath.Join(dir, "none"), pkg: "p"},
	} {
		o.out = filepath.Join(dir, "out.go")
		err := write(o)
		require.Equal(t, code, errs.CodeOf(err), "%v", err)
		require.NoFileExists(t, o.out)
	}
	require.NoError(t, write(options{contract: file("c.json", doc), pkg: "p", out: filepath.Join(dir, "out.go"), embedded: []string{file("small", []byte("x"))}}))
	require.FileExists(t, filepath.Join(dir, "out.go"))
}
