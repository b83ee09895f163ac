package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

func TestComments(t *testing.T) {
	for _, tt := range []struct {
		name, file, source string
		want               []string
	}{
		{"a release", "io/x.go", "package x\n\n// Open is strict: IREE 3.13\n// reads less.\nfunc Open() {}\n", []string{"io/x.go:3: Open is strict: IREE 3.13 reads less."}},
		{"beside code", "io/x.go", "x := 1 // as IREE 3.13.0 has it\n", []string{"io/x.go:1: as IREE 3.13.0 has it"}},
		{"pinned", "test/x.go", "\t// the pinned compiler needs it\n", []string{"test/x.go:1: the pinned compiler needs it"}},
		{"over two lines", "lang/x.go", "// On this the\n// compiler crashes.\n", []string{"lang/x.go:1: On this the compiler crashes."}},
		{"Starlark", "rules/x.bzl", "_X = 1  # the compiler makes wrong numbers of 2\n", []string{"rules/x.bzl:1: the compiler makes wrong numbers of 2"}},
		{"Python", "models/x.py", "# miscompiled by IREE's compiler\n", []string{"models/x.py:1: miscompiled by IREE's compiler"}},
		{"C", "rules/x.c", "// SPIR-V of it does not compile.\n", []string{"rules/x.c:1: SPIR-V of it does not compile."}},
		{"a script without an end", "tools/lint/run", "# IREE 3.13 alone\n", []string{"tools/lint/run:1: IREE 3.13 alone"}},
		{"two comments", "io/x.go", "a() // the compiler\nb() // crashes\n", nil},
		{"two sentences", "io/x.go", "// The compiler reads it. A wrong file crashes the reader.\n", nil},
		{"a row", "io/x.go", "// Arguments are copied (compile/iree, kept-argument).\n", nil},
		{"in a string", "io/x.go", "x := \"see // IREE 3.13\"\ny := \"IREE 3.13\"\n", nil},
		{"a label", "BUILD.bazel", "deps = [\"//a:compiler\"] # crashes are told\n", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Empty(t, cmp.Diff(tt.want, check(tt.file, []byte(tt.source))))
		})
	}
}

func TestFiles(t *testing.T) {
	require.True(t, isOwn("compile/iree/kernels/form.go"))
	require.False(t, isOwn("compile/ireeother/x.go"))
	require.Equal(t, "#", marker(".ci/run"))
	require.Empty(t, marker("docs/modules/ROOT/pages/architecture.adoc"))
	require.Empty(t, marker("io/x.bin"))
}
