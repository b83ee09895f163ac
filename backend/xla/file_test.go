package xla

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cache"
	"github.com/skainet-dev/skainet-go/backend/iree/processor"
	"github.com/skainet-dev/skainet-go/backend/xla/pjrt"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	"github.com/skainet-dev/skainet-go/test/xlatest"
)

// partsOf returns all parts of a file.
func partsOf(t *testing.T, path string) map[string][]byte {
	t.Helper()
	a, err := openArchive(path)
	require.NoError(t, err)
	defer a.Close()
	parts := map[string][]byte{}
	for name := range a.parts {
		parts[name], err = a.part(name, maxPart)
		require.NoError(t, err)
	}
	return parts
}

// changed returns a copy of a file with another manifest.
func changed(t *testing.T, path string, change func(m *manifest)) string {
	t.Helper()
	parts := partsOf(t, path)
	var m manifest
	require.NoError(t, json.Unmarshal(parts[manifestName], &m))
	change(&m)
	document, err := json.Marshal(m)
	require.NoError(t, err)
	parts[manifestName] = document
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, data := range parts {
		require.NoError(t, store(z, name, data))
	}
	require.NoError(t, z.Close())
	out := filepath.Join(t.TempDir(), "m.xla")
	require.NoError(t, os.WriteFile(out, b.Bytes(), 0o600))
	return out
}

// lacks names an instruction that this processor does not have.
func lacks(t *testing.T) string {
	t.Helper()
	here := processor.Here()
	for _, name := range slices.Sorted(maps.Keys(here.Instructions)) {
		if !here.Instructions[name] {
			return name
		}
	}
	t.Skip("the processor has all instructions that are known")
	return ""
}

// A file runs where the plugin that compiled it and the processor are, and is refused
// elsewhere, before anything of it is loaded.
func TestFile(t *testing.T) {
	xlatest.Plugin(t)
	path := filepath.Join(t.TempDir(), "counting.xla")
	kept, err := cache.Open(t.TempDir())
	require.NoError(t, err)
	o := Options{Graph: counting(t), Sizes: []map[string]int64{{"n": 4}}, Cache: kept}
	for range 2 { // the second time it could come from a cache
		require.NoError(t, Write(context.Background(), path, o))
	}
	require.True(t, IsFile(path))
	require.False(t, IsFile(weights(t, 1)))
	c, err := ReadContract(path)
	require.NoError(t, err)
	require.Equal(t, "counting", c.Name)
	archives := map[string][]string{"model": {weights(t, 2)}}
	open := func(path string) (err error) {
		x, err := Open(context.Background(), Options{Program: path, Archives: archives})
		if err == nil {
			err = x.Close()
		}
		return err
	}
	x, err := Open(context.Background(), Options{Program: path, Archives: archives})
	require.NoError(t, err)
	require.Equal(t, []float32{5, 5}, call(t, x, "step", vector(t, 16, 1)))
	require.Equal(t, []float32{7, 7}, call(t, x, "step", vector(t, 16, 1)))
	require.Equal(t, []float32{6, 6, 6, 6}, call(t, x, "twice", vector(t, 4, 3)))
	_, err = x.Call(context.Background(), "twice", vector(t, 5, 1))
	require.Equal(t, CodeSizes, errs.CodeOf(err))
	require.ErrorContains(t, err, "there is no program for n=5")
	require.ErrorContains(t, err, `compiled for ["n=4"]`)
	require.NoError(t, x.Close())

	for want, c := range map[string]struct {
		code   errs.Code
		change func(m *manifest)
	}{
		"another build of the plugin":  {CodeBuild, func(m *manifest) { m.Maker.Build = "0123456789abcdef" }},
		"for cuda, the plugin for cpu": {CodeBuild, func(m *manifest) { m.Maker.Platform = "cuda" }},
		lacks(t):                       {processor.CodeCPU, func(m *manifest) { m.Maker.Processor = append(m.Maker.Processor, lacks(t)) }},
		"not known here: avx9":         {processor.CodeCPU, func(m *manifest) { m.Maker.Processor = append(m.Maker.Processor, "avx9") }},
		"has schema 2":                 {pjrt.CodeProgram, func(m *manifest) { m.Schema = 2 }},
		"the part 9 is missing":        {pjrt.CodeProgram, func(m *manifest) { m.Programs[0].File = "9" }},
		`state variable "sum"`:         {pjrt.CodeProgram, func(m *manifest) { m.States = nil }},
		`"sum" has no type`:            {pjrt.CodeProgram, func(m *manifest) { m.States = append(m.States, m.States...) }},
	} {
		err := open(changed(t, path, c.change))
		require.Equal(t, c.code, errs.CodeOf(err), "%s: %v", want, err)
		require.ErrorContains(t, err, want)
	}
	// What a call reads of a program is what the program was compiled for.
	for want, change := range map[string]func(m *manifest){
		"argument 0 of the program is f32[16], and the part manifest.json says i32[16]": func(m *manifest) { m.Contract.Entries[0].Args[0].DType = dtype.I32 },
		"argument 0 of the program is f32[16], and the part manifest.json says f32[4]":  func(m *manifest) { m.Contract.Entries[0].Args[0].Shape = shape.Of(4) },
		"result 0 of the program is f32[2], and the part manifest.json says i32[2]":     func(m *manifest) { m.Contract.Entries[0].Results[0].DType = dtype.I32 },
		"argument 2 of the program is f32[16], and the part manifest.json says f32[8]":  func(m *manifest) { m.States[0].Shape = shape.Of(8) },
		"the program has 3 arguments, and the part manifest.json says 2":                func(m *manifest) { m.Programs[0].Access.States = nil },
		"the program has 2 results, and the part manifest.json says 1":                  func(m *manifest) { m.Programs[0].Access.Writes = nil },
	} {
		x, err := Open(context.Background(), Options{Program: changed(t, path, change), Archives: archives})
		require.NoError(t, err)
		e := x.Contract().Entries[0]
		arg, err := tensor.Zero(e.Args[0].Type())
		require.NoError(t, err)
		_, err = x.Call(context.Background(), "step", arg)
		require.Equal(t, pjrt.CodeProgram, errs.CodeOf(err), "%s: %v", want, err)
		require.ErrorContains(t, err, want)
		client := x.(*session).engine.client
		require.NoError(t, x.Close())
		require.Zero(t, client.Live())
	}
	err = open(changed(t, path, func(m *manifest) { m.Maker.Processor = append(m.Maker.Processor, lacks(t)) }))
	require.ErrorContains(t, err, "compile it again on this machine: skainet compile --target=xla_cpu")
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, damage := range []func(b []byte) []byte{
		func(b []byte) []byte { return nil },
		func(b []byte) []byte { return b[:len(b)-1] },
		func(b []byte) []byte { return b[:len(b)/2] },
		func(b []byte) []byte { b[len(b)/3] ^= 1; return b },
	} {
		bad := filepath.Join(t.TempDir(), "bad.xla")
		require.NoError(t, os.WriteFile(bad, damage(bytes.Clone(b)), 0o600))
		require.Equal(t, pjrt.CodeProgram, errs.CodeOf(open(bad)))
	}

	o.Sizes = nil
	none := filepath.Join(t.TempDir(), "none.xla")
	err = Write(context.Background(), none, o)
	require.Equal(t, CodeSizes, errs.CodeOf(err))
	require.ErrorContains(t, err, "name them: n=1")
	require.NoFileExists(t, none)
	o.Sizes = []map[string]int64{{"n": 4, "m": 1}}
	err = Write(context.Background(), none, o)
	require.Equal(t, CodeSizes, errs.CodeOf(err))
	require.ErrorContains(t, err, `no entry point has a dynamic size "m"`)
	require.NoFileExists(t, none)
}
