package parity

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// save writes values as a .npz, or one of them as a .npy.
func save(t *testing.T, name string, values map[string]tensor.Value) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if strings.HasSuffix(name, ".npy") {
		for _, v := range values {
			require.NoError(t, npy.WriteFile(path, v))
		}
		return path
	}
	var list []npy.Array
	for name, v := range values {
		list = append(list, npy.Array{Name: name, Value: v})
	}
	require.NoError(t, npy.WriteArchive(path, list))
	return path
}

func TestRecordedCases(t *testing.T) {
	x, h, n := of(t, []float32{1, 2}, 2), of(t, []float32{3, 4}, 2), of(t, []int32{7})
	one, err := Recorded(encoder(), "jfk", []string{
		save(t, "in.npz", map[string]tensor.Value{"x": x, "x#1": h}), save(t, "n.npy", map[string]tensor.Value{"": n}), save(t, "h#1.npy", map[string]tensor.Value{"": x}),
	})
	require.NoError(t, err)
	require.Equal(t, Case{Name: "jfk", Calls: []Call{
		{Entry: "step", Args: []tensor.Value{x}, Want: []tensor.Value{n, {}}},
		{Entry: "step", Args: []tensor.Value{h}, Want: []tensor.Value{{}, x}},
	}}, one)
	c := encoder()
	c.Entries[1].Args[0].Name, c.Entries[1].Results[1].Name = "model_input_1", "_2_y"
	one, err = Recorded(c, "names", []string{save(t, "a.npz", map[string]tensor.Value{"model/input.1": x, "2:y#0": h})})
	require.NoError(t, err)
	require.Equal(t, []Call{{Entry: "step", Args: []tensor.Value{x}, Want: []tensor.Value{{}, h}}}, one.Calls)

	ids := of(t, []int64{1, 2, 3, 4, 5, 6}, 2, 3)
	one, err = Recorded(encoder(), "main:ids", []string{save(t, "a.npz", map[string]tensor.Value{"ids": ids, "scale": of(t, []float32{1}), "y": h})})
	require.NoError(t, err)
	require.Equal(t, "main", one.Calls[0].Entry)
}

func TestRecordedRefuses(t *testing.T) {
	x := of(t, []float32{1, 2}, 2)
	good := save(t, "x.npy", map[string]tensor.Value{"": x})
	twins := encoder()
	twins.Entries = append(twins.Entries, contract.Entry{Name: "again", Args: twins.Entries[1].Args, Results: twins.Entries[1].Results})
	for name, c := range map[string]struct {
		of    *contract.Contract
		files []string
		want  string
	}{
		"nothing":         {encoder(), nil, "no array is given"},
		"unknown":         {encoder(), []string{save(t, "z.npy", map[string]tensor.Value{"": x})}, `has all of the arrays ["z"] of call 0`},
		"missing":         {encoder(), []string{save(t, "a.npz", map[string]tensor.Value{"y": x})}, "main has the arguments ids scale and the results y"},
		"twice":           {encoder(), []string{good, save(t, "a.npz", map[string]tensor.Value{"x": x})}, `the array "x" is in two files`},
		"gap":             {encoder(), []string{save(t, "x#2.npy", map[string]tensor.Value{"": x})}, "of call 0"},
		"shape":           {encoder(), []string{save(t, "x.npy", map[string]tensor.Value{"": of(t, []float32{1}, 1)})}, `argument "x" is f32[2], the file holds f32[1]`},
		"type":            {encoder(), []string{good, save(t, "n.npy", map[string]tensor.Value{"": x})}, `result "n" is i32[scalar], the file holds f32[2]`},
		"ambiguous":       {twins, []string{good}, `may be of ["step" "again"]`},
		"main:otherentry": {encoder(), []string{good}, "no entry point has all"},
	} {
		_, err := Recorded(c.of, name, c.files)
		require.Equal(t, CodeInput, errs.CodeOf(err), "%s: %v", name, err)
		require.ErrorContains(t, err, c.want, name)
	}
	_, err := Recorded(encoder(), "none", []string{good + ".no"})
	require.Equal(t, npy.CodeOpen, errs.CodeOf(err))
}

// fixed is a program whose results are given.
type fixed struct {
	backend.Executable
	contract *contract.Contract
	results  []tensor.Value
}

func (f fixed) Call(context.Context, string, ...tensor.Value) ([]tensor.Value, error) {
	return f.results, nil
}
func (f fixed) Contract() *contract.Contract { return f.contract }
func (f fixed) Close() error                 { return nil }

// Both backends are compared with what was recorded, each in its tolerance.
func TestRunComparesWithRecordedResults(t *testing.T) {
	c := encoder()
	open := func(n int32, h ...float32) Open {
		return func() (backend.Executable, error) {
			return fixed{contract: c, results: []tensor.Value{of(t, []int32{n}), of(t, h, 2)}}, nil
		}
	}
	x := of(t, []float32{1, 2}, 2)
	call := Call{Entry: "step", Args: []tensor.Value{x}, Want: []tensor.Value{{}, x}, WantTolerance: Tolerance{Abs: 0.1}}
	for name, k := range map[string]struct {
		reference, candidate Open
		differ               []bool
	}{
		"agree":     {open(7, 1, 2), open(7, 1, 2), []bool{false, false, false}},
		"tolerance": {open(7, 1.0625, 2), open(7, 1.0625, 2), []bool{false, false, false}},
		"program":   {open(7, 1, 2), open(7, 1, 2.5), []bool{true, false, true}},
		"both":      {open(7, 1, 2.5), open(7, 1, 2.5), []bool{false, true, true}},
	} {
		reports, err := Run(context.Background(), Case{Name: "jfk", Calls: []Call{call}}, k.reference, k.candidate, Default())
		require.NoError(t, err)
		require.Len(t, reports, 3, name)
		for i, r := range reports {
			require.Equal(t, k.differ[i], !r.OK(), "%s: %s", name, r.Title)
			require.Equal(t, i > 0, r.Recorded)
		}
		require.Equal(t, "jfk: step, the program against the recorded results", reports[2].Title)
		require.Len(t, reports[2].Results, 1, "only the recorded result")
	}
}

// What another implementation made in f32 and wrote as f64 has the accuracy of f32.
func TestRecordedF64(t *testing.T) {
	f64 := func(x float64) tensor.Value { return of(t, []float64{x}) }
	for got, want := range map[float64]bool{2.0001: true, 2.1: false} {
		r, err := Compare("recorded", []string{"y"}, []tensor.Value{f64(got)}, []tensor.Value{f64(2)}, Default().recorded(DefaultRecorded))
		require.NoError(t, err)
		require.Equal(t, want, r.OK(), got)
	}
	require.Equal(t, Tolerance{Abs: 1e-10, Rel: 1e-10}, Default().Float[dtype.F64])
}

// failing is a program whose calls fail.
type failing struct {
	fixed
	err error
}

func (f failing) Call(context.Context, string, ...tensor.Value) ([]tensor.Value, error) {
	return nil, f.err
}

// The error of a call has its code once, and says which of the two it is of.
func TestRunSaysWhichFailed(t *testing.T) {
	good := fixed{contract: encoder(), results: []tensor.Value{of(t, []int32{7}), of(t, []float32{1, 2}, 2)}}
	call := Call{Entry: "step", Args: []tensor.Value{of(t, []float32{1, 2}, 2)}}
	opens := func(x backend.Executable) Open { return func() (backend.Executable, error) { return x, nil } }
	for node, want := range map[string]string{
		"":      "BACKEND_BAD_ARGUMENT: jfk: the compiled program failed: no luck; try again",
		"jfk":   "BACKEND_BAD_ARGUMENT: jfk: the compiled program failed: no luck; try again",
		"layer": "BACKEND_BAD_ARGUMENT: jfk: the compiled program failed in layer: no luck; try again",
	} {
		bad := failing{good, errs.New(backend.CodeBadArgument, "no luck").On(node).Hint("try again")}
		_, err := Run(context.Background(), Case{Name: "jfk", Calls: []Call{call}}, opens(good), opens(bad), Default())
		require.EqualError(t, err, want)
	}
}
