package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

func TestImportsGoDown(t *testing.T) {
	p, err := read(data)
	require.NoError(t, err)
	file := func(imports string) []byte {
		return []byte("package x\n\nimport (\n\t\"fmt\"\n\t\"" + p.Module + "/" + imports + "\"\n)\n")
	}
	for _, tt := range []struct {
		name, imports, fault string
	}{
		{"lang/nn/norm.go", "compile/op", ""},
		{"lang/nn/norm.go", "lang", ""},
		{"compile/op/op.go", "lang", "imports go down, and lang is above compile/op"},
		{"compile/hlo/emit.go", "compile/iree/kernels", "imports go down, and compile/iree is above compile/hlo"},
		{"compile/export/precision.go", "backend/cpu", "imports go down, and backend is above compile/export"},
		{"internal/regular/regular.go", "errs", ""},
		{"internal/regular/regular.go", "tensor", "internal imports nothing of ours but errs"},
		{"errs/errs.go", "internal/atomicfile", "imports go down, and internal is above errs"},
		{"rules/tools/pack/main.go", "io/pack", ""},
		{"rules/tools/pack/main.go", "models/whisper", "rules does not import models"},
		{"rules/tools/pack/main.go", "test/badfiles", "imports go down, and test is above rules"},
		{"rules/tests/corpus/write.go", "test/badfiles", ""},
		{"audio/wav/wav.go", "backend", "audio does not import backend"},
		{"text/generate/run.go", "lang/nn", "text does not import lang"},
		{"compile/hlo/emit.go", "io/npy", "compile/hlo does not import io"},
		{"compile/iree/emit.go", "lang", "compile/iree does not import lang"},
		{"backend/cpu/load.go", "compile/dag", ""},
		{"backend/cpu/load.go", "compile/dag/passes", "backend does not import compile/dag/passes"},
		{"models/llama/parity.go", "test/modelcases", ""},
		{"models/llama/parity.go", "test/badfiles", "imports go down, and test is above models"},
		{"lang/lang_test.go", "backend/cpu", ""},
		{"attic/x.go", "errs", "no room has this folder: add it to tools/rooms/rooms.json"},
		{"cmd/x/main.go", "attic", "no room has that folder"},
	} {
		t.Run(tt.name+" "+tt.imports, func(t *testing.T) {
			got, err := p.check(tt.name, file(tt.imports))
			require.NoError(t, err)
			var want []string
			if tt.fault != "" {
				want = []string{tt.name + " imports " + tt.imports + ": " + tt.fault}
				if tt.name[:5] == "attic" {
					want = []string{tt.name + ": " + tt.fault}
				}
			}
			require.Empty(t, cmp.Diff(want, got))
		})
	}
}

func TestFilesThatAreNotGo(t *testing.T) {
	p, err := read(data)
	require.NoError(t, err)
	_, err = p.check("errs/errs.go", []byte("packag"))
	require.ErrorContains(t, err, "errs/errs.go")
	_, err = read([]byte("{"))
	require.ErrorContains(t, err, "rooms.json")
}

// Every room says what it is for, and none stands twice.
func TestMapIsWhole(t *testing.T) {
	p, err := read(data)
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, r := range p.Rooms {
		require.NotEmpty(t, r.Owns, r.Folder)
		require.NotEmpty(t, r.Never, r.Folder)
		require.False(t, seen[r.Folder], r.Folder)
		seen[r.Folder] = true
	}
	for _, r := range p.Rooms {
		for _, n := range r.Not {
			require.True(t, n == "compile" || p.floor(n) >= 0, "%s: %s is in no room", r.Folder, n)
		}
	}
	require.Contains(t, p.asciidoc(), "|`compile/op`\n|the table of operations")
}
