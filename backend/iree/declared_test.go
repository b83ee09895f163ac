package iree

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// declared is the compiler's output for a small model.
const declared = "iree.abi.declaration\x00sync func @step(%input0: tensor<?x2x?xi32>, %input1: tensor<bf16>) -> (%output0: tensor<16xi1>, %output1: tensor<1x8xf32>)\x00\x00" +
	"iree.abi.declaration\x00sync func @none() -> ()\x00"

func named(name string, d dtype.DType, sizes ...int64) contract.Named {
	return contract.Named{Name: name, DType: d, Shape: shape.Of(sizes...)}
}

func declaring(change func(step *contract.Entry)) *contract.Contract {
	c := &contract.Contract{Name: "m", Entries: []contract.Entry{{
		Name: "step", Args: []contract.Named{named("x", dtype.I32, -1, 2, -1), named("y", dtype.BF16)},
		Results: []contract.Named{named("chosen", dtype.Bool, 16), named("logits", dtype.F32, 1, 8)},
	}, {Name: "none"}, {Name: "not there"}}}
	change(&c.Entries[0])
	return c
}

// A contract is checked against the sizes of its program, before any call.
func TestContractOfAnotherProgram(t *testing.T) {
	path := withModule(t, "some bytes \x00"+strings.Repeat("sync func ", 10)+declared+"more")
	require.NoError(t, checkProgram(path, declaring(func(*contract.Entry) {}), nil))
	for want, change := range map[string]func(*contract.Entry){
		`step: the contract belongs to another program: the result chosen has the sizes "17x", but in the program "16x"`: func(e *contract.Entry) { e.Results[0].Shape[0].Size = 17 },
		`the argument x has the sizes "?x2x3x"`: func(e *contract.Entry) { e.Args[0].Shape[2].Size = 3 },
		`the argument y has the sizes "1x"`:     func(e *contract.Entry) { e.Args[1].Shape = shape.Of(1) },
		`1 arguments, where the program has 2`:  func(e *contract.Entry) { e.Args = e.Args[:1] },
		`0 results, where the program has 2`:    func(e *contract.Entry) { e.Results = nil },
	} {
		err := checkProgram(path, declaring(change), nil)
		require.Equal(t, CodeLoad, errs.CodeOf(err), want)
		require.ErrorContains(t, err, path)
		require.ErrorContains(t, err, want)
	}
	// Declarations in another form are ignored.
	for _, text := range []string{
		strings.ReplaceAll(declared, "tensor<?x2x?xi32>", "!hal.buffer"),
		strings.ReplaceAll(declared, "@step(", `@"step"(`),
		strings.TrimSuffix(strings.Split(declared, "\x00\x00")[0], "\x00"),
	} {
		require.NoError(t, checkProgram(withModule(t, text), declaring(func(e *contract.Entry) { e.Args[0].Shape[1].Size = 3 }), nil))
	}
}

func withModule(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.CreateHeader(&zip.FileHeader{Name: "module.fb", Method: zip.Store})
	require.NoError(t, err)
	_, err = f.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return file(t, "m.vmfb", b.String())
}

// Declarations are found wherever the input is split, and take little memory.
func TestDeclarationsInPieces(t *testing.T) {
	whole, pieces := newDeclarations(), newDeclarations()
	_, err := whole.Write([]byte(declared))
	require.NoError(t, err)
	require.Len(t, whole.list, 2)
	for b := range bytes.Lines([]byte(strings.Join(strings.Split(declared, ""), "\n"))) {
		_, err := pieces.Write(bytes.TrimSuffix(b, []byte("\n")))
		require.NoError(t, err)
	}
	require.Equal(t, whole.list, pieces.list)

	endless := newDeclarations()
	for range 64 {
		_, err := endless.Write([]byte(declarationMark + strings.Repeat("a", 1<<16)))
		require.NoError(t, err)
	}
	require.LessOrEqual(t, len(endless.rest), maxDeclaration+1<<17)
	require.Empty(t, endless.list)
}
