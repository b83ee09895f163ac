package svg

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	"github.com/skainet-dev/skainet-go/test/optest"
)

func capture(t *testing.T, build lang.Constructor) *dag.Graph {
	t.Helper()
	g, err := lang.Capture("sample", nil, build)
	require.NoError(t, err)
	return g
}

// odd has a state, a loop, and names that need escaping in DOT and XML.
func odd(m *lang.Module) {
	s := m.State("kept", dtype.F32, 0, 2)
	m.Entry("main", func(f *lang.Func) {
		x, n := f.Input("x", dtype.F32, 2), f.Input("n", dtype.I32)
		old := f.Read(s)
		f.Scope(`a"b\<c>&`, func() { x = x.Add(x) })
		out := f.While([]lang.Tensor{n, x}, func(c []lang.Tensor) lang.Tensor {
			return c[0].Less(f.Splat(dtype.I32, 3))
		}, func(c []lang.Tensor) []lang.Tensor {
			return []lang.Tensor{c[0].AddScalar(1), c[1].Add(old)}
		})
		f.Write(s, out[1])
		f.Output("y", out[1])
	})
}

// chain uses its input in each of n steps.
func chain(n int) lang.Constructor {
	return func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			x := f.Input("x", dtype.F32, 3, 5)
			y := x
			for range n / 2 {
				y = y.Tanh().Add(x)
			}
			f.Output("y", y)
		})
	}
}

// texts counts the texts in a picture, which must be well-formed XML.
func texts(t *testing.T, picture []byte) map[string]int {
	t.Helper()
	found := map[string]int{}
	for d := xml.NewDecoder(strings.NewReader(string(picture))); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return found
		}
		require.NoError(t, err)
		if c, ok := token.(xml.CharData); ok {
			found[string(c)]++
		}
	}
}

// Each node's operation and path and each value's type and size are in the
// picture, which is the same bytes each time.
func TestDraw(t *testing.T) {
	for name, build := range map[string]lang.Constructor{"odd": odd, "wide": optest.CPUOnly, "chain": chain(300)} {
		t.Run(name, func(t *testing.T) {
			g := capture(t, build)
			picture, err := Draw(g)
			require.NoError(t, err)
			again, err := Draw(capture(t, build))
			require.NoError(t, err)
			require.Equal(t, string(picture), string(again))
			found := texts(t, picture)
			operations := map[string]int{}
			for _, f := range g.Funcs {
				f.Body.Walk(func(n *dag.Node) {
					operations[n.Op.Name]++
					require.Positive(t, found[n.Path], n.Path)
				})
				for _, name := range append(f.Args, f.Results...) {
					require.Positive(t, found[name], name)
				}
			}
			for name, n := range operations {
				require.GreaterOrEqual(t, found[name], n, "boxes of %s", name) // an argument may have the same name
			}
		})
	}
}

func TestSizes(t *testing.T) {
	picture, err := Draw(capture(t, odd))
	require.NoError(t, err)
	found := texts(t, picture)
	for _, want := range []string{"while", `main/a"b\<c>&/add`, "f32[2], 8 B", "i32[scalar], 4 B", "write kept", "block 0 of main/while"} {
		require.Positive(t, found[want], want)
	}
	picture, err = Draw(capture(t, chain(300)))
	require.NoError(t, err)
	// Each of 151 uses of x has an arrow or a note with its size, as does the
	// argument itself, and each of 300 other values has its arrow.
	require.Equal(t, 452, texts(t, picture)["f32[3x5], 60 B"])
}

func TestRefused(t *testing.T) {
	_, err := Draw(capture(t, chain(MaxNodes+2)))
	require.Equal(t, CodeLayout, errs.CodeOf(err))
	require.Contains(t, err.Error(), fmt.Sprint(MaxNodes))
	_, err = layout([]byte("digraph {"), false)
	require.Error(t, err)
	g := capture(t, odd)
	g.Name = "a b"
	_, err = Draw(g)
	require.Equal(t, errs.Code("DAG_NAME"), errs.CodeOf(err))
}

// A program that links Graphviz leaves nothing in the temporary folder,
// and its environment still names that folder.
func TestNothingIsLeftBehind(t *testing.T) {
	const variable = "SVG_TEST_CHILD"
	if os.Getenv(variable) != "" {
		fmt.Print("folder " + os.TempDir() + ".")
		return
	}
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestNothingIsLeftBehind$")
	cmd.Env = []string{variable + "=1", "TMPDIR=" + dir}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Contains(t, string(out), "folder "+dir+".")
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}

// dense has n operations with k operands each, computed by nearby ones.
func dense(n, k int) lang.Constructor {
	return func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			all := []lang.Tensor{f.Input("x", dtype.F32, 1)}
			for i := range n {
				var in []lang.Tensor
				for j := range k {
					in = append(in, all[max(0, len(all)-1-(7*i+5*j)%12)])
				}
				all = append(all, f.Concat(0, in...).Slice(0, 0, 1))
			}
			f.Output("y", all[n])
		})
	}
}

// A dense graph is laid out quickly, completely and reproducibly; one too dense
// is rejected.
func TestDense(t *testing.T) {
	g := capture(t, dense(90, 8))
	picture, err := Draw(g)
	require.NoError(t, err)
	again, err := Draw(capture(t, dense(90, 8)))
	require.NoError(t, err)
	require.Equal(t, string(picture), string(again))
	found := texts(t, picture)
	uses := 0
	g.Funcs[0].Body.Walk(func(n *dag.Node) {
		require.Positive(t, found[n.Path], n.Path)
		uses += len(n.Inputs)
	})
	require.Greater(t, uses, manyUses)
	_, err = Draw(capture(t, dense(600, 8)))
	require.Equal(t, CodeLayout, errs.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, fmt.Sprint(MaxUses))
}
