package figures

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func sample() Figures {
	return Figures{
		Schema: Schema,
		Machine: Machine{
			Processor: "Some CPU @ 2 GHz", OS: "linux", Arch: "x86_64", Cores: 2, Instructions: []string{"avx2", "fma"},
			Targets: []string{"cpu_x86_64_v3", "cpu_x86_64_v1"}, Before: "0.1 0.2 0.3", After: "1 0.5 0.4",
		},
		Notes: []string{"ours-v4 left out: <this> processor has no avx512f"},
		Rows: []Row{
			{"zoo", "silero", "cpu_x86_64_v3", "SKaiNET", false, "cpu_x86_64_v3", 1, Wall, []Round{{0.25, 0.5}, {1e-9, 0.125}, {0.5, 1}}, 0.01, 12.5, 1.5e-7},
			{"zoo", "silero", "ort", "ONNX Runtime 1", true, "", 1, Wall, Once([]float64{3, 1}), 0, 0, 0},
			{"whisper", "tiny.en", "ours-v3", "IREE 3", false, "cpu_x86_64_v3", 2, CPU, Once([]float64{1.0 / 3}), 0, 0, 0},
		},
	}
}

func TestRoundTrip(t *testing.T) {
	want := sample()
	first, err := want.Marshal()
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(string(first), "}\n"))
	path := filepath.Join(t.TempDir(), "figures.json")
	require.NoError(t, want.Write(path))
	got, err := Read(path)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(want, got))
	second, err := got.Marshal()
	require.NoError(t, err)
	require.Equal(t, string(first), string(second), "the same figures are the same bytes")
}

func TestRow(t *testing.T) {
	r := sample().Rows[0]
	require.Equal(t, 1e-9, r.Least())
	require.Equal(t, 0.5, r.Median())
	require.Equal(t, []float64{0.5, 0.125, 1}, r.Medians(), "in their order")
	require.Equal(t, 2.0, sample().Rows[1].Median())
	require.Equal(t, "zoo: silero: cpu_x86_64_v3 on 1 thread", r.Key().String())
	require.Equal(t, "whisper: tiny.en: ours-v3 on 2 threads", sample().Rows[2].Key().String())
}

func TestJoin(t *testing.T) {
	a, b := sample(), sample()
	a.Rows, b.Rows = a.Rows[:1], b.Rows[1:]
	b.Machine.After, b.Notes = "9 9 9", []string{"b"}
	want := sample()
	want.Machine.After, want.Notes = "9 9 9", append(want.Notes, "b")
	require.Empty(t, cmp.Diff(want, Join(a, b)))
	require.Len(t, a.Rows, 1, "what was given stays")
}

// A file that was cut short at any byte, is of another kind or another version, or has a number
// that is none, is an error with the file's name.
func TestBadFiles(t *testing.T) {
	good, err := sample().Marshal()
	require.NoError(t, err)
	text := string(good)
	for name, tt := range map[string]struct {
		text string
		code errs.Code
	}{
		"empty":                 {"", CodeJSON},
		"binary":                {"GGUF\x03\x00\x00\x00", CodeJSON},
		"another document":      {`{"name": "x"}`, CodeSchema},
		"a list":                {`[]`, CodeJSON},
		"another version":       {strings.Replace(text, `"schema": 1`, `"schema": 2`, 1), CodeSchema},
		"a newer member":        {strings.Replace(text, `"schema": 1`, `"schema": 1, "more": 1`, 1), CodeJSON},
		"a member given twice":  {strings.Replace(text, `"schema": 1`, `"schema": 1, "notes": [], "notes": []`, 1), CodeJSON},
		"capitals":              {strings.Replace(text, `"machine"`, `"Machine"`, 1), CodeJSON},
		"NaN":                   {strings.Replace(text, `"least": 0.25`, `"least": NaN`, 1), CodeJSON},
		"infinite":              {strings.Replace(text, `"median": 0.5`, `"median": 1e999`, 1), CodeJSON},
		"text for a number":     {strings.Replace(text, `"least": 0.25`, `"least": "fast"`, 1), CodeJSON},
		"a negative time":       {strings.Replace(text, `"least": 0.25`, `"least": -0.25`, 1), CodeValue},
		"no time at all":        {strings.Replace(text, `"least": 0.25`, `"least": 0`, 1), CodeValue},
		"less than the least":   {strings.Replace(text, `"least": 0.25`, `"least": 0.75`, 1), CodeValue},
		"no threads":            {strings.Replace(text, `"threads": 1`, `"threads": 0`, 1), CodeValue},
		"half a thread":         {strings.Replace(text, `"threads": 1`, `"threads": 0.5`, 1), CodeJSON},
		"an unknown unit":       {strings.Replace(text, `"unit": "s"`, `"unit": "tokens"`, 1), CodeValue},
		"an engine of no name":  {strings.Replace(text, `"engine": "ort"`, `"engine": ""`, 1), CodeValue},
		"an engine twice":       {strings.Replace(text, `"engine": "ort"`, `"engine": "cpu_x86_64_v3"`, 1), CodeValue},
		"negative memory":       {strings.Replace(text, `"peak_mib": 12.5`, `"peak_mib": -1`, 1), CodeValue},
		"a negative error":      {strings.Replace(text, `"error": 1.5e-7`, `"error": -1`, 1), CodeValue},
		"no machine":            {`{"schema": 1, "rows": []}`, CodeValue},
		"no rounds":             {`{"schema": 1, "machine": {"cores": 1, "processor": "p"}, "rows": [{"benchmark": "a", "case": "b", "engine": "c", "threads": 1, "unit": "s"}]}`, CodeValue},
		"two documents":         {text + text, CodeJSON},
		"nesting without end":   {strings.Repeat("[", 1000), CodeJSON},
		"characters of no code": {strings.Replace(text, "Some CPU", "Some\xff", 1), CodeJSON},
	} {
		t.Run(name, func(t *testing.T) {
			require.NotEqual(t, text, tt.text)
			path := filepath.Join(t.TempDir(), "bad.json")
			require.NoError(t, os.WriteFile(path, []byte(tt.text), 0o600))
			_, err := Read(path)
			require.Equal(t, tt.code, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, path)
		})
	}
	for n := range len(good) - 2 { // all but the last brace and the newline
		_, err := Parse(good[:n])
		require.Equal(t, CodeJSON, errs.CodeOf(err), "%d bytes", n)
	}
	_, err = Read(filepath.Join(t.TempDir(), "none.json"))
	require.Equal(t, regular.CodeOpen, errs.CodeOf(err))
}

// Figures that are none are not written, and an older file stays.
func TestBadFiguresAreNotWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "figures.json")
	require.NoError(t, sample().Write(path))
	for name, change := range map[string]func(*Figures){
		"NaN":             func(f *Figures) { f.Rows[0].Rounds[0].Least = math.NaN() },
		"infinite":        func(f *Figures) { f.Rows[0].Rounds[0].Median = math.Inf(1) },
		"NaN memory":      func(f *Figures) { f.Rows[0].Peak = math.NaN() },
		"NaN error":       func(f *Figures) { f.Rows[0].Error = math.NaN() },
		"infinite load":   func(f *Figures) { f.Rows[0].Load = math.Inf(1) },
		"the same twice":  func(f *Figures) { f.Rows[1] = f.Rows[0] },
		"no round":        func(f *Figures) { f.Rows[2].Rounds = nil },
		"another version": func(f *Figures) { f.Schema = 0 },
	} {
		f := sample()
		change(&f)
		require.Error(t, f.Write(path), name)
	}
	got, err := Read(path)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(sample(), got))
}

func FuzzParse(f *testing.F) {
	good, err := sample().Marshal()
	require.NoError(f, err)
	f.Add(good)
	f.Add([]byte(`{"schema": 1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Parse(data)
		if err != nil {
			require.NotEmpty(t, errs.CodeOf(err))
			return
		}
		again, err := got.Marshal()
		require.NoError(t, err, "what can be read can be written")
		back, err := Parse(again)
		require.NoError(t, err)
		require.Equal(t, got.Rows, back.Rows)
	})
}
